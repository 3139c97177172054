// Blame: from a line to the intent, the receipt, the agent, its model and its conversation; where that is unknown, blame says so.

import { stat } from 'node:fs/promises';
import path from 'node:path';
import { type BlameView, type EventOf, Fault, streams } from '../protocol/index.ts';
import type { EventStore } from '../stores/index.ts';
import {
  type BlameOrigin,
  blameRows,
  governanceRule,
  type HistoryChange,
  type HistoryContent,
  LineHistory,
  linesOfText,
  formerNames,
  NO_AUTHOR,
  readInRoot,
  resolveInRoot,
  type TreeFile,
  unreceipted,
  unreceiptedBetween,
} from '../workspace/index.ts';
import type { FileChanges, RecordedChange } from './file-changes.ts';

export interface BlameContext {
  readonly store: EventStore;
  readonly changes: FileChanges;
  readonly locate: (dir: string) => Promise<{ readonly root: string }>;
  /** The daemon's own folders, which may be inside a work tree. */
  readonly privateFolders: readonly string[];
  readonly intentName: (id: string) => string | null;
}

/** At most this many files that are gone are tried as the old name of a file without a record. */
const MAX_GONE_FILES = 50;

export async function blame(context: BlameContext, request: { cwd: string; path: string; line?: number | undefined }): Promise<BlameView> {
  const { root } = await context.locate(request.cwd);
  const { name, file } = await fileAt(root, request.cwd, request.path, context.privateFolders);
  const lines = linesOfText(new TextDecoder().decode(file.bytes));
  if (request.line !== undefined && request.line > lines.length)
    throw new Fault('NOT_FOUND', `${name} has ${lines.length} ${lines.length === 1 ? 'line' : 'lines'}, and no line ${request.line}.`);

  const recorded = await context.changes.in(root);
  const now = await changesSince(root, name, file, recorded);
  const names = formerNames([...recorded.map(({ files }) => files), now], name);
  const history = new LineHistory<BlameOrigin>({
    first: unreceipted('It was there before the first record of this file.'),
    between: unreceiptedBetween,
  });
  const contents = new Contents(context.store, { sha256: file.sha256, lines });
  const conversations = new Map<string, Promise<string | null>>();
  let isKnown = false;
  for (const change of recorded) {
    const files = change.files.filter((each) => names.has(each.path));
    if (files.length === 0) continue;
    const origin = await originOf(context, change, conversations);
    const acknowledged = change.by.kind === 'seen' ? acknowledgement(context, root, files) : null;
    const noted = acknowledged ? { ...origin, note: `${origin.note} ${acknowledged}` } : origin;
    history.apply(await stepOf(files, noted, { restores: change.by.kind !== 'receipt' }, contents));
    isKnown ||= files.some((each) => each.path === name);
  }
  const since = unreceipted(isKnown ? 'Changed since the last record of this file.' : 'No record tells who wrote it.');
  const filesNow = now.filter((each) => names.has(each.path));
  history.apply(await stepOf(filesNow, since, { restores: true }, contents));
  const rows = blameRows(history.originsOf(name) ?? []);
  const wanted = request.line === undefined ? rows : rows.filter((row) => row.start_line <= request.line! && row.end_line >= request.line!);
  return { root, path: name, sha256: file.sha256, lines: lines.length, rows: wanted };
}

async function fileAt(
  root: string,
  cwd: string,
  given: string,
  privateFolders: readonly string[],
): Promise<{ name: string; file: TreeFile }> {
  const fix = 'Name a file of this work tree';
  const place = await resolveInRoot(root, given, cwd);
  if (place.real === null) throw new Fault('BAD_REQUEST', `${given} has no history here: ${place.unresolved}.`, { fix });
  const isPrivate = privateFolders.some((folder) => place.absolute?.startsWith(folder + path.sep));
  const rule = isPrivate ? "it belongs to the gate's keys and records" : governanceRule(place.real, 'write');
  if (rule !== null)
    throw new Fault('FORBIDDEN', `${place.real} is not an agent's to change, so there is no history of it here: ${rule}.`, {
      fix: 'countersign log shows what was tried',
    });
  if ((await stat(path.join(root, place.real)).catch(() => null))?.isDirectory())
    throw new Fault('BAD_REQUEST', `${given} is a folder.`, { fix });
  const file = await readInRoot(root, place.real);
  if (!file) throw new Fault('NOT_FOUND', `There is no file ${place.real} in ${root}.`, { fix });
  if (file.bytes.includes(0)) throw new Fault('BAD_REQUEST', `${place.real} is binary, so it has no lines.`, { fix });
  return { name: place.real, file };
}

type FoundFile = Pick<RecordedChange['files'][number], 'path' | 'before_sha256' | 'after_sha256' | 'ranges'>;

/** From the last record to the disk. A file without a record may be one that was renamed since: then files that are gone count too. */
async function changesSince(root: string, name: string, file: TreeFile, recorded: readonly RecordedChange[]): Promise<FoundFile[]> {
  const last = new Map(recorded.flatMap(({ files }) => files.map((each) => [each.path, each.after_sha256] as const)));
  const before = last.get(name);
  const found = { path: name, before_sha256: before === undefined ? file.sha256 : before, after_sha256: file.sha256, ranges: [] };
  if (before) return [found];
  const gone: FoundFile[] = [];
  for (const [other, sha256] of [...last].toReversed()) {
    if (gone.length === MAX_GONE_FILES) break;
    if (sha256 === null || other === name || (await stat(path.join(root, other)).catch(() => null))) continue;
    gone.push({ path: other, before_sha256: sha256, after_sha256: null, ranges: [] });
  }
  return gone.length === 0 ? [found] : [{ ...found, before_sha256: null }, ...gone];
}

async function stepOf(
  files: readonly FoundFile[],
  origin: BlameOrigin,
  { restores }: { readonly restores: boolean },
  contents: Contents,
): Promise<HistoryChange<BlameOrigin>[]> {
  const step = await Promise.all(
    files.map(async ({ path, before_sha256, after_sha256, ranges }) => ({
      path,
      ranges,
      origin,
      restores,
      before: await contents.get(before_sha256),
      after: await contents.get(after_sha256),
    })),
  );
  contents.keepOnly(step.map(({ after }) => after));
  return step;
}

/** Keeps only the contents of the last change: mostly the next one begins with them, and a long history would not fit into memory. */
class Contents {
  private readonly store: EventStore;
  private readonly now: HistoryContent;
  private recent: readonly HistoryContent[] = [];
  constructor(store: EventStore, now: HistoryContent) {
    this.store = store;
    this.now = now;
  }

  async get(sha256: string | null): Promise<HistoryContent> {
    if (sha256 === null) return { sha256, lines: null };
    const known = [this.now, ...this.recent].find((content) => content.sha256 === sha256);
    if (known) return known;
    const bytes = await this.store.getBlob(sha256);
    return { sha256, lines: bytes === null ? null : linesOfText(new TextDecoder().decode(bytes)) };
  }

  keepOnly(contents: readonly HistoryContent[]): void {
    this.recent = contents;
  }
}

async function originOf(
  context: BlameContext,
  change: RecordedChange,
  conversations: Map<string, Promise<string | null>>,
): Promise<BlameOrigin> {
  const { by, at } = change;
  const noAuthor = { ...NO_AUTHOR, candidates: [], at };
  if (by.kind === 'undo') return { ...noAuthor, origin: 'human', note: `A human took back ${by.target} (proof: ${by.human.proof}).` };
  const action = context.changes.actionOf(change);
  const author = by.kind === 'receipt' ? by.author : action === null ? undefined : context.changes.authorOf(action);
  if (author) {
    const { receipt, session, agent, model, tool, intent } = author;
    const conversation = conversations.get(session) ?? conversationOf(context.store, session);
    conversations.set(session, conversation);
    return {
      origin: 'receipt',
      intent,
      intent_name: intent && context.intentName(intent),
      receipt_id: receipt,
      action: author.action,
      agent,
      model,
      session,
      conversation: await conversation,
      at,
      tool,
      candidates: [],
      note: by.kind === 'receipt' ? null : 'Found after the action had run; nothing else was open then.',
    };
  }
  if (by.kind === 'seen' && by.actions.length > 0)
    return { ...noAuthor, origin: 'ambiguous', candidates: [...by.actions], note: 'Several actions were open when it changed.' };
  if (by.kind === 'seen' && by.attribution === 'human-unproven')
    return { ...noAuthor, origin: 'human-unproven', note: 'No agent was at work when it changed. Probably a human; not proven.' };
  return { ...noAuthor, origin: 'untracked', note: 'Found changed without a receipt.' };
}

/** Says that a human acknowledged the change: they saw it, which never proves that they wrote it. */
function acknowledgement({ changes }: BlameContext, root: string, files: readonly FoundFile[]): string | null {
  const found = files.map(({ path, after_sha256 }) => changes.acknowledgedBy(root, path, after_sha256)).find((each) => each !== undefined);
  if (!found) return null;
  const why = found.reason === undefined ? '' : ` Reason: ${found.reason}`;
  return `Acknowledged by a human on ${found.at} (proof: ${found.human.proof}); that does not say who wrote it.${why}`;
}

async function conversationOf(store: EventStore, session: string): Promise<string | null> {
  const [record] = await store.find({ stream: streams.session(session), types: ['session_opened'], limit: 1 });
  return record ? (record.event as EventOf<'session_opened'>).data.native_session : null;
}
