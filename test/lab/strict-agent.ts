// An agent in STRICT with both doors: its plan comes over MCP, its own edits are announced by its hooks.

import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import type { InboxItem } from '../../src/protocol/index.ts';
import { writeShop } from './controller.ts';
import { type Answer, type HookedAgent, hookedAgent } from './hooked-agent.ts';
import type { Place } from './installation.ts';

export interface StrictAgent {
  readonly place: Place;
  readonly agent: HookedAgent;
  readonly submit: (planGraph: unknown) => Promise<Answer>;
  /** Asks the hook about an edit and does not make it. */
  readonly edit: (path: string, from: string, to: string) => Promise<string | null>;
}

export const codeOf = (said: string | null): string | null => /^Countersign ([A-Z_]+):/.exec(said ?? '')?.[1] ?? said;

export const waiting = async (place: Place): Promise<InboxItem[]> => place.client.ask('inbox', { cwd: place.repo.path });

/** A human's yes to every plan that waits. */
export async function approvePlans(place: Place): Promise<void> {
  for (const { id, kind } of await waiting(place)) if (kind === 'plan') expect((await place.human(['approve', id])).code).toBe(0);
}

/** It has read both files of the shop. */
export async function strictAgent(place: Place): Promise<StrictAgent> {
  await writeShop(place.repo.path);
  expect((await place.human(['intent', 'round the total', 'src'])).code).toBe(0);
  expect((await place.human(['mode', 'min', 'STRICT'])).code).toBe(0);
  const agent = await joined(place);
  const submit = async (planGraph: unknown) => agent.call('submit_execution_plan', { planGraph });
  const edit = (path: string, old_string: string, new_string: string) =>
    agent.before('Edit', { file_path: join(place.repo.path, path), old_string, new_string });
  return { place, agent, submit, edit };
}

/** Another agent in the same place. */
export async function joined(place: Place, conversation?: string): Promise<HookedAgent> {
  const client = await place.mcpClient({ surface: 'hooked' });
  onTestFinished(() => client.close());
  const agent = await hookedAgent(place, client, conversation);
  await agent.prompt('round the total');
  for (const path of ['src/total.js', 'src/print.js'])
    expect(await agent.before('Read', { file_path: join(place.repo.path, path) })).toBeNull();
  return agent;
}
