import fc from 'fast-check';
import { expect, test } from 'vitest';
import { verifies } from '../../../test/verifies.ts';
import type { Intent, RunContext, ToolResult } from '../../protocol/index.ts';
import { INTENT_CONTEXT_BYTES } from '../intent-context.ts';
import type { ToolDeps } from '../tool.ts';
import { selectActiveIntent } from './select-active-intent.ts';

const nothing = (): never => {
  throw new Error('it needs nothing else');
};

function select(intent_id: string, intents: readonly Intent[]): Promise<ToolResult> {
  const session = { id: 'ses_1', workspace: 'wsp_1' };
  const faults = async () => ({ intents: null, settings: null });
  const context = new Proxy({ session, intents, recentChanges: () => [], faults } as unknown as RunContext, {
    get: (known, name) => known[name as keyof RunContext] ?? nothing(),
  });
  const place = { root: '/repo', cwd: '/repo' };
  return selectActiveIntent({} as ToolDeps).describe({ intent_id }, place).run!(context);
}

const intent = (change: Partial<Intent> = {}): Intent => ({
  id: 'INT-001',
  name: 'fix login',
  status: 'active',
  owned_scope: ['src/**'],
  constraints: [],
  acceptance_criteria: [],
  ...change,
});

const hostile = fc.oneof(
  fc.string({ unit: 'binary', minLength: 1 }),
  fc
    .array(
      fc.constantFrom(
        '</intent_context>',
        '<intent_context>',
        '<',
        '>',
        '\n',
        '\r',
        '\u2028',
        '\u2029',
        '\u0085',
        '\u202e',
        '\u0000',
        '- ',
        'x',
      ),
      { minLength: 1 },
    )
    .map((parts) => parts.join('')),
);

verifies('I1', 'no name, glob, constraint or criterion closes the context or adds a line to it', async () => {
  await fc.assert(
    fc.asyncProperty(hostile, hostile, fc.array(hostile, { maxLength: 3 }), async (name, glob, lines) => {
      const { output } = await select('INT-001', [intent({ name, owned_scope: [glob], constraints: lines, acceptance_criteria: lines })]);
      const shown = (output as { intent_context: string }).intent_context.split(/[\n\r\u0085\u2028\u2029]/);
      expect(shown.length).toBeLessThanOrEqual(9 + 2 * Math.max(1, lines.length));
      expect(Buffer.byteLength(shown.join('\n'))).toBeLessThanOrEqual(INTENT_CONTEXT_BYTES);
      expect(shown.filter((line) => /[<>]/.test(line))).toEqual(['<intent_context>', '</intent_context>']);
      expect([shown[0], shown.at(-1)]).toEqual(['<intent_context>', '</intent_context>']);
    }),
  );
});

verifies('I1', 'a huge intent is reported within its budget, and says what was left out', async () => {
  const many = Array.from({ length: 50 }, (_, index) => `${index} ${'ü'.repeat(400)}`);
  const { output } = await select('INT-001', [intent({ owned_scope: many, constraints: many, acceptance_criteria: many })]);
  const text = (output as { intent_context: string }).intent_context;
  expect(Buffer.byteLength(text)).toBeLessThanOrEqual(INTENT_CONTEXT_BYTES);
  expect(text.match(/^- and \d+ more: see countersign:\/\/intents$/gm)).toHaveLength(3);
});

test('citing an active intent is written down for this session', async () => {
  expect((await select('INT-001', [intent()])).events).toEqual([
    { stream: 'session:ses_1', event: { type: 'intent_selected', data: { session: 'ses_1', intent: 'INT-001' } } },
  ]);
});

test('one that is not active is refused; with none active the way on is to propose it again', async () => {
  for (const status of ['proposed', 'paused', 'done', 'abandoned'] as const) {
    const { refusal, events } = await select('INT-001', [intent({ status })]);
    expect(events).toBeUndefined();
    expect(refusal).toEqual({
      error_code: 'INTENT_NOT_ACTIVE',
      message: `INT-001 is ${status}, not active.`,
      recoverable: true,
      required_action: 'No intent is active; propose one, a human confirms it',
      remedy: { tool: 'propose_intent', args: { name: 'fix login', owned_scope: ['src/**'] } },
      also_missing: [],
    });
  }
});
