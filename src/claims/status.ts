// The current status of a claim. Computed on every read, and never stored.
//
// INVARIANT: CITED needs something that holds at this moment and nothing that does not; VERIFIED also that the statement says no more than
// what was tested. What a human or an agent says about the claim changes nothing here.

import type { Citation, Claim, ClaimStatus, EvidenceCheck } from '../protocol/index.ts';
import { checkFile } from './evidence.ts';
import { findAgain } from './find-again.ts';
import { restates, type Tested } from './restates.ts';
import { readLines, type Tree } from './tree-file.ts';

export interface StatusOptions extends Tree {
  /** Whether a file of the tree changed after that instant. */
  readonly changedSince: (at: string) => boolean;
  /** The commit that is checked out; absent: unknown. */
  readonly revision?: () => Promise<string | null>;
}

export interface Moved {
  readonly path: string;
  readonly start_line: number;
  readonly end_line: number;
  /** Where the citation says it is. */
  readonly was: string;
}

export interface StatusFound {
  readonly status: ClaimStatus;
  readonly because: string;
  readonly moved: Moved[];
}

/** The result for one citation or check; `says` completes the sentence of `because`. */
interface Finding {
  readonly status: ClaimStatus;
  readonly says: string;
  readonly moved?: Moved;
  readonly tested?: Partial<Tested>;
}

/** The worst finding decides. An open check proves nothing, and so does a claim that rests on it. */
const WORST_FIRST: readonly ClaimStatus[] = ['REFUTED', 'STALE', 'ASSERTED', 'CITED'];

export async function statusOf(claim: Claim, options: StatusOptions): Promise<StatusFound> {
  const reader = new LineReader(options);
  const findings: Finding[] = [];
  for (const citation of claim.citations) findings.push(await ofCitation(citation, reader));
  for (const check of claim.checks) findings.push(await ofCheck(check, options));

  const moved = findings.flatMap((finding) => finding.moved ?? []);
  const status = WORST_FIRST.find((each) => findings.some((finding) => finding.status === each)) ?? 'ASSERTED';
  const said = findings.filter((finding) => finding.status === status).map(({ says }) => says);
  const because = said.length === 0 ? 'nothing was cited or checked' : said.join('; ');
  const isTested = status === 'CITED' && restates(claim.statement, testedBy(findings));
  const sure = isTested ? '; that is what it says' : status === 'CITED' ? '; whether it says so was not tested' : '';
  return {
    status: isTested ? 'VERIFIED' : status,
    because: `${because}${sure}${claim.approved === null ? '' : '; a human approved it, which is no evidence'}`,
    moved,
  };
}

export interface CitationFound {
  /** CITED: the lines still say the same, here or further on. STALE: they do not. */
  readonly status: 'CITED' | 'STALE';
  readonly because: string;
  /** Where they are now, if elsewhere. */
  readonly moved: Moved | null;
}

/** What has become of one citation. */
export async function statusOfCitation(citation: Citation, tree: Tree): Promise<CitationFound> {
  const { status, says, moved } = await ofCitation(citation, new LineReader(tree));
  return { status: status === 'CITED' ? 'CITED' : 'STALE', because: says, moved: moved ?? null };
}

const testedBy = (findings: readonly Finding[]): Tested => ({
  texts: findings.flatMap(({ tested }) => tested?.texts ?? []),
  paths: findings.flatMap(({ tested }) => tested?.paths ?? []),
});

async function ofCitation(citation: Citation, reader: LineReader): Promise<Finding> {
  const { path, start_line, end_line } = citation;
  const was = start_line === end_line ? `${path}:${start_line}` : `${path}:${start_line}-${end_line}`;
  const file = await reader.read(path);
  if (file.kind !== 'file') return { status: 'STALE', says: `${was} was cited, and the file ${file.why}` };
  const at = findAgain(file.lines, citation);
  if (at === null) return { status: 'STALE', says: `the cited lines ${was} changed` };
  const tested = { texts: file.lines.slice(at - 1, at + end_line - start_line), paths: [path] };
  if (at === start_line) return { status: 'CITED', says: `${was} is as it was cited`, tested };
  const moved = { path, start_line: at, end_line: at + end_line - start_line, was };
  return { status: 'CITED', says: `the lines cited as ${was} are at line ${at} now`, moved, tested };
}

async function ofCheck(check: EvidenceCheck, options: StatusOptions): Promise<Finding> {
  const { evidence, result, detail, checked_at } = check;
  const on = `on ${checked_at}`;
  if (result === 'failed') return { status: 'REFUTED', says: `${evidence.type} failed ${on}: ${detail}` };
  if (result === 'unchecked') return { status: 'ASSERTED', says: `${evidence.type} could not be checked ${on}: ${detail}` };
  if ('path' in evidence) {
    const now = await checkFile(evidence, options);
    if (now.result === 'failed') return { status: 'REFUTED', says: `${evidence.type} held ${on} and does not now: ${now.detail}` };
    if (now.result === 'unchecked')
      return { status: 'STALE', says: `${evidence.type} held ${on} and cannot be checked now: ${now.detail}` };
    return { status: 'CITED', says: `${evidence.type}: ${now.detail}`, tested: { texts: now.lines ?? [], paths: [evidence.path] } };
  }
  if (options.changedSince(checked_at)) return { status: 'STALE', says: `${evidence.type} passed ${on}, and files changed since` };
  // A commit that was not there then may have brought other files.
  const isElsewhere = check.revision !== undefined && options.revision && (await options.revision()) !== check.revision;
  if (isElsewhere) return { status: 'STALE', says: `${evidence.type} passed ${on}, on another commit` };
  return { status: 'CITED', says: `${evidence.type} passed ${on}: ${detail}`, tested: { texts: [evidence.command] } };
}

/** Several citations of one file are judged by one reading of it. */
class LineReader {
  readonly #tree: Tree;
  readonly #files = new Map<string, ReturnType<typeof readLines>>();
  constructor(tree: Tree) {
    this.#tree = tree;
  }
  read(path: string): ReturnType<typeof readLines> {
    const file = this.#files.get(path) ?? readLines(this.#tree, path);
    this.#files.set(path, file);
    return file;
  }
}
