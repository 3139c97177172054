// What the gate reads out of a command, for a person: part by part, with what it writes.

import type { CommandClass } from '../protocol/index.ts';
import { visible } from '../protocol/plain.ts';
import { paint } from './terminal-text.ts';

export interface ExplainedCommand {
  readonly class: CommandClass;
  /** Those that are not SAFE, in the order of the text. */
  readonly parts: readonly {
    readonly part: string;
    readonly reasons: readonly { readonly code: string; readonly class: CommandClass; readonly message: string }[];
  }[];
  /** Relative to the root, absolute if outside. */
  readonly writes: readonly string[];
}

const MEANING: Readonly<Record<CommandClass, { readonly style: Parameters<typeof paint>[0]; readonly says: string }>> = {
  SAFE: { style: 'green', says: 'Proven to write nothing, to use no network and to run no code of the repository. It runs.' },
  MUTATING: { style: 'yellow', says: 'It may change something. It runs under an intent, and in STRICT a human is asked.' },
  DESTRUCTIVE: {
    style: 'red',
    says: 'It cannot be undone, needs other rights, reads secrets or uses the network. It waits for a human.',
  },
  WRITES_OUTSIDE: { style: 'red', says: 'It writes outside of what may be changed. It is refused.' },
};

export function explanationText({ class: commandClass, parts, writes }: ExplainedCommand): string {
  const hides = parts.some(({ reasons }) => reasons.some(({ code }) => code === 'CONTROL_CHARACTERS'));
  const says = hides ? 'It shows something else than it runs. It is refused.' : MEANING[commandClass].says;
  const label = (of: CommandClass, width = 0): string => paint(MEANING[of].style, of.padEnd(width));
  const widest = Math.max(0, ...parts.flatMap(({ reasons }) => reasons.map((reason) => reason.class.length)));
  const lines = parts.flatMap(({ part, reasons }) => [
    '',
    `  ${paint('bold', visible(part))}`,
    ...reasons.map((reason) => `    ${label(reason.class, widest)}  ${visible(reason.message)} ${paint('dim', `(${reason.code})`)}`),
  ]);
  const written = writes.length === 0 ? [] : ['', '  Writes', ...writes.map((path) => `    ${visible(path)}`)];
  return [`${label(commandClass)}  ${says}`, ...lines, ...written].join('\n');
}
