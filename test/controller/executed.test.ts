// What the validator accepts can be executed: plans that are made up at random are carried out, node by node, through the real controller.

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect } from 'vitest';
import { connectController, writeShop } from '../lab/controller.ts';
import { oneDaemon } from '../lab/one-daemon.ts';
import { verifies } from '../verifies.ts';

const newPlace = oneDaemon();

/** Files with something to replace in each. */
const EXISTING = { 'src/total.js': ['Adds up', 'Sums'], 'src/print.js': [' EUR', ' Euro'] } as const;
const CREATED = ['src/cents.js', 'src/money/round.js'] as const;
type Target = keyof typeof EXISTING | (typeof CREATED)[number];

const plans = fc
  .record({
    targets: fc.shuffledSubarray<Target>(['src/total.js', 'src/print.js', ...CREATED], { minLength: 1, maxLength: 3 }),
    links: fc.array(fc.boolean(), { minLength: 3, maxLength: 3 }),
    checked: fc.boolean(),
    turned: fc.boolean(),
  })
  .map(({ targets, links, checked, turned }) => {
    const changes = targets.map((targetFile, at) => ({
      nodeId: `c${at}`,
      kind: 'change',
      targetFile,
      whyThisFile: `${targetFile} is part of how a total is shown`,
      editIntent: `Say the amount in cents in ${targetFile}`,
      codeEvidence: [targetFile in EXISTING ? `${targetFile}:1-3` : 'src/total.js:2-4'],
      verificationHooks: ['test'],
      dependsOn: at > 0 && links[at] ? [`c${at - 1}`] : [],
    }));
    const check = {
      nodeId: 'check',
      kind: 'validate',
      dependsOn: changes.map(({ nodeId }) => nodeId),
      verificationHooks: ['test'],
      successCriteria: 'The tests of total() pass',
    };
    const nodes = [...changes, ...(checked ? [check] : [])];
    return { nodes: turned ? nodes.toReversed() : nodes };
  });

type Shown = { nodeId: string; kind: string; status: string; targetFile?: string };
type Refs = { nodeId: string; artifactBundleRef: string; diffSummaryRef: string };

verifies(
  'G7',
  'what is accepted can be executed: every node of a plan is done in the order in which the server calls them ready',
  async () => {
    await fc.assert(
      fc.asyncProperty(plans, async (planGraph) => {
        const place = await newPlace();
        await writeShop(place.repo.path);
        expect((await place.human(['intent', 'show cents', 'src'])).code).toBe(0);
        const { turn, close } = await connectController(place);
        try {
          const planned = await turn('submit_execution_plan', { planGraph });
          expect([planned.denyReasons, planned.state]).toEqual([[], 'PLAN_ACCEPTED']);
          const refs = planned.result['nodes'] as Refs[];
          for (const _node of planGraph.nodes) {
            const { nodes } = (await turn('list_available_verbs')).result['plan'] as { nodes: Shown[] };
            const { nodeId, kind } = nodes.find(({ status }) => status === 'ready')!;
            const { artifactBundleRef, diffSummaryRef } = refs.find((each) => each.nodeId === nodeId)!;
            const targetFile = planGraph.nodes.flatMap((node) =>
              'targetFile' in node && node.nodeId === nodeId ? node.targetFile : [],
            )[0]!;
            const answer =
              kind === 'validate'
                ? await turn('run_automation_recipe', {
                    ...{ recipeId: 'run_targeted_validation', planNodeId: nodeId, artifactBundleRef, diffSummaryRef },
                  })
                : await turn('apply_code_patch', { planNodeId: nodeId, targetFile, edits: [editOf(targetFile)] });
            expect([nodeId, answer.denyReasons, answer.state]).toEqual([nodeId, [], 'EXECUTION_ENABLED']);
            if (kind === 'change') expect(await readFile(join(place.repo.path, targetFile), 'utf8')).toContain(editOf(targetFile).newText);
          }
          const ended = await turn('signal_task_complete', { summary: 'done' });
          expect(ended).toMatchObject({ state: 'COMPLETED', result: { nodes: { open: [] } } });
        } finally {
          await close();
        }
      }),
      { numRuns: 5 },
    );
  },
  300_000,
);

function editOf(file: Target): { oldText: string; newText: string } {
  const [oldText, newText] = file in EXISTING ? EXISTING[file as keyof typeof EXISTING] : ['', 'export const cents = 100;\n'];
  return { oldText, newText };
}
