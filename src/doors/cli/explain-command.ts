// What the gate reads out of a command, for a person: part by part, with what it writes.

import type { CommandClass, CommandReading } from '../../protocol/index.ts';
import { paint, visible } from './terminal-text.ts';

export interface CommandExplanation extends Pick<CommandReading, 'class' | 'reasons'> {
  /** Relative to the root, absolute if outside. */
  readonly writes: readonly string[];
}

const MEANING: Readonly<Record<CommandClass, { readonly style: Parameters<typeof paint>[0]; readonly says: string }>> = {
  SAFE: { style: 'green', says: 'proven to write nothing, to use no network and to run no code of the repository' },
  MUTATING: { style: 'yellow', says: 'may change something; runs under an intent, and is asked about in STRICT' },
  DESTRUCTIVE: { style: 'red', says: 'cannot be undone, needs privileges, reads secrets or uses the network; waits for a human' },
  WRITES_OUTSIDE: { style: 'red', says: 'writes outside of what may be changed' },
};

export function explanationText({ class: commandClass, reasons, writes }: CommandExplanation): string {
  const { style, says } = MEANING[commandClass];
  const parts = Map.groupBy(reasons, ({ part }) => part);
  const lines = [...parts].flatMap(([part, each]) => [
    `  ${visible(part)}`,
    ...each.map(({ code, message }) => `    ${paint('dim', code)} ${visible(message)}`),
  ]);
  const written = writes.length === 0 ? [] : ['  writes', ...writes.map((path) => `    ${visible(path)}`)];
  return [`${paint(style, commandClass)}  ${says}`, ...lines, ...written].join('\n');
}
