// A model that makes typical mistakes, and goes on by nothing but what each answer suggests and says. It finishes the task all the same.

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { connectController, PLAN, type TurnAnswer, writeShop } from '../lab/controller.ts';
import { oneDaemon } from '../lab/one-daemon.ts';
import { verifies } from '../verifies.ts';

const newPlace = oneDaemon();
const EDIT = { oldText: 'sum + price * count', newText: 'sum + Math.round(price * count * 100) / 100' };

verifies(
  'G5',
  'wrong names, missing arguments, prose for JSON, a write before the plan and a plan without evidence lead to the finished task',
  async () => {
    const place = await newPlace();
    await writeShop(place.repo.path);
    expect((await place.human(['intent', 'round the total', 'src'])).code).toBe(0);
    const controller = await connectController(place);
    onTestFinished(() => controller.close());
    const { send, turn } = controller;
    const denials: string[] = [];
    /** Sends the mistake, then the suggestion exactly as it came. */
    const corrected = async (mistake: Record<string, unknown>): Promise<TurnAnswer> => {
      const denied = await send(mistake);
      expect([mistake, denied.denyReasons.length > 0]).toEqual([mistake, true]);
      denials.push(denied.denyReasons[0]!);
      const { verb, args } = denied.suggestedAction!;
      const next = await turn(verb, args);
      expect([verb, next.denyReasons]).toEqual([verb, []]);
      return next;
    };

    await corrected({ action: 'read the file please' });
    await corrected({ verb: 'read_file', args: { path: 'src/total.js' } });
    await corrected({ verb: 'lookup_symbol_definition', args: { name: 'total' } });
    await corrected({ verb: 'search_codebase_text', args: '{"pattern": "total"}' });
    await corrected({ verb: 'search_codebase_text', args: 'please look for total' });
    // A write before the plan: what it is sent to returns a plan to start from.
    const guided = await corrected({ verb: 'apply_code_patch', args: { planNodeId: 'n1', targetFile: 'src/total.js', edits: [EDIT] } });
    expect(guided.result['planTemplate']).toMatchObject({ nodes: [{ targetFile: expect.any(String) }] });
    await corrected({ verb: 'submit_execution_plan', args: { plan: 'First I will round the sum, then I will test it.' } });

    // Without evidence: it is sent to read the file, and the same plan then passes. A misnamed field is corrected by the server.
    const misnamed = {
      nodes: PLAN.nodes.map(({ targetSymbols: _symbols, whyThisFile, ...node }: Record<string, unknown>) => ({
        ...node,
        ...(whyThisFile === undefined ? {} : { reason: whyThisFile }),
      })),
    };
    let planned = await turn('submit_execution_plan', { planGraph: misnamed });
    for (let tries = 0; planned.denyReasons.length > 0 && tries < 6; tries++) {
      denials.push(planned.denyReasons[0]!);
      const { verb, args } = planned.suggestedAction!;
      const next = await turn(verb, args);
      planned = verb === 'submit_execution_plan' ? next : await turn('submit_execution_plan', { planGraph: PLAN });
    }
    expect(planned).toMatchObject({ state: 'PLAN_ACCEPTED', denyReasons: [] });

    const nodes = (await turn('list_available_verbs')).result['plan'] as { nodes: { nodeId: string; kind: string; targetFile?: string }[] };
    const change = nodes.nodes.find(({ kind }) => kind === 'change')!;
    const check = nodes.nodes.find(({ kind }) => kind === 'validate')!;
    expect(
      (await turn('apply_code_patch', { planNodeId: change.nodeId, targetFile: change.targetFile, edits: [EDIT] })).denyReasons,
    ).toEqual([]);
    // It makes up the refs, and gets the right ones.
    const validated = await corrected({
      verb: 'run_automation_recipe',
      args: { recipeId: 'run_targeted_validation', planNodeId: check.nodeId, artifactBundleRef: 'x', diffSummaryRef: 'y' },
    });
    expect(validated.result['validationOutcome']).toBe('passed');
    expect(await turn('signal_task_complete', { summary: 'done' })).toMatchObject({ state: 'COMPLETED', result: { nodes: { open: [] } } });
    expect(await readFile(join(place.repo.path, 'src/total.js'), 'utf8')).toContain('Math.round');
    expect(new Set(denials)).toEqual(new Set(['PLAN_MISSING_REQUIRED_FIELDS', 'PLAN_SCOPE_VIOLATION', 'PLAN_EVIDENCE_INSUFFICIENT']));
  },
  120_000,
);
