// Checks a reply of an agent: what its one Evidence line rests on has to exist, now, in the words that it gives.
// INVARIANT: nothing that the reply says raises its status; only what is found in the sources and in the receipts does.

import {
  ABSTAIN,
  type ClaimForm,
  type EvidencePart,
  type EvidenceProblem,
  type EvidenceVerdict,
  ID_FORMS,
  isAbstention,
  type ReplySources,
} from '../../protocol/index.ts';
import { coveringGlob } from '../../workspace/index.ts';
import { checkAbsence } from './check-absence.ts';
import { checkContent, checkStructure } from './check-source.ts';
import { type PartFinding, problem, refused } from './finding.ts';
import { reasoningPreface, toolClaims, toolSyntax } from './leaks.ts';
import { evidenceLines, GRAMMAR, parseEvidence } from './parse-evidence.ts';
import { quotationsIn, quotationsOutside } from './quotations.ts';
import { type ReplyText, takeApart } from './reply-text.ts';

/** Returns a verdict for every reply; what the reply contains never makes it throw. */
export async function checkReply(reply: string, sources: ReplySources): Promise<EvidenceVerdict> {
  if (isAbstention(reply)) return verdict({ status: 'abstained' });
  const text = takeApart(reply);
  const leaks = leaksIn(text);
  const found = evidenceLines(text);
  const [only] = found;
  if (only === undefined) return verdict({ problems: [...leaks, missing()] });
  if (found.length > 1)
    return verdict({
      problems: [...leaks, problem('evidence_multiple', `There are ${found.length} Evidence lines. Write one; separate its parts with ;`)],
    });

  const line = only.text.trim();
  const parsed = parseEvidence(line);
  if ('problem' in parsed)
    return verdict({ line, problems: [...leaks, problem('evidence_unreadable', `The Evidence line cannot be read. ${parsed.problem}`)] });
  const { parts } = parsed;
  const form = formOf(parts);
  const findings: PartFinding[] = [];
  for (const part of parts) findings.push(await checkPart(part, sources));
  const named = findings.flatMap(({ receipt }) => (receipt ? [receipt] : []));
  const problems = [
    ...leaks,
    ...findings.flatMap(({ problems: of }, part) => of.map((each) => ({ ...each, part }))),
    ...unclaimed(text, form),
    ...roleProblems(sources.role, form, findings),
    ...toolProblems(
      text,
      only.at,
      named.map(({ tool }) => tool),
    ),
  ];
  const said = { ...text, lines: text.lines.filter((_, at) => at !== only.at) };
  const paths = findings.flatMap((finding) => finding.paths);
  const unchecked = problems.length > 0 || form === 'access' ? [] : await quotationsOutside(said, paths, sources);
  return verdict({
    status: problems.length > 0 ? 'refused' : form === 'access' ? 'access' : 'accepted',
    form,
    line,
    parts: [...parts],
    problems,
    citations: findings.flatMap(({ citations = [] }) => citations),
    receipts: named.map(({ id }) => id),
    candidates: findings.flatMap(({ candidates = [] }) => candidates),
    ...(unchecked.length > 0 ? { unchecked_quotes: unchecked } : {}),
  });
}

const verdict = (known: Partial<EvidenceVerdict>): EvidenceVerdict => ({
  ...{ status: 'refused', form: null, line: null, parts: [], problems: [], citations: [], receipts: [], candidates: [] },
  ...known,
});

const missing = () =>
  problem('evidence_missing', `There is no Evidence line. End the reply with one: ${GRAMMAR}. Or reply only ${ABSTAIN}`);

/** The Evidence line holds quotes of sources, which may say anything. */
function withoutEvidence(text: ReplyText): ReplyText {
  const evidence = new Set(evidenceLines(text).map(({ at }) => at));
  return { ...text, lines: text.lines.filter((_, at) => !evidence.has(at)) };
}

function leaksIn(text: ReplyText): readonly EvidenceProblem[] {
  const said = withoutEvidence(text);
  const preface = reasoningPreface(said);
  const syntax = toolSyntax(said);
  return [
    ...(preface === null
      ? []
      : [problem('reasoning_preface', `The reply reasons aloud (${JSON.stringify(preface)}). Begin with the answer`)]),
    ...(syntax === null
      ? []
      : [problem('tool_syntax', `The reply has the syntax of a tool call (${JSON.stringify(syntax)}). Nothing was run. Answer in words`)]),
  ];
}

const FORMS: readonly ClaimForm[] = ['content', 'structural', 'absence', 'receipt', 'access'];
const formOf = (parts: readonly EvidencePart[]): ClaimForm | null => FORMS.find((form) => parts.some(({ kind }) => kind === form)) ?? null;

async function checkPart(part: EvidencePart, sources: ReplySources): Promise<PartFinding> {
  switch (part.kind) {
    case 'content':
      return checkContent(part, sources);
    case 'structural':
      return checkStructure(part, sources);
    case 'absence':
      return checkAbsence(part, sources);
    case 'receipt':
      return checkReceipt(part.receipt_id, sources);
    case 'access':
      return { problems: [], paths: [] };
  }
}

async function checkReceipt(id: string, sources: ReplySources): Promise<PartFinding> {
  const receipt = ID_FORMS.receipt.test(id) ? await sources.receipt(id) : null;
  if (receipt === null)
    return refused(problem('receipt_unknown', `There is no receipt ${JSON.stringify(id.slice(0, 60))} here. Name one that was given`));
  if (receipt.dry) return refused(problem('receipt_proves_nothing', `${id} is of a dry run, which read nothing`));
  if (receipt.status === 'failed') return refused(problem('receipt_proves_nothing', `${id} is of a call that failed`));
  return { problems: [], paths: [], receipt: { id, tool: receipt.tool_id } };
}

/** A line that names only a receipt says that a tool ran, so the reply must not quote a source. */
function unclaimed(text: ReplyText, form: ClaimForm | null): readonly EvidenceProblem[] {
  if (form !== 'receipt') return [];
  const [quote] = quotationsIn(text);
  if (quote === undefined) return [];
  return [
    problem(
      'claim_unsupported',
      `The reply quotes ${JSON.stringify(quote.slice(0, 80))}. Put the quote into the Evidence line: "exact quote" (path:lines)`,
    ),
  ];
}

function roleProblems(role: ReplySources['role'], form: ClaimForm | null, findings: readonly PartFinding[]): readonly EvidenceProblem[] {
  if (!role || role.sources.length === 0 || form === 'access') return [];
  if (findings.some(({ paths }) => paths.some((path) => coveringGlob(role.sources, path) !== null))) return [];
  return [problem('role_source_missing', `${role.name} has to cite one of ${role.sources.join(', ')}`)];
}

function toolProblems(text: ReplyText, evidenceAt: number, tools: readonly string[]): readonly EvidenceProblem[] {
  const claimed = toolClaims({ ...text, lines: text.lines.filter((_, at) => at !== evidenceAt) });
  const unproven = claimed.find((tool) => (tool === '' ? tools.length === 0 : !tools.includes(tool)));
  if (unproven === undefined) return [];
  const which = unproven === '' ? 'a tool' : unproven;
  return [
    problem(
      'tool_claim_without_receipt',
      `The reply says that ${which} was used, and names no receipt of it. Add: receipt rcp_…, or do not say so`,
    ),
  ];
}

/** Whether a reply that is not a tool call was meant as one: then it is rejected, and not shown as an answer. */
export function looksLikeToolCall(reply: string): boolean {
  if (/^\s*(?:```[a-z]*\s*)?\{\s*"(?:tool|action|args|nonce)"/i.test(reply)) return true;
  return toolSyntax(withoutEvidence(takeApart(reply))) !== null;
}
