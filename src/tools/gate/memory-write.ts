// memory_write: the only way into memory. The gate checks the evidence itself; what an agent says about it does not count (R5).

import { z } from 'zod';
import { checkEvidence, citeLines, objectionTo } from '../../claims/index.ts';
import { merge, statusAmongOthers } from '../../memory/index.ts';
import { Citation, type Claim, CLAIM_LIMITS, ClaimId, ClaimKind, Evidence, newId, type Remedy, streams } from '../../protocol/index.ts';
import { compileGlob, headRevision } from '../../workspace/index.ts';
import { readCommand, strictestOf } from '../../shell/index.ts';
import { defineTool, eventIn, refuse } from '../tool.ts';

const GivenCitation = Citation.partial({ sha256: true });

export const memoryWrite = defineTool({
  name: 'memory_write',
  description:
    'Writes a memory. A fact needs evidence or citations, which the gate checks itself: it is VERIFIED if it says only what was checked (the words that it quotes were found, the command that it names passed), otherwise CITED. A decision or a constraint needs a rationale; a claim or a note needs nothing and proves nothing.',
  input: z.strictObject({
    kind: ClaimKind,
    statement: z.string().trim().min(1).max(CLAIM_LIMITS.statement),
    rationale: z.string().trim().min(1).max(CLAIM_LIMITS.rationale).optional(),
    evidence: z.array(Evidence).max(CLAIM_LIMITS.evidence).optional(),
    citations: z.array(GivenCitation).max(CLAIM_LIMITS.citations).optional().describe('Lines that say so; the gate takes their hash'),
    scope: z
      .array(z.string().min(1).max(1024))
      .max(CLAIM_LIMITS.scope)
      .optional()
      .describe('Globs that it is about; without it, everything'),
  }),
  output: z.looseObject({ memory: ClaimId, status: z.string(), because: z.string() }),
  declare: ({ evidence = [], citations = [] }, { cwd }) => {
    const commands = evidence.flatMap((each) => ('command' in each ? [each.command] : []));
    const paths = [...citations, ...evidence].flatMap((each) => ('path' in each ? [each.path] : []));
    return {
      effects: commands.length > 0 ? ['remember', 'execute'] : ['remember'],
      resources: [
        ...commands.map((command) => ({ kind: 'command', command, cwd }) as const),
        ...paths.map((path) => ({ kind: 'file', path, access: 'read' }) as const),
      ],
      ...(commands.length > 0 ? { command: strictestOf(commands.map((command) => readCommand(command))) } : {}),
    };
  },
  surfaces: ['hooked', 'contract'],
  run: async (input, { action, receiptId, session, lastChange, signal }, { memory, now, privateFolders, runCommand }) => {
    const { root } = action;
    for (const glob of input.scope ?? []) compileGlob(glob);
    const citations = await Promise.all((input.citations ?? []).map((each) => citeLines(root, each, privateFolders)));
    // A check only reads: whatever it writes beside derived files is reverted.
    const check = async (command: string) => {
      const { exitCode, output, stopped } = await runCommand({ command, root, scope: [], action: action.id, signal });
      return { exitCode, output, timedOut: stopped === 'time' };
    };
    const revision = () => headRevision(root);
    const checks = [];
    for (const evidence of input.evidence ?? []) {
      checks.push(await checkEvidence(evidence, { root, now, privateFolders, runCommand: check, revision }));
    }
    const rationale = input.rationale ?? null;
    const objection = objectionTo({ kind: input.kind, rationale, citations, checks });
    if (objection) return refuse(objection.code, objection.message, 'Write it again with what is missing, or as what it is', weaker(input));

    const claim: Claim = {
      id: newId('clm'),
      kind: input.kind,
      statement: input.statement,
      rationale,
      citations,
      checks,
      receipts: [receiptId],
      scope: input.scope ?? [],
      session: session.id,
      agent: action.actor.agent,
      written_at: now().toISOString(),
      approved: null,
    };
    const { workspace } = session;
    const known = memory.duplicateOf(workspace, claim.statement, claim.kind);
    const stream = streams.memory(workspace);
    const place = { workspace, root, lastChange, privateFolders, revision };
    const status = await statusAmongOthers(memory, place, known ? merge(known, claim) : claim);
    return {
      output: {
        memory: known?.id ?? claim.id,
        ...(known ? { merged: true } : {}),
        status: status.status,
        because: status.because,
        contradicts: status.contradicts,
      },
      events: [
        known
          ? eventIn(stream, { type: 'claim_merged', data: { workspace, into: known.id, addition: claim } })
          : eventIn(stream, { type: 'claim_kept', data: { workspace, claim } }),
      ],
    };
  },
});

/** What it can be stored as: an unproven fact is a claim, a decision without a reason is a note. */
function weaker({ kind, statement }: { kind: ClaimKind; statement: string }): Remedy {
  return { tool: 'memory_write', args: { kind: kind === 'fact' ? 'claim' : 'note', statement } };
}
