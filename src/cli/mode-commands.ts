// The human's minimum: what agents are held to, whatever they declare.

import type { CommandInput, ModesView } from '../protocol/index.ts';
import { Fault, ID_FORMS } from '../protocol/plain.ts';
import { checkId, type CommandContext, show } from './command-context.ts';

export async function showModes(context: CommandContext): Promise<void> {
  const view = await context.client.ask('modes', { cwd: context.cwd });
  show(context, view, modesText(view));
}

export async function limitMode(context: CommandContext, kind: 'pin' | 'min', mode: string, intent: string | undefined): Promise<void> {
  const wanted = LIMITS[kind][mode.toUpperCase()];
  if (wanted === undefined) {
    const known = Object.keys(LIMITS[kind]).map((name) => (name === 'OFF' ? 'off' : name));
    throw new Fault('BAD_REQUEST', `mode ${kind} takes ${known.join(' or ')}.`, { fix: `countersign mode ${kind} ${known[0]}` });
  }
  if (intent !== undefined) checkId(ID_FORMS.intent, intent, "an intent's id, such as INT-001", 'countersign intents lists them');
  const view = await context.client.act('limit_mode', { cwd: context.cwd, intent: intent ?? null, ...wanted });
  show(context, view, modesText(view));
}

type Limit = Pick<CommandInput<'limit_mode'>, 'pin' | 'minimum'>;
const LIMITS: Readonly<Record<'pin' | 'min', Readonly<Record<string, Limit>>>> = {
  pin: { PASSIVE: { pin: 'PASSIVE' }, OFF: { pin: null } },
  min: { GUARDED: { minimum: 'GUARDED' }, STRICT: { minimum: 'STRICT' }, OFF: { minimum: null } },
};

function modesText(view: ModesView): string {
  const least = view.minimum ? `The minimum is ${view.minimum}.` : 'There is no minimum: an agent may declare any mode.';
  const holds = view.pin ? 'PASSIVE is pinned: agents may look and change nothing.' : `Nothing is pinned. ${least}`;
  const sources = [
    ['settings', '.ai/config', view.settings],
    ['workspace', 'countersign mode', view.workspace],
    ...view.intents.map((each) => [each.intent, `countersign mode --intent ${each.intent}, for agents that cite it`, each] as const),
  ] as const;
  const line = ([name, from, { pin, minimum }]: (typeof sources)[number]) =>
    `  ${name.padEnd(10)} pin ${(pin ?? '-').padEnd(8)} minimum ${(minimum ?? '-').padEnd(8)} ${from}`;
  const observing = view.observing ? ['This workspace only observes: what the gate would say is recorded, and nothing is stopped.'] : [];
  return [...observing, holds, ...sources.map(line), 'The strictest of these holds.'].join('\n');
}
