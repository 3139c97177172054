// A human's commands about modes, tasks and memory: what has to be read or checked first, then the authority. Whoever is not a human
// is refused before anything is read for them.

import { readFile, realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import { checkEvidence, citeLines, objectionTo, statusOf } from '../claims/index.ts';
import type { HumanWork, MemoryWish } from '../doors/services.ts';
import type { CallerJudgement, Kernel, Recorded } from '../kernel/index.ts';
import { type ImportedDraft, Memory, parseImport } from '../memory/index.ts';
import { type Ask, type Claim, type Event, Fault, leavesOf, type LedgerRecord, type ModeDial, newId } from '../protocol/index.ts';
import type { GapWork } from './gap-work.ts';
import { importWork } from './imports/import-work.ts';
import { compileGlob, headRevision, locateWorkspace, readTasks, TASKS_FILE, taskListFor } from '../workspace/index.ts';

export interface HumanWorkContext {
  readonly kernel: Kernel;
  readonly memory: Memory;
  readonly ask: Ask;
  readonly locate: (dir: string) => Promise<{ readonly id: string; readonly root: string }>;
  readonly now: () => Date;
  readonly undo: HumanWork['undo'];
  readonly gaps: GapWork;
}

const IMPORT_BYTES = 16 * 1024 * 1024;
const HUMAN = 'human';
const NONE: ModeDial = { pin: null, minimum: null };

export function humanWork({ kernel, memory, ask, locate, now, undo, gaps }: HumanWorkContext): HumanWork {
  const { authority, state } = kernel;
  const limitOf = (workspace: string, intent: string | null): ModeDial => state.modeLimits.of(workspace, intent) ?? NONE;
  const forHuman =
    <W extends { readonly cwd: string }>(
      command: string,
      work: (caller: CallerJudgement, wish: W, place: { id: string; root: string }) => Promise<Recorded>,
    ) =>
    async (caller: CallerJudgement, wish: W): Promise<Recorded> =>
      caller.kind === 'human' ? work(caller, wish, await locate(wish.cwd)) : authority.refuse(caller, command);

  return {
    undo,
    ...gaps,
    importDrafts: importWork({ kernel, memory, locate, now }),
    limitMode: forHuman('mode', (caller, { intent, pin, minimum }, { id: workspace }) => {
      const before = limitOf(workspace, intent);
      const limit = { pin: pin === undefined ? before.pin : pin, minimum: minimum === undefined ? before.minimum : minimum };
      return authority.limitMode(caller, { workspace, intent, ...limit });
    }),

    setObserving: forHuman('init --observe', async (caller, { cwd, observing }, { id: workspace }) =>
      authority.setObserving(caller, { workspace, observing, revision: await headRevision((await locateWorkspace(cwd)).root) }),
    ),

    confirmTasks: forHuman('tasks confirm', async (caller, { intent }, { id: workspace, root }) => {
      const lists = (await readTasks(root))?.lists ?? [];
      const known = intent === null ? null : state.intent(workspace, intent);
      if (intent !== null && !known)
        throw new Fault('NOT_FOUND', `There is no intent ${intent} in this workspace.`, { fix: 'countersign intents lists them' });
      const list = known && taskListFor(lists, known.intent);
      const tasks = (known ? (list ? [list] : []) : lists)
        .flatMap((each) => leavesOf(each.tasks))
        .flatMap(({ id, checked }) => (checked ? [] : [id]));
      if (tasks.length === 0)
        throw new Fault('NOT_FOUND', `${TASKS_FILE} holds no open task to confirm.`, { fix: 'countersign tasks shows what it holds' });
      return authority.confirmTasks(caller, { workspace, root, tasks });
    }),

    addMemory: forHuman('memory add', async (caller, wish: MemoryWish, { id: workspace, root }) => {
      checkScope(wish.scope);
      const from = await realpath(wish.cwd);
      const citations = await Promise.all(
        wish.citations.map((each) => citeLines(root, { ...each, path: path.relative(root, path.resolve(from, each.path)) })),
      );
      const claim = draftOf({ ...wish, citations, checks: [] });
      const objection = objectionTo(claim);
      if (objection)
        throw new Fault('BAD_REQUEST', objection.message, {
          fix: wish.kind === 'fact' ? 'Give the lines that say so: --cite PATH:START-END' : 'Give the reason: --rationale "…"',
        });
      return authority.tendMemory(caller, workspace, 'memory add', (human) => {
        const { event, id } = kept(workspace, claim, memory.duplicateOf(workspace, claim.statement, claim.kind));
        return { events: [event, { type: 'claim_approved', data: { workspace, claim: id, human } }], output: { id } };
      });
    }),
    findMemory: async ({ cwd, statement, kind }) => {
      const { id: workspace } = await locate(cwd);
      const found = memory.duplicateOf(workspace, statement, kind);
      return found ? (await ask('memory', { cwd, id: found.id }))[0] : undefined;
    },
    approveMemory: forHuman('memory approve', async (caller, { id }, { id: workspace }) => {
      known(workspace, id);
      return authority.tendMemory(caller, workspace, `memory approve ${id}`, (human) => ({
        events: [{ type: 'claim_approved', data: { workspace, claim: id, human } }],
        output: { id },
      }));
    }),
    retireMemory: forHuman('memory retire', async (caller, { id, reason }, { id: workspace }) => {
      known(workspace, id);
      return authority.tendMemory(caller, workspace, `memory retire ${id}`, (human) => ({
        events: [{ type: 'claim_retired', data: { workspace, claim: id, reason, human } }],
        output: { id },
      }));
    }),

    importMemory: forHuman('memory import', async (caller, { file }, { id: workspace, root }) => {
      const drafts = parseImport(await readImport(file), path.basename(file));
      // What the file itself says twice is merged as well.
      const incoming = new Memory();
      const events: Event[] = [];
      const weakened: { line: number; kind: string; because: string }[] = [];
      for (const draft of drafts) {
        const { claim, because } = await looked(draft, root, path.basename(file));
        if (because !== null) weakened.push({ line: draft.line, kind: claim.kind, because });
        const same =
          memory.duplicateOf(workspace, claim.statement, claim.kind) ?? incoming.duplicateOf(workspace, claim.statement, claim.kind);
        const { event } = kept(workspace, claim, same);
        incoming.apply({ event } as LedgerRecord);
        events.push(event);
      }
      const merged = events.filter(({ type }) => type === 'claim_merged').length;
      const output = { kept: events.length - merged, merged, weakened };
      return authority.tendMemory(caller, workspace, 'memory import', () => ({ events, output }));
    }),
    exportMemory: forHuman('memory export', (caller, _wish, { id: workspace }) =>
      authority.allowHuman(caller, 'memory export', () => ({
        memories: memory.size(workspace),
        text: [...memory.exportLines(workspace), ''].join('\n'),
      })),
    ),
  };

  function known(workspace: string, id: string): void {
    if (!memory.get(workspace, id))
      throw new Fault('NOT_FOUND', `There is no memory ${id} in this workspace.`, { fix: 'countersign memory recent lists them' });
  }

  function draftOf(wish: Pick<Claim, 'kind' | 'statement' | 'rationale' | 'citations' | 'checks' | 'scope'>): Claim {
    const { kind, statement, rationale, citations, checks, scope } = wish;
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

  /** As if it had just been said here; commands are not run, so what rests on one is only a claim here. */
  async function looked(draft: ImportedDraft, root: string, file: string): Promise<{ claim: Claim; because: string | null }> {
    const where = `${file}:${draft.line}`;
    if (draft.citations.some(({ start_line, end_line }) => end_line < start_line))
      throw new Fault('DOCUMENT_INVALID', `${where}: a citation ends before it begins`, { fix: MEND });
    checkScope(draft.scope, where);
    const checks = [];
    for (const evidence of draft.evidence) checks.push(await checkEvidence(evidence, { root, now, runCommand: runNothing }));
    const claim = draftOf({ ...draft, citations: [...draft.citations], scope: [...draft.scope], checks });
    const objection = objectionTo(claim);
    if (claim.kind !== 'fact')
      return objection ? { claim: { ...claim, kind: 'note' }, because: objection.message } : { claim, because: null };
    const { status, because } = await statusOf(claim, { root, changedSince: () => false });
    return objection || status !== 'VERIFIED'
      ? { claim: { ...claim, kind: 'claim' }, because: objection?.message ?? because }
      : { claim, because: null };
  }
}

function kept(workspace: string, claim: Claim, same: Claim | null): { event: Event; id: string } {
  return same
    ? { id: same.id, event: { type: 'claim_merged', data: { workspace, into: same.id, addition: claim } } }
    : { id: claim.id, event: { type: 'claim_kept', data: { workspace, claim } } };
}

const MEND = 'Mend that line and import the file again; nothing of it was taken';

function checkScope(scope: readonly string[], where?: string): void {
  for (const glob of scope) {
    try {
      compileGlob(glob);
    } catch (error) {
      if (where === undefined || !(error instanceof Fault)) throw error;
      throw new Fault('DOCUMENT_INVALID', `${where}: ${error.message}`, { fix: MEND, cause: error });
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
