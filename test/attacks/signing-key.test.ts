// Attempts to read the keys that sign the record: through a file tool, through the check of a quotation, through a search, through a shell,
// through /proc. All five are refused, and no answer contains a byte of them.

import { execFileSync } from 'node:child_process';
import { linkSync, readFileSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { afterAll, beforeAll, expect } from 'vitest';
import type { SessionRow } from '../../src/protocol/index.ts';
import { startTestDaemon, type TestDaemon } from '../lab/daemon.ts';
import { verifies } from '../verifies.ts';
import { FIRST_DOORS } from '../../src/protocol/index.ts';

let daemon: TestDaemon;
let session: SessionRow;
let root: string;
/** The private key as a path may name it. */
let names: readonly string[];
beforeAll(async () => {
  // On one disk with the repository: a hard link cannot leave it.
  daemon = await startTestDaemon(undefined, tmpdir());
  session = await daemon.beginWork('**');
  root = daemon.repo.path;
  const key = join(daemon.home.keys, 'signing-key.pem');
  symlinkSync(key, join(root, 'src/link.pem'));
  symlinkSync(daemon.home.dir, join(root, 'src/folder'));
  linkSync(key, join(root, 'src/hard.pem'));
  symlinkSync('/proc', join(root, 'src/proc'));
  names = [
    key,
    join(daemon.home.keys, 'hmac.key'),
    relative(root, key),
    `${dirname(key)}/./../keys//signing-key.pem`,
    'src/link.pem',
    'src/folder/keys/signing-key.pem',
    'src/hard.pem',
    `/proc/self/root${key}`,
    `/proc/${process.pid}/root${key}`,
    `/proc/thread-self/root${key}`,
    `/proc/self/root/..${key}`,
    `/proc/self/fd/../root${key}`,
    'src/proc/self/root/etc/hostname',
  ];
});
afterAll(() => daemon.dispose());

/** The code of each refusal, or that it passed. No answer contains any part of a key. */
const codeIn = (answer: string): string => {
  for (const file of ['signing-key.pem', 'hmac.key']) {
    const bytes = readFileSync(join(daemon.home.keys, file));
    for (const text of [bytes.toString('latin1').split('\n')[1] || bytes.toString('base64'), bytes.toString('hex')]) {
      if (answer.includes(text)) return 'showed the key';
    }
  }
  return /GOVERNANCE_FILE|SCOPE_VIOLATION/.exec(answer)?.[0] ?? `passed: ${answer.slice(0, 300)}`;
};

let calls = 0;
const hook = async (tool_name: string, tool_input: object) =>
  codeIn(JSON.stringify(await daemon.hook('PreToolUse', { tool_name, tool_input, tool_use_id: `toolu_${++calls}` })));

async function gate(tool: string, input: Record<string, unknown>): Promise<string> {
  const { outcome } = await daemon.services().kernel.spine.pass({
    session: session.id,
    workspace: session.workspace,
    root,
    cwd: root,
    actor: { agent: session.agent },
    door: FIRST_DOORS.mcp,
    tool,
    input,
    waitTimeoutMs: 0,
    signal: AbortSignal.timeout(60_000),
  });
  return codeIn(JSON.stringify(outcome));
}

async function expectRefused(tries: readonly (readonly [string, () => Promise<string>])[]): Promise<void> {
  const passed: string[] = [];
  for (const [what, attempt] of tries) {
    const code = await attempt();
    if (code !== 'GOVERNANCE_FILE' && code !== 'SCOPE_VIOLATION') passed.push(`${what} ${code}`);
  }
  expect(passed).toEqual([]);
}

verifies('N11', 'by a file tool', async () => {
  await expectRefused(
    names.flatMap((path) => [
      [`Read ${path}`, () => hook('Read', { file_path: path })],
      [`read_file ${path}`, () => gate('read_file', { path })],
      [`NotebookRead ${path}`, () => hook('NotebookRead', { notebook_path: path })],
    ]),
  );
});

verifies('N11', 'by the check of a quotation', async () => {
  const fact = { kind: 'fact', statement: 'the key says so' };
  await expectRefused(
    names.flatMap((path) => [
      [`citation ${path}`, () => gate('memory_write', { ...fact, citations: [{ path, start_line: 1, end_line: 2 }] })],
      [`file_exists ${path}`, () => gate('memory_write', { ...fact, evidence: [{ type: 'file_exists', path }] })],
      [`grep_hit ${path}`, () => gate('memory_write', { ...fact, evidence: [{ type: 'grep_hit', path, pattern: 'PRIVATE' }] })],
    ]),
  );
});

verifies('N11', 'by a search', async () => {
  const { keys, dir } = daemon.home;
  await expectRefused(
    [keys, dir, dirname(dir), '/', ...names, 'src/folder'].flatMap((path) => [
      [`Grep ${path}`, () => hook('Grep', { pattern: '.', path, output_mode: 'content' })],
      [`search_files ${path}`, () => gate('search_files', { pattern: '.', path })],
    ]),
  );
});

verifies('N11', 'by a shell', async () => {
  const { keys, dir } = daemon.home;
  const key = join(keys, 'signing-key.pem');
  const commands = [
    ...names.map((path) => `cat ${path}`),
    `head -c 9999 < ${key}`,
    `cd ${keys} && cat signing-key.pem`,
    `cat ${keys}/*`,
    `cat ${dir}/k?ys/hmac.key`,
    `grep -r . ${dir}`,
    `cp ${key} src/copy.pem`,
    `tar cf src/all.tar ${dir}`,
    `openssl pkey -in ${key} -text`,
    `base64 ${keys}/hmac.key`,
    `find ${dir} -type f`,
  ];
  await expectRefused(commands.map((command) => [command, () => hook('Bash', { command })]));
});

verifies('N11', 'by a shell that reads all below a folder, or names much else before', async () => {
  const { dir, hookFile } = daemon.home;
  const above = dirname(dir);
  const others = Array.from({ length: 200 }, (_, at) => `./${at}`).join(' ');
  const commands = [
    `grep -r . ${above}`,
    `grep -n --recursive x "${above}"`,
    `rg . /`,
    `tar cf - ${above} | head -c 9`,
    `find ${above} -name hook -exec cat {} +`,
    `cat ${others} ${hookFile}`,
  ];
  await expectRefused(commands.map((command) => [command, () => hook('Bash', { command })]));
  const free = ['ls /', 'rg / src', 'grep -rn "/" src', `grep x ${above}/a.txt`, 'grep -r x . | head', 'find / -maxdepth 1'];
  for (const command of free) expect([command, await hook('Bash', { command })]).toEqual([command, 'passed: {}']);
});

verifies('N11', 'by /proc', async () => {
  const { pid } = process;
  const places = [`/proc/${pid}/mem`, `/proc/${pid}/environ`, `/proc/${pid}/maps`, `/proc/${pid}/fd/3`, `/proc/${pid}/map_files/x`];
  await expectRefused([
    ...places.flatMap((path): [string, () => Promise<string>][] => [
      [`Read ${path}`, () => hook('Read', { file_path: path })],
      [`read_file ${path}`, () => gate('read_file', { path })],
      [`cat ${path}`, () => hook('Bash', { command: `cat ${path}` })],
    ]),
  ]);
});

verifies('N11', 'and none of it is in the record', () => {
  const [, line] = readFileSync(join(daemon.home.keys, 'signing-key.pem'), 'utf8').split('\n');
  expect(line?.length).toBeGreaterThan(40);
  expect(() => execFileSync('grep', ['-rqF', line!, join(daemon.home.dir, 'ledger')])).toThrow('Command failed');
});
