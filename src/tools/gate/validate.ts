// validate: the workspace's own checks, now. At the end of a turn the gate calls it by itself.
//
// It is declared as a write, because a formatter may change the files of the session's own changes, so it needs what a change needs:
// a mode, an intent, a recall. It is not declared as a command, so it needs no approval: a human chose the commands, by settings or the
// workspace's own files, and not the agent; and they run on a copy, so they cannot change the tree.

import { z } from 'zod';
import { type Action, CheckName, CHECKS, QualityReport, type StreamEventDraft, streams } from '../../protocol/index.ts';
import { defineTool, eventIn } from '../tool.ts';

/** A receipt must not call checks done that failed, whoever caused it. */
const FAILED: ReadonlySet<string> = new Set(['failed', 'timed_out']);

export const validate = defineTool({
  name: 'validate',
  description:
    'Runs the checks of this workspace (format, lint, typecheck, test) on what you changed. Findings come with file and line, and say whether your changes caused them. Files that you changed may be formatted.',
  input: z.strictObject({
    checks: z.array(CheckName).min(1).max(CHECKS.length).optional().describe('Without it, all that this workspace has'),
  }),
  output: z.looseObject(QualityReport.shape),
  declare: () => ({ effects: ['write'], resources: [{ kind: 'other', name: 'the checks of this workspace' }] }),
  surfaces: ['hooked', 'contract'],
  run: async ({ checks }, { action, work }, { quality }) => {
    const report = await quality.validate({ action, checks: checks ?? null });
    const failed = report.checks.some(({ outcome }) => FAILED.has(outcome));
    return { output: report, events: work() ? [checksRan(action, report)] : [], ...(failed ? { failed: true as const } : {}) };
  },
});

/** For the nodes of a plan that wait for these checks: by name, and by the command that was run. */
function checksRan({ workspace, root, session }: Action, { checks }: QualityReport): StreamEventDraft {
  const named = (isPassed: boolean) =>
    checks
      .filter(({ outcome }) => outcome !== 'skipped' && (outcome === 'passed') === isPassed)
      .flatMap(({ check, command }) => [check, command]);
  return eventIn(streams.work(workspace), {
    type: 'checks_ran',
    data: { workspace, root, session, passed: named(true), failed: named(false) },
  });
}
