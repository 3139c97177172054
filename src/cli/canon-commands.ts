// The canon index of a story, for people.

import type { CanonStatus } from '../protocol/index.ts';
import { visible } from '../protocol/plain.ts';
import { type CommandContext, show } from './command-context.ts';
import { paint } from './terminal-text.ts';

export async function canonStatus(context: CommandContext): Promise<void> {
  const status = await context.client.ask('canon_index_status', { cwd: context.cwd });
  show(context, status, textOf(status));
}

export async function indexCanon(context: CommandContext, endpointId: string | undefined): Promise<void> {
  context.say('A model reads the scenes that changed. This takes a while.');
  const status = await context.client.act('index_canon', { cwd: context.cwd, ...(endpointId === undefined ? {} : { endpointId }) });
  show(context, status, textOf(status));
}

const STATES: Readonly<Record<CanonStatus['state'], string>> = {
  none: 'There is no canon index yet. Make one: countersign canon index',
  running: 'The canon is being indexed.',
  current: 'The canon index is current.',
  stale: 'Parts of the canon index are stale. Renew them: countersign canon index',
};

function textOf({ state, scenes, facts, left_out, stale, stale_entities }: CanonStatus): string {
  const counts =
    state === 'none' ? [] : [`${facts} facts from ${scenes} scenes; ${left_out} left out, because their quote is not in the scene.`];
  const changed = stale.map(({ path, why }) => `  ${paint('yellow', why.padEnd(7))} ${visible(path)}`);
  const entities = stale_entities.length === 0 ? [] : [`About: ${stale_entities.map((name) => visible(name)).join(', ')}`];
  return [STATES[state], ...counts, ...changed, ...entities].join('\n');
}
