// A human's commands on the memory of a workspace: add, approve, retire, and move to another machine.

import { readFile, realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import { checkEvidence, citeLines, objectionTo, statusOf } from '../claims/index.ts';
import type { CommandHandlers, Kernel } from '../kernel/index.ts';
import { type ImportedDraft, Memory, parseImport } from '../memory/index.ts';
import { type Ask, type Claim, type Event, Fault, type LedgerRecord, type MemoryImportView, newId } from '../protocol/index.ts';
import { compileGlob } from '../workspace/index.ts';
import { forHuman, type Locate } from './for-human.ts';

export interface MemoryDeps {
  readonly kernel: Kernel;
  readonly memory: Memory;
  readonly ask: Ask;
  readonly locate: Locate;
  readonly now: () => Date;
}

const IMPORT_BYTES = 16 * 1024 * 1024;
const HUMAN = 'human';

export function memoryHandlers({ kernel, memory, ask, locate, now }: MemoryDeps) {
  const { authority } = kernel;
  const human = forHuman({ kernel, locate });

  return {
    add_memory: {
      act: human('memory add', async (caller, request, { id: workspace, root }) => {
        checkScope(request.scope);
        const from = await realpath(request.cwd);
        const citations = await Promise.all(
          request.citations.map((each) => citeLines(root, { ...each, path: path.relative(root, path.resolve(from, each.path)) })),
        );
        const claim = draftOf({ ...request, citations, checks: [] });
        const objection = objectionTo(claim);
        if (objection)
          throw new Fault('BAD_REQUEST', objection.message, {
            fix: request.kind === 'fact' ? 'Give the lines that say so: --cite PATH:START-END' : 'Give the reason: --rationale "…"',
          });
        return authority.tendMemory(caller, workspace, 'memory add', (by) => {
          const { event, id } = kept(workspace, claim, memory.duplicateOf(workspace, claim.statement, claim.kind));
          return { events: [event, { type: 'claim_approved', data: { workspace, claim: id, human: by } }], output: { id } };
        });
      }),
      // The memory that now holds this statement: it may have existed before.
      show: async ({ cwd, statement, kind }) => {
        const { id: workspace } = await locate(cwd);
        const found = memory.duplicateOf(workspace, statement, kind);
        return found ? (await ask('memory', { cwd, id: found.id }))[0] : undefined;
      },
    },
    approve_memory: {
      act: human('memory approve', async (caller, { id }, { id: workspace }) => {
        known(workspace, id);
        return authority.tendMemory(caller, workspace, `memory approve ${id}`, (by) => ({
          events: [{ type: 'claim_approved', data: { workspace, claim: id, human: by } }],
          output: { id },
        }));
      }),
      show: async ({ cwd, id }) => (await ask('memory', { cwd, id }))[0],
    },
    retire_memory: {
      act: human('memory retire', async (caller, { id, reason }, { id: workspace }) => {
        known(workspace, id);
        return authority.tendMemory(caller, workspace, `memory retire ${id}`, (by) => ({
          events: [{ type: 'claim_retired', data: { workspace, claim: id, reason, human: by } }],
          output: { id },
        }));
      }),
    },

    import_memory: {
      act: human('memory import', async (caller, { file }, { id: workspace, root }) => {
        const drafts = parseImport(await readImport(file), path.basename(file));
        // Duplicates within the file are merged as well.
        const incoming = new Memory();
        const events: Event[] = [];
        const weakened: MemoryImportView['weakened'] = [];
        for (const draft of drafts) {
          const { claim, because } = await checked(draft, root, path.basename(file));
          if (because !== null) weakened.push({ line: draft.line, kind: claim.kind, because });
          const same =
            memory.duplicateOf(workspace, claim.statement, claim.kind) ?? incoming.duplicateOf(workspace, claim.statement, claim.kind);
          const { event } = kept(workspace, claim, same);
          incoming.apply({ event } as LedgerRecord);
          events.push(event);
        }
        const merged = events.filter(({ type }) => type === 'claim_merged').length;
        const output: MemoryImportView = { kept: events.length - merged, merged, weakened };
        return authority.tendMemory(caller, workspace, 'memory import', () => ({ events, output }));
      }),
    },
    export_memory: {
      act: human('memory export', (caller, _request, { id: workspace }) =>
        authority.allowHuman(caller, 'memory export', () => ({
          memories: memory.size(workspace),
          text: [...memory.exportLines(workspace), ''].join('\n'),
        })),
      ),
    },
  } satisfies Partial<CommandHandlers>;

  function known(workspace: string, id: string): void {
    if (!memory.get(workspace, id))
      throw new Fault('NOT_FOUND', `There is no memory ${id} in this workspace.`, { fix: 'countersign memory recent lists them' });
  }

  function draftOf(draft: Pick<Claim, 'kind' | 'statement' | 'rationale' | 'citations' | 'checks' | 'scope'>): Claim {
    const { kind, statement, rationale, citations, checks, scope } = draft;
    return {
      id: newId('clm'),
      kind,
      statement,
      rationale,
      citations,
      checks,
      receipts: [],
      scope: [...scope],
      session: null,
      agent: HUMAN,
      written_at: now().toISOString(),
      approved: null,
    };
  }

  /** As if it had just been stated here. Commands are not run, so what rests on one is only a claim here. */
  async function checked(draft: ImportedDraft, root: string, file: string): Promise<{ claim: Claim; because: string | null }> {
    const where = `${file}:${draft.line}`;
    if (draft.citations.some(({ start_line, end_line }) => end_line < start_line))
      throw new Fault('DOCUMENT_INVALID', `${where}: a citation ends before it begins`, { fix: FIX_LINE });
    checkScope(draft.scope, where);
    const checks = [];
    for (const evidence of draft.evidence) checks.push(await checkEvidence(evidence, { root, now, runCommand: runNothing }));
    const claim = draftOf({ ...draft, citations: [...draft.citations], scope: [...draft.scope], checks });
    const objection = objectionTo(claim);
    if (claim.kind !== 'fact')
      return objection ? { claim: { ...claim, kind: 'note' }, because: objection.message } : { claim, because: null };
    const { status, because } = await statusOf(claim, { root, changedSince: () => false });
    return objection || (status !== 'VERIFIED' && status !== 'CITED')
      ? { claim: { ...claim, kind: 'claim' }, because: objection?.message ?? because }
      : { claim, because: null };
  }
}

function kept(workspace: string, claim: Claim, same: Claim | null): { event: Event; id: string } {
  return same
    ? { id: same.id, event: { type: 'claim_merged', data: { workspace, into: same.id, addition: claim } } }
    : { id: claim.id, event: { type: 'claim_kept', data: { workspace, claim } } };
}

const FIX_LINE = 'Fix that line and import the file again; nothing of it was taken';

function checkScope(scope: readonly string[], where?: string): void {
  for (const glob of scope) {
    try {
      compileGlob(glob);
    } catch (error) {
      if (where === undefined || !(error instanceof Fault)) throw error;
      throw new Fault('DOCUMENT_INVALID', `${where}: ${error.message}`, { fix: FIX_LINE, cause: error });
    }
  }
}

async function runNothing(): Promise<never> {
  throw new Fault('FORBIDDEN', 'an import runs nothing');
}

async function readImport(file: string): Promise<string> {
  const found = await stat(file).catch(() => null);
  if (!found?.isFile())
    throw new Fault('NOT_FOUND', `There is no file ${file}.`, { fix: 'Name a file that countersign memory export wrote' });
  if (found.size > IMPORT_BYTES)
    throw new Fault('TOO_LARGE', `${file} is larger than ${IMPORT_BYTES} bytes.`, { fix: 'Import it in parts' });
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(await readFile(file));
  } catch (error) {
    throw new Fault('DOCUMENT_INVALID', `${file} cannot be read as UTF-8.`, { fix: 'Save it as UTF-8', cause: error });
  }
}
