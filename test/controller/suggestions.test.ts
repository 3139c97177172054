// Properties over all states: a denied turn always names a call that works when it is sent back as it is; and work survives the daemon.

import fc from 'fast-check';
import { expect, onTestFinished } from 'vitest';
import { VERB_NAMES } from '../../src/tools/controller/verb-catalog.ts';
import { connectController, type Controller, PLAN, writeShop } from '../lab/controller.ts';
import { makeInstallation, type Place } from '../lab/installation.ts';
import { oneDaemon } from '../lab/one-daemon.ts';
import { verifies } from '../verifies.ts';

const newPlace = oneDaemon();

async function shop(place: Place): Promise<Controller> {
  await writeShop(place.repo.path);
  expect((await place.human(['intent', 'round the total', 'src'])).code).toBe(0);
  return connectController(place);
}

/** How to come into each state from a new connection. */
const STATES: Readonly<Record<string, (controller: Controller) => Promise<unknown>>> = {
  PLAN_REQUIRED: ({ turn }) => turn('list_available_verbs'),
  PLAN_ACCEPTED: accepted,
  EXECUTION_ENABLED: async (controller) => {
    await accepted(controller);
    const edits = [{ oldText: 'sum + price', newText: 'price + sum' }];
    await controller.turn('apply_code_patch', { planNodeId: 'round', targetFile: 'src/total.js', edits });
  },
  // The same refusal over several turns of the model.
  FAILED: async (controller) => {
    await accepted(controller);
    const edits = [{ oldText: '`Order ', newText: '`No. ' }];
    for (let tries = 0; tries < 10; tries++) {
      const { state } = await controller.turn('apply_code_patch', { planNodeId: 'round', targetFile: 'src/total.js', edits });
      if (state === 'FAILED') return;
    }
  },
  COMPLETED: ({ turn }) => turn('signal_task_complete'),
  BLOCKED_BUDGET: ({ send }) => send({ verb: 'list_available_verbs', traceMeta: { large: 'x'.repeat(240_500) } }),
};

async function accepted({ turn }: Controller): Promise<void> {
  await turn('read_file_lines', { targetFile: 'src/total.js' });
  await turn('submit_execution_plan', { planGraph: PLAN });
}

const VALUES = fc.oneof(
  fc.constantFrom('src/total.js', 'total', 'round', 'check', 'run_targeted_validation', 'git_commit', '..', ''),
  fc.string(),
  fc.integer(),
  fc.constant(null),
  fc.array(fc.string(), { maxLength: 2 }),
);
const NAMES = fc.constantFrom(
  'targetFile',
  'path',
  'targetDir',
  'symbol',
  'name',
  'query',
  'pattern',
  'planGraph',
  'plan',
  'planNodeId',
  'edits',
  'code',
  'recipeId',
  'sideEffectType',
  'blockingReasons',
  'relativePath',
  'content',
  'ticketKey',
  'specUrl',
  'artifactBundleRef',
  'diffSummaryRef',
);
// Work that ends is another state.
const CALLED = VERB_NAMES.filter((verb) => verb !== 'signal_task_complete');
const TURN = fc.record({
  verb: fc.oneof(fc.constantFrom(...CALLED), fc.constantFrom('readFileLines', 'write', '')),
  args: fc.oneof(fc.dictionary(NAMES, VALUES, { maxKeys: 4 }), fc.constantFrom<unknown>('prose', '{"symbol": "total"}', ['a'])),
});

for (const [state, enter] of Object.entries(STATES))
  verifies(
    'G5',
    `in ${state} every denied turn comes with a suggestion that is not denied for its form or its state`,
    async () => {
      const controller = await shop(await newPlace());
      onTestFinished(() => controller.close());
      await enter(controller);
      expect((await controller.turn('list_available_verbs')).state).toBe(state);
      await fc.assert(
        fc.asyncProperty(TURN, async (request) => {
          const answer = await controller.send(request);
          // A run of denials may end the work.
          if (answer.state === 'FAILED' && state !== 'FAILED')
            await controller.send({ verb: 'list_available_verbs', workId: `next-${answer.traceRef.slice(-12)}` });
          if (answer.denyReasons.length === 0) {
            expect(answer.suggestedAction).toBe(undefined);
            return;
          }
          const { verb, args = {} } = answer.suggestedAction!;
          expect(answer.capabilities).toContain(verb);
          const next = await controller.turn(verb, args);
          // A call that is well-formed and in its state may still find nothing, or need a human.
          expect([verb, args, next.denyReasons]).not.toEqual([verb, args, expect.arrayContaining(['PLAN_MISSING_REQUIRED_FIELDS'])]);
          if (next.state === answer.state && ['list_available_verbs', 'request_evidence_guidance'].includes(verb))
            expect(next.denyReasons).toEqual([]);
        }),
        { numRuns: 25 },
      );
    },
    180_000,
  );

verifies(
  'G3',
  'state, plan, budget and a human answer are folded from the ledger: a new daemon goes on where the last one was',
  async () => {
    const place = await makeInstallation();
    onTestFinished(() => place.dispose());
    const controller = await shop(place);
    onTestFinished(() => controller.close());
    await STATES['EXECUTION_ENABLED']!(controller);
    const before = await controller.turn('list_available_verbs');
    process.kill(await place.daemonPid(), 'SIGKILL');
    const again = async () => {
      for (;;) {
        const answer = await controller.turn('list_available_verbs').catch(() => null);
        if (answer?.workId !== undefined) return answer;
      }
    };
    const after = await again();
    expect([after.workId, after.state, after.result['plan']]).toEqual([before.workId, 'EXECUTION_ENABLED', before.result['plan']]);
    expect(after.budgetStatus.usedTokens).toBeGreaterThan(before.budgetStatus.usedTokens);
  },
  90_000,
);
