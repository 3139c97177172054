// Whether a wrong change would be noticed: each has a check that can fail and that has to do with it.

import type { ChangeNode, PlanError } from '../../protocol/index.ts';
import type { FilledNode } from './fill-in.ts';
import { inNode, planError, replace } from './plan-error.ts';
import type { PlanFacts } from './plan-facts.ts';

export function checkVerification(nodes: readonly FilledNode[], facts: PlanFacts): readonly PlanError[] {
  const errors: PlanError[] = [];
  for (const { at, node } of nodes) {
    if (node.kind !== 'change' && node.kind !== 'validate') continue;
    for (const hook of new Set(node.verificationHooks)) {
      const why = weakness(hook, facts);
      if (why !== null)
        errors.push(
          planError({
            code: 'PLAN_VERIFICATION_WEAK',
            at: inNode({ at, nodeId: node.nodeId }, 'verificationHooks', node.verificationHooks.indexOf(hook)),
            message: `${JSON.stringify(hook)} ${why}.`,
            fix: hooksThere(facts),
            patch: [
              replace(
                ['nodes', at, 'verificationHooks'],
                node.verificationHooks.filter((each) => each !== hook),
              ),
            ],
          }),
        );
    }
    if (node.kind === 'change') errors.push(...coverErrors(at, node, nodes, facts));
  }
  return errors;
}

function coverErrors(at: number, node: ChangeNode, nodes: readonly FilledNode[], facts: PlanFacts): readonly PlanError[] {
  if (node.verificationHooks.some((hook) => weakness(hook, facts) === null && covers(hook, node, facts))) return [];
  const validating = nodes.flatMap(({ node: other }) =>
    other.kind === 'validate' && other.mapsToNodeIds.includes(node.nodeId) ? other.verificationHooks : [],
  );
  const hooks = [...node.verificationHooks, ...validating].filter((hook) => weakness(hook, facts) === null);
  if (hooks.some((hook) => covers(hook, node, facts))) return [];
  return [
    planError({
      code: 'PLAN_VERIFICATION_WEAK',
      at: inNode({ at, nodeId: node.nodeId }, 'verificationHooks'),
      message:
        hooks.length === 0
          ? `Nothing checks the change of ${node.targetFile}.`
          : `No check has to do with ${node.targetFile}: ${hooks.map((hook) => JSON.stringify(hook)).join(', ')}.`,
      fix: `${hooksThere(facts)}; or add a validate node that maps to ${node.nodeId}`,
      ...(facts.situation.checks[0]
        ? { patch: [{ op: 'add', path: `/nodes/${at}/verificationHooks`, value: [facts.situation.checks[0].name] }] }
        : {}),
    }),
  ];
}

const hooksThere = ({ situation: { checks } }: PlanFacts): string =>
  checks.length > 0
    ? `Name a check of this workspace (${checks.map(({ name }) => name).join(', ')}) or a command that fails when the change is wrong`
    : 'Name a command that fails when the change is wrong; this workspace has no checks of its own';

const CHECK_NAMES = new Set(['format', 'lint', 'typecheck', 'test']);
/** Programs that end well whatever the tree says. */
const CANNOT_FAIL = /^(?:true|:|echo|printf|exit\s+0|sleep|pwd|date|whoami|ls|cat|head|tail)(?:\s|$)/;

/** Why it shows nothing, completing a sentence; null: it can fail. */
function weakness(hook: string, { situation: { checks } }: PlanFacts): string | null {
  const command = hook.trim();
  if (CHECK_NAMES.has(command)) return checks.some(({ name }) => name === command) ? null : 'is not a check of this workspace';
  if (/(?:\|\||;)\s*(?:true|:|exit\s+0)\s*$/.test(command)) return 'ends well whatever happens before, so it cannot fail';
  const parts = command.split(/&&|\|\||;|\n/).map((part) => part.trim());
  if (parts.every((part) => part === '' || CANNOT_FAIL.test(part))) return 'cannot fail, so it checks nothing';
  return isProse(command) ? 'is a sentence, not a check or a command' : null;
}

/** "Make sure the tests pass": begins with a capital or a verb of prose and names no program. */
const isProse = (text: string): boolean =>
  /^[A-Z][a-z]+ /.test(text) || /^(?:run the|make sure|ensure|verify that|check that|manually|the |all )/i.test(text);

/** A check of the workspace covers all of it, and so does a command that names no file. */
function covers(hook: string, { targetFile, renameTo }: ChangeNode, { imports }: PlanFacts): boolean {
  if (CHECK_NAMES.has(hook.trim())) return true;
  const named = filesNamed(hook);
  if (named.length === 0) return true;
  const stems = [targetFile, ...(renameTo === null ? [] : [renameTo])];
  return named.some((file) =>
    stems.some(
      (target) =>
        file === target ||
        target.startsWith(`${file}/`) ||
        folderOf(file) === folderOf(target) ||
        stemOf(file).startsWith(stemOf(target)) ||
        (imports.get(file)?.has(target) ?? false),
    ),
  );
}

/** Words of a command that are paths of the tree. */
export const filesNamed = (hook: string): readonly string[] =>
  hook
    .split(/[\s'"=]+/)
    .map((word) => word.replace(/^\.\//, '').replace(/\/+$/, ''))
    .filter(
      (word) =>
        !word.startsWith('-') &&
        (/^[\w@.-]+(?:\/[\w@.[\]-]+)+$/.test(word) || /^[\w-]+(?:\.[\w-]+)*\.(?:[jt]sx?|py|go|rs|java|cs|rb|php|mjs|cjs)$/.test(word)),
    );

const folderOf = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf('/')));
const stemOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1).replace(/\..*$/, '');
