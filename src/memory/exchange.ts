// Memories as a file: one JSON text a line, after a line that names the format.
//
// INVARIANT: an import brings statements and evidence to check again; never a status, an approval, a session or a receipt. One bad line
// rejects the whole file.

import { type Citation, Claim, type ClaimKind, type Evidence, Fault } from '../protocol/index.ts';

const FORMAT = 'countersign_memory';
const VERSION = 1;
const TROUBLES_SHOWN = 20;

export function* exportLines(claims: Iterable<Claim>): Generator<string> {
  yield JSON.stringify({ [FORMAT]: VERSION });
  for (const claim of claims) yield canonical(claim);
}

/** Keys in order, so that the same memory is the same line everywhere. */
const canonical = (value: unknown): string =>
  JSON.stringify(value, (_key, inner: unknown) =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  );

/** What a line of an import wants to store. The caller cites and checks it as if an agent had just said it. */
export interface ImportedDraft {
  /** Its line in the file. */
  readonly line: number;
  readonly kind: ClaimKind;
  readonly statement: string;
  readonly rationale: string | null;
  readonly citations: readonly Citation[];
  readonly evidence: readonly Evidence[];
  readonly scope: readonly string[];
}

/** Lines written by people only need the statement. */
const ImportLine = Claim.partial().required({ kind: true, statement: true });

/** `file` is how the text is named in a complaint. */
export function parseImport(text: string, file = 'import'): ImportedDraft[] {
  const troubles: string[] = [];
  const drafts: ImportedDraft[] = [];
  const lines = text.replace(/^\ufeff/, '').split(/\r?\n/);
  const trouble = troubleOfMarker(lines[0] ?? '');
  if (trouble !== null) troubles.push(`${file}:1: ${trouble}`);
  for (const [at, content] of lines.entries()) {
    if (at === 0 || content.trim() === '') continue;
    const line = at + 1;
    const parsed = parseLine(content);
    if (typeof parsed === 'string') troubles.push(`${file}:${line}: ${parsed}`);
    else drafts.push({ line, ...parsed });
  }
  if (troubles.length === 0) return drafts;
  const more = troubles.length > TROUBLES_SHOWN ? [`and ${troubles.length - TROUBLES_SHOWN} more lines`] : [];
  throw new Fault('DOCUMENT_INVALID', [...troubles.slice(0, TROUBLES_SHOWN), ...more].join('\n'), {
    fix: `Fix these lines of ${file} and import it again; nothing of it was taken`,
  });
}

function troubleOfMarker(line: string): string | null {
  const marker = parseJson(line);
  const version = typeof marker === 'object' && marker !== null && FORMAT in marker ? marker[FORMAT] : undefined;
  if (version === VERSION) return null;
  if (version === undefined) return `the first line has to be {"${FORMAT}":${VERSION}}`;
  return `the format's version is ${JSON.stringify(version).slice(0, 40)}, and only ${VERSION} is known here; export again with this version`;
}

/** A string says what is wrong and what to do. */
function parseLine(line: string): Omit<ImportedDraft, 'line'> | string {
  const value = parseJson(line);
  if (value === undefined) return 'is not JSON; each line holds one memory, whole';
  const parsed = ImportLine.safeParse(value);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    const where = issue?.path.length ? `${issue.path.map(String).join('.')}: ` : '';
    return `${where}${issue?.message ?? 'is not a memory'}; write it as an export does`.slice(0, 300);
  }
  const { kind, statement, rationale = null, citations = [], checks = [], scope = [] } = parsed.data;
  return { kind, statement, rationale, citations, evidence: checks.map(({ evidence }) => evidence), scope };
}

/** Undefined for text that is not JSON; no JSON text has that value. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
