// A spec-kit specification as the draft of an intent: its requirements become constraints, its scenarios and measures become criteria.

import { intentDraft, type IntentDraft, invalid } from './draft.ts';

export interface SpecFolder {
  /** As it is shown, such as `specs/001-login`. */
  readonly name: string;
  readonly spec: string;
  /** The plan and the tasks, where files are named. */
  readonly beside: string;
}

const TITLE = /^#\s+(?:feature\s+specification:\s*)?(?<title>.+)$/im;
const REQUIREMENT = /^\s*[-*]\s+\*\*(?:FR|NFR)-?\d+[^*]*\*\*:?\s*(?<text>.+)$/gm;
const MEASURE = /^\s*[-*]\s+\*\*SC-?\d+[^*]*\*\*:?\s*(?<text>.+)$/gm;
const SCENARIO = /^\s*(?:\d+[.)]|[-*])\s+(?<text>\*\*Given\*\*.+)$/gim;
const DONE = /^\*\*Status\*\*:\s*(?:done|complete[d]?|implemented|abandoned)\b/im;

export function readSpec({ name, spec, beside }: SpecFolder): IntentDraft {
  const text = spec.replaceAll(/<!--[^]*?-->/g, '');
  const title = TITLE.exec(text)
    ?.groups?.['title']?.replace(/\[FEATURE NAME\]/i, '')
    .trim();
  if (!title) throw invalid(`${name}/spec.md`, 1, 'there is no heading that names the feature');
  const found = (pattern: RegExp) => [...text.matchAll(pattern)].map(({ groups }) => (groups?.['text'] ?? '').replaceAll('**', ''));
  return intentDraft({
    name: title,
    source: `spec-kit ${name}`,
    text: `${text}\n${beside}`,
    closed: DONE.test(text),
    constraints: found(REQUIREMENT),
    acceptance_criteria: [...found(SCENARIO), ...found(MEASURE)],
  });
}
