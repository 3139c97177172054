// What holds for every plan, however it was made up: what is accepted can be executed, what is refused says how to put it right.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { verifies } from '../../../test/verifies.ts';
import { PLAN_CODES, PlanGraph, type PlanError } from '../../protocol/index.ts';
import { openPlanTree, smallPlan } from '../plan.fixture.ts';
import { executionOrder, readyNodes } from './order.ts';
import { applyPatch } from './plan-error.ts';
import { readPlan } from './read-plan.ts';

const RUNS = 150;

const id = fc.constantFrom('a', 'b', 'c', 'd', '../x', 'n1');
const ids = fc.array(id, { maxLength: 3 });
const sometimes = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined, freq: 2 });
const often = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined, freq: 9 });
const source = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.constantFrom<unknown>('src/orders/total.ts#total', 'src/orders/round.ts:1', 'docs/orders.md:3', 'prompt', 'intent'),
  },
  {
    weight: 2,
    arbitrary: fc.constantFrom<unknown>(
      'src/orders/total.ts',
      'src/gone.ts:1-2',
      'because I say so',
      'policy:none',
      { path: 'src/orders/total.ts', start_line: 1, end_line: 1, sha256: '0'.repeat(64) },
      7,
    ),
  },
);
const hook = fc.constantFrom(
  'test',
  'typecheck',
  'lint',
  'npm test',
  'true',
  'npm test || true',
  'node src/users/user.ts',
  'node test/far.test.ts',
  'Make sure it works',
);

const change = fc.record(
  {
    nodeId: sometimes(id),
    kind: sometimes(fc.constantFrom('change', 'Change')),
    targetFile: often(
      fc.constantFrom<unknown>(
        'src/orders/total.ts',
        'src/orders/round.ts',
        'src/new.ts',
        './docs/orders.md',
        '../out.ts',
        'openapi.yaml',
        'src/*.ts',
        ['src/orders/total.ts', 'src/orders/round.ts'],
        'orders/total.ts',
      ),
    ),
    operation: sometimes(fc.constantFrom('create', 'modify', 'delete', 'rename', 'patch')),
    renameTo: sometimes(fc.constantFrom('src/other.ts', 'src/users/user.ts', '/etc/x')),
    targetSymbols: sometimes(fc.array(fc.constantFrom('total', 'Order.sum', '*', 'tota', 'ghost'), { maxLength: 2 })),
    whyThisFile: often(fc.constantFrom('total() adds up the lines', 'because')),
    editIntent: sometimes(fc.constantFrom('Round the sum in total()', 'fix it', 'Add ghost to the file', 'TODO', 'Either this or that')),
    citations: sometimes(fc.array(source, { maxLength: 2 })),
    codeEvidence: often(fc.array(source, { maxLength: 3 })),
    verificationHooks: often(fc.oneof(fc.array(hook, { maxLength: 2 }), hook)),
    dependsOn: sometimes(ids),
    atomicityBoundary: sometimes(id),
    file: sometimes(fc.constant('src/orders/total.ts')),
    title: sometimes(fc.constant('A step')),
  },
  { requiredKeys: [] },
);
const other = fc.oneof(
  fc.record(
    {
      kind: fc.constant('validate'),
      nodeId: sometimes(id),
      verificationHooks: often(fc.array(hook, { maxLength: 2 })),
      mapsToNodeIds: sometimes(ids),
      dependsOn: sometimes(ids),
    },
    { requiredKeys: [] },
  ),
  fc.record(
    {
      kind: fc.constant('escalate'),
      nodeId: sometimes(id),
      requestedEvidence: often(fc.constant(['Which API?'])),
      blockingReasons: often(fc.constant('Unknown')),
    },
    { requiredKeys: [] },
  ),
  fc.record(
    {
      kind: fc.constant('side_effect'),
      sideEffectType: often(fc.constantFrom('git_commit', 'command', 'email')),
      sideEffectPayloadRef: often(fc.constant('m.txt')),
      commitGateId: often(fc.constantFrom('g1', 'a b')),
      atomicityBoundary: sometimes(id),
      dependsOn: sometimes(ids),
    },
    { requiredKeys: [] },
  ),
);
const document = fc.record(
  {
    workId: sometimes(fc.constantFrom('work-1', 'other')),
    schemaVersion: sometimes(fc.constantFrom('1.0.0', 1)),
    evidencePolicy: sometimes(fc.constantFrom<unknown>({ minCodeEvidenceSources: 0 }, { minRequirementSources: 1 }, 'strict')),
    steps: sometimes(fc.constant([])),
    nodes: fc.array(
      fc.oneof({ weight: 5, arbitrary: change }, { weight: 2, arbitrary: other }, { weight: 1, arbitrary: fc.constant('then test') }),
      { minLength: 1, maxLength: 4 },
    ),
  },
  { requiredKeys: ['nodes'] },
);

/** What is left of a document after JSON: the form in which every plan arrives. */
const sent = (value: unknown): unknown => JSON.parse(JSON.stringify(value)) as unknown;

verifies(
  'G7',
  'what is accepted is a whole plan whose nodes can be done one after the other',
  async () => {
    const tree = await openPlanTree();
    let accepted = 0;
    await fc.assert(
      fc.asyncProperty(document, async (given) => {
        // The server's own corrections lead to plans that are accepted, which made-up ones seldom are.
        const review = await tree.review(await corrected(tree.review, sent(given)));
        if (!review.accepted) return;
        accepted++;
        const plan = PlanGraph.parse(review.plan);
        const done = new Set<string>();
        while (done.size < plan.nodes.length) {
          const ready = readyNodes(plan, done);
          expect(ready.length).toBeGreaterThan(0);
          done.add(ready[0]!.nodeId);
        }
        const order = executionOrder(plan.nodes)!;
        for (const { nodeId, dependsOn } of plan.nodes)
          for (const before of dependsOn) expect(order.indexOf(before)).toBeLessThan(order.indexOf(nodeId));
        for (const node of plan.nodes) if (node.kind === 'change') expect(node.targetFile).toMatch(/^(?:src|test|docs)\//);
      }),
      { numRuns: RUNS },
    );
    expect(accepted).toBeGreaterThan(RUNS / 20);
  },
  120_000,
);

/** A place moves when a node before it is removed, so errors are counted by what they say. */
const countOf = (errors: readonly PlanError[], { code, message }: PlanError): number =>
  errors.filter((each) => each.code === code && each.message === message).length;

verifies(
  'G7',
  'what is refused says how to put it right, and doing that removes the error',
  async () => {
    const tree = await openPlanTree();
    const seen = new Set<string>();
    await fc.assert(
      fc.asyncProperty(document, async (given) => {
        const plan = sent(given);
        const { errors, accepted } = await tree.review(plan);
        expect(errors.length === 0).toBe(accepted);
        for (const error of errors) {
          expect(PLAN_CODES).toContain(error.code);
          expect(error.fix.length).toBeGreaterThan(5);
          const next = error.patch ? applyPatch(plan, error.patch) : putRight(plan, error);
          const again = await tree.review(next);
          expect(countOf(again.errors, error)).toBeLessThan(countOf(errors, error));
          seen.add(error.code);
        }
      }),
      { numRuns: RUNS },
    );
    expect(seen.size).toBeGreaterThan(6);
  },
  240_000,
);

verifies(
  'G7',
  'a node without an id gets one that no other node has; what a shared id makes unclear is judged once it is clear',
  async () => {
    const tree = await openPlanTree();
    const [unnamed] = smallPlan()['nodes'] as [Record<string, unknown>];
    expect(readPlan({ nodes: [unnamed, { ...unnamed, nodeId: 'n1' }] }).ids).toEqual(['n2', 'n1']);
    const twice = {
      nodes: [
        { ...unnamed, nodeId: 'n1' },
        { ...unnamed, nodeId: 'n1', dependsOn: ['n1'] },
      ],
    };
    const messages = (await tree.review(twice)).errors.map(({ message }) => message);
    expect(messages).toContain('Two nodes have the id "n1".');
    expect(messages.filter((message) => message.includes('wait for one another'))).toEqual([]);
  },
);

/** What a person or a model does with an error that the server cannot correct by itself: it follows the words of `fix`. */
function putRight(plan: unknown, { code, path, field, message }: PlanError): unknown {
  const set = (value: unknown, at = path): unknown => applyPatch(plan, [{ op: 'add', path: `/${at.join('/')}`, value: value as string }]);
  const own = (name: string): (string | number)[] => [...path.slice(0, 2), name];
  if (code === 'PLAN_WEAK_MODEL_AMBIGUOUS') return set('Return 0 from total() for an empty order');
  if (code === 'PLAN_EVIDENCE_INSUFFICIENT')
    return set(
      field.startsWith('codeEvidence')
        ? ['src/orders/total.ts:3-5', 'src/orders/round.ts:1', 'src/users/user.ts:1-3']
        : ['prompt', 'intent'],
      own(field),
    );
  if (code === 'PLAN_MISSING_CONTRACT_ANCHOR') return set(['prompt', 'operation:GET /orders/{id}'], own('citations'));
  if (code === 'PLAN_NOT_ATOMIC' || code === 'PLAN_SCOPE_VIOLATION')
    return set(field === 'renameTo' ? 'src/free.ts' : 'src/orders/total.ts');
  if (code === 'PLAN_MISSING_REQUIRED_FIELDS') {
    if (field === 'nodes') return smallPlan();
    const values: Readonly<Record<string, unknown>> = {
      kind: 'change',
      targetFile: 'src/orders/total.ts',
      renameTo: 'src/free.ts',
      whyThisFile: 'total() adds up the lines of an order',
      verificationHooks: ['test'],
      requestedEvidence: ['Which API?'],
      blockingReasons: ['It is not described'],
      sideEffectType: 'git_commit',
      sideEffectPayloadRef: 'message.txt',
      commitGateId: 'gate-1',
    };
    if (field in values) return set(values[field]);
  }
  throw new Error(`no way on for ${code} at ${path.join('.')}: ${message}`);
}

async function corrected(review: (plan: unknown) => Promise<{ readonly errors: readonly PlanError[] }>, given: unknown): Promise<unknown> {
  let plan = given;
  for (let round = 0; round < 12; round++) {
    const [error] = (await review(plan)).errors;
    if (!error) return plan;
    plan = error.patch ? applyPatch(plan, error.patch) : putRight(plan, error);
  }
  return plan;
}

test('any value can be read as a plan, and the answer never throws', async () => {
  const tree = await openPlanTree();
  fc.assert(
    fc.property(fc.anything(), (value) => {
      const { errors, nodes } = readPlan(value);
      expect(errors.length + nodes.length).toBeGreaterThan(0);
    }),
  );
  await fc.assert(
    fc.asyncProperty(
      fc.record({
        nodes: fc.array(
          fc.dictionary(
            fc.constantFrom('targetFile', 'kind', 'citations', 'nodeId', 'dependsOn', 'editIntent', 'verificationHooks'),
            fc.jsonValue(),
          ),
        ),
      }),
      async (value) => {
        expect((await tree.review(value)).accepted).toBe(false);
      },
    ),
    { numRuns: RUNS },
  );
}, 60_000);
