// A small filter of system calls for sealed runs, as a program for the kernel, made here: no compiler is needed. It refuses what an agent and
// its tools never need and what past escapes from namespaces went through: the kernel's key rings, loadable programs, asynchronous rings,
// modules, file handles that lead around mounts. Namespaces stay allowed: agents have sandboxes of their own.
//
// Bytes: one instruction is `u16 code, u8 jump if true, u8 jump if false, u32 value`, in the machine's order, which is little-endian on both.

/** Numbers of the same calls on x86-64 and on 64-bit ARM. Null: it does not exist there. */
const REFUSED: readonly (readonly [name: string, x64: number | null, arm64: number | null])[] = [
  ['add_key', 248, 217],
  ['request_key', 249, 218],
  ['keyctl', 250, 219],
  ['bpf', 321, 280],
  ['perf_event_open', 298, 241],
  ['userfaultfd', 323, 282],
  ['io_uring_setup', 425, 425],
  ['io_uring_enter', 426, 426],
  ['io_uring_register', 427, 427],
  ['open_by_handle_at', 304, 265],
  ['kexec_load', 246, 104],
  ['kexec_file_load', 320, 294],
  ['init_module', 175, 105],
  ['finit_module', 313, 273],
  ['delete_module', 176, 106],
  ['swapon', 167, 224],
  ['swapoff', 168, 225],
  ['reboot', 169, 142],
  ['acct', 163, 89],
  ['quotactl', 179, 60],
  ['settimeofday', 164, 170],
  ['clock_settime', 227, 112],
  ['iopl', 172, null],
  ['ioperm', 173, null],
];

const ARCHITECTURES: Readonly<Partial<Record<string, { readonly audit: number; readonly column: 1 | 2 }>>> = {
  x64: { audit: 0xc0_00_00_3e, column: 1 },
  arm64: { audit: 0xc0_00_00_b7, column: 2 },
};

const [LOAD, JUMP_IF_EQUAL, JUMP_IF_AT_LEAST, RETURN] = [0x20, 0x15, 0x35, 0x06];
/** Where the kernel puts what is looked at. */
const [NUMBER, ARCHITECTURE] = [0, 4];
/** Calls of the x32 form have this bit; no program uses them. */
const X32 = 0x40_00_00_00;
const ALLOW = 0x7f_ff_00_00;
/** The call fails with EPERM. */
const REFUSE = 0x00_05_00_01;

/** Null: the numbers of this architecture are not known here. */
export function callFilter(architecture: string = process.arch): Buffer | null {
  const known = ARCHITECTURES[architecture];
  if (known === undefined) return null;
  const numbers = REFUSED.flatMap((each) => each[known.column] ?? []);
  const program: [code: number, ifTrue: number, ifFalse: number, value: number][] = [
    [LOAD, 0, 0, ARCHITECTURE],
    // Calls in the form of another architecture have other numbers.
    [JUMP_IF_EQUAL, 1, 0, known.audit],
    [RETURN, 0, 0, REFUSE],
    [LOAD, 0, 0, NUMBER],
    [JUMP_IF_AT_LEAST, numbers.length + 1, 0, X32],
    ...numbers.map((number, at): [number, number, number, number] => [JUMP_IF_EQUAL, numbers.length - at, 0, number]),
    [RETURN, 0, 0, ALLOW],
    [RETURN, 0, 0, REFUSE],
  ];
  const bytes = Buffer.alloc(program.length * 8);
  for (const [at, [code, ifTrue, ifFalse, value]] of program.entries()) {
    bytes.writeUInt16LE(code, at * 8);
    bytes.writeUInt8(ifTrue, at * 8 + 2);
    bytes.writeUInt8(ifFalse, at * 8 + 3);
    bytes.writeUInt32LE(value, at * 8 + 4);
  }
  return bytes;
}

/** What starts bubblewrap with the filter in `file`; its arguments come after these. */
export const withFilter = (file: string): string[] => ['/bin/sh', '-c', 'exec "$@" 9<"$0"', file];
