// A draft becomes an answer only if its evidence holds. One repair is tried, with text from the sources that the quote may have meant. Both
// versions are kept.

import type { EvidenceProblem, EvidenceVerdict } from '../protocol/index.ts';
import type { ModelMessage } from './providers/model.ts';

export interface Version {
  readonly text: string;
  readonly verdict: EvidenceVerdict;
}

export interface GroundingPorts {
  /** Against the files as they are now, and the receipts of this session. */
  readonly check: (text: string) => Promise<EvidenceVerdict>;
  readonly callModel: (messages: readonly ModelMessage[]) => Promise<string>;
  readonly onChecking: () => void;
  readonly onRepair: (problems: readonly EvidenceProblem[]) => void;
}

/** At most this many are offered: a small model loses the question among more. */
const CANDIDATES = 5;

export async function groundReply(
  ports: GroundingPorts,
  draft: { readonly text: string; readonly messages: readonly ModelMessage[] },
  repairWords: string,
): Promise<readonly [Version, ...Version[]]> {
  ports.onChecking();
  const first: Version = { text: draft.text, verdict: await ports.check(draft.text) };
  if (first.verdict.status !== 'refused') return [first];
  ports.onRepair(first.verdict.problems);
  const text = await ports.callModel([...draft.messages, { role: 'user', text: repairText(first.verdict, repairWords) }]);
  ports.onChecking();
  return [first, { text, verdict: await ports.check(text) }];
}

export function repairText({ problems, candidates }: Pick<EvidenceVerdict, 'problems' | 'candidates'>, words: string): string {
  const offered = candidates.slice(0, CANDIDATES).map(({ path, start_line, end_line, text }) => {
    const lines = start_line === end_line ? String(start_line) : `${start_line}-${end_line}`;
    return `Evidence: "${text.replaceAll(/\s+/g, ' ').trim()}" (${path}:${lines})`;
  });
  return [
    words,
    'What is wrong:',
    ...problems.map(({ message }) => `- ${message}`),
    ...(offered.length > 0
      ? [
          'Text that the files really contain. Use one of these lines if it supports your answer; otherwise say that you found nothing:',
          ...offered,
        ]
      : []),
  ].join('\n');
}
