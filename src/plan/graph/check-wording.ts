// Whether an instruction can be carried out by a weak model: it names something concrete, and has one reading. Fixed rules over words, so that
// the same text always has the same answer, and only text that says nothing is refused.

import type { PlanError } from '../../protocol/index.ts';
import type { FilledNode } from './fill-in.ts';
import { inNode, planError } from './plan-error.ts';
import type { PlanDraft } from './read-plan.ts';

/** What has several readings, and how to say it instead. */
const SEVERAL_READINGS: readonly (readonly [RegExp, string])[] = [
  [/\b(?:TODO|TBD|FIXME|XXX|to be (?:decided|determined|defined))\b|^\s*(?:\.\.\.|…)|<[a-z][\w -]*>/i, 'is not decided yet'],
  [/\beither\b.+\bor\b/i, 'leaves two ways open'],
  [
    /\b(?:and\/or|as appropriate|if (?:needed|necessary|required|applicable)|where (?:needed|necessary|appropriate)|as needed)\b/i,
    'leaves open whether',
  ],
  [/\b(?:maybe|perhaps|possibly|somehow|something like|or so|or similar|and so on|etc)\b/i, 'leaves open what'],
];

/** Words that say nothing about a particular piece of code. A text of these alone has no target. */
const SAYS_NOTHING = new Set(
  (
    'a an the this that these those it its them they there here my our your and or to of in on for with by from as at be is are was all any some every ' +
    'fix fixes fixing change changes changing edit edits update updates improve improves improvement improvements refactor refactors clean cleanup up ' +
    'make makes do does work works working better good nice correct correctly properly proper right well modify modifies adjust handle handles ' +
    'implement add apply support code file files logic stuff thing things issue issues problem problems bug bugs part parts place places function ' +
    'functions method class module needed necessary required appropriate so will should must can needs need please i we you something anything'
  ).split(' '),
);

export function checkWording(nodes: readonly FilledNode[], draft: PlanDraft): readonly PlanError[] {
  return nodes.flatMap(({ at, node }) => {
    if (node.kind === 'change') {
      // What was filled in from whyThisFile is that field's fault.
      const field = draft.nodes.find((each) => each.at === at)?.given.has('editIntent') ? 'editIntent' : 'whyThisFile';
      return errorAbout(
        at,
        node.nodeId,
        field,
        node.editIntent,
        `Say what changes in ${node.targetFile}, such as "Return 0 from total() for an empty order"`,
      );
    }
    if (node.kind === 'validate')
      return errorAbout(
        at,
        node.nodeId,
        'successCriteria',
        node.successCriteria,
        'Say what is seen when it passes, such as "test passes and total() of an empty order is 0"',
      );
    return [];
  });
}

function errorAbout(at: number, nodeId: string, field: string, text: string, fix: string): readonly PlanError[] {
  const why = ambiguity(text);
  if (why === null) return [];
  return [
    planError({
      code: 'PLAN_WEAK_MODEL_AMBIGUOUS',
      at: inNode({ at, nodeId }, field),
      message: `${JSON.stringify(shortened(text))} ${why}.`,
      fix,
    }),
  ];
}

/** Completing a sentence; null: it can be carried out. */
export function ambiguity(text: string): string | null {
  // What stands in quotes or backticks is code, and may say anything.
  const prose = text.replace(/`[^`]*`|"[^"]*"|'[^']{2,}'/g, ' code_in_quotes ');
  const found = SEVERAL_READINGS.find(([pattern]) => pattern.test(prose));
  if (found) return `${found[1]} (${JSON.stringify(found[0].exec(prose)![0].trim())})`;
  const words = prose.match(/[\p{L}\p{N}_$.#/-]+/gu) ?? [];
  const telling = words.filter((word) => !SAYS_NOTHING.has(word.toLowerCase().replace(/[.]+$/, '')));
  return telling.length === 0 ? 'names nothing in particular' : null;
}

const shortened = (text: string): string => (text.length > 120 ? `${text.slice(0, 119)}…` : text);
