// What a plan may touch: real paths inside the work tree and the intent's scope, files that exist where they have to, and symbols by name.

import type { ChangeNode, PlanError } from '../../protocol/index.ts';
import type { FilledNode } from './fill-in.ts';
import { inEnvelope, inNode, planError, remove, replace } from './plan-error.ts';
import { isThere, type PlanFacts, type TargetFact } from './plan-facts.ts';
import type { DraftNode, PlanDraft } from './read-plan.ts';

const WILDCARD = /[*?]|^(?:all|any|everything)$/i;
/** Words with which an instruction says that something is new. */
const NEW =
  /\b(?:add|adds|adding|create|creates|introduce|introduces|new|extract|extracts|define|defines|implement|implements|write|writes|split|move|moves)\b/i;

export function checkScope(nodes: readonly FilledNode[], draft: PlanDraft, facts: PlanFacts): readonly PlanError[] {
  const errors: PlanError[] = [];
  if (facts.situation.intent === null)
    errors.push(
      planError({
        code: 'PLAN_SCOPE_VIOLATION',
        at: inEnvelope('scopeAllowlistRef'),
        message: 'No intent is selected, so no file is allowed.',
        fix: 'Submit the plan with intentId, or propose an intent and wait for a human',
      }),
    );
  // Paths are judged as they were given, also of nodes that lack something else.
  for (const node of draft.nodes)
    for (const field of ['targetFile', 'renameTo']) {
      const path = node.kind === 'change' ? node.given.text(field) : undefined;
      const target = path === undefined ? undefined : facts.targets.get(path);
      if (path !== undefined && target) errors.push(...placeErrors(node, field, path, target, facts));
    }
  for (const { at, node } of nodes) if (node.kind === 'change') errors.push(...changeErrors(at, node, draft, facts));
  return errors;
}

function placeErrors(
  node: DraftNode,
  field: string,
  path: string,
  { seen }: TargetFact,
  { situation: { intent } }: PlanFacts,
): readonly PlanError[] {
  const refuse = (message: string, fix: string, remedy?: PlanError['remedy']): readonly PlanError[] => [
    planError({ code: 'PLAN_SCOPE_VIOLATION', at: inNode(node, field), message, fix, ...(remedy ? { remedy } : {}) }),
  ];
  if (seen.real === null)
    return refuse(`${path} cannot be changed: ${seen.unresolved ?? 'it is outside the work tree'}.`, 'Name a path inside the work tree');
  if (seen.governance !== null)
    return refuse(`${path} belongs to the gate (${seen.governance}); no plan can change it.`, 'Leave it out; a human makes that change');
  if (intent !== null && seen.scope_glob === null)
    return refuse(
      `${path} is outside the scope of ${intent.id}: ${intent.owned_scope.join(', ')}.`,
      'Change a file inside the scope, or ask a human for more paths',
      {
        verb: 'request_evidence_guidance',
        args: { blockingReasons: [`${path} is outside the scope of ${intent.id}`], requestScope: { paths: [seen.real] } },
      },
    );
  return [];
}

function changeErrors(at: number, node: ChangeNode, draft: PlanDraft, facts: PlanFacts): readonly PlanError[] {
  const given = draft.nodes.find((each) => each.at === at)?.given;
  const target = facts.targets.get(given?.text('targetFile') ?? node.targetFile);
  if (!target || target.seen.real === null) return [];
  const place = { at, nodeId: node.nodeId };
  const exists = target.seen.sha256 !== null;
  const errors: PlanError[] = [];
  if (node.operation === 'create' && exists)
    errors.push(
      planError({
        code: 'PLAN_SCOPE_VIOLATION',
        at: inNode(place, 'operation'),
        message: `${node.targetFile} exists, so it cannot be created.`,
        fix: 'Make it a modify node, or name another file',
        patch: [replace(['nodes', at, 'operation'], 'modify')],
      }),
    );
  if (node.operation !== 'create' && !exists)
    errors.push(
      planError({
        code: 'PACK_REQUIRED_ANCHOR_UNRESOLVED',
        at: inNode(place, 'targetFile'),
        message: `${node.targetFile} does not exist, so there is nothing to ${node.operation}.`,
        fix:
          target.nearest === null
            ? 'Name an existing file, or make it a create node'
            : `Did you mean ${target.nearest}? Otherwise make it a create node`,
        patch:
          target.nearest === null
            ? [replace(['nodes', at, 'operation'], 'create')]
            : [replace(['nodes', at, 'targetFile'], target.nearest)],
        remedy: { verb: 'list_scoped_files', args: {} },
      }),
    );
  if (node.operation === 'rename' && node.renameTo !== null && isThere(facts.targets.get(node.renameTo)))
    errors.push(
      planError({
        code: 'PLAN_SCOPE_VIOLATION',
        at: inNode(place, 'renameTo'),
        message: `${node.renameTo} exists already.`,
        fix: 'Choose a path that is free, or delete that file in a node before',
      }),
    );
  return [...errors, ...symbolErrors(place, node, target, exists)];
}

function symbolErrors(
  place: { readonly at: number; readonly nodeId: string },
  node: ChangeNode,
  { symbols }: TargetFact,
  exists: boolean,
): readonly PlanError[] {
  return [...new Set(node.targetSymbols)].flatMap((symbol) => {
    const index = node.targetSymbols.indexOf(symbol);
    const others = node.targetSymbols.filter((each) => each !== symbol);
    const field = ['nodes', place.at, 'targetSymbols'];
    const at = inNode(place, 'targetSymbols', index);
    if (WILDCARD.test(symbol))
      return [
        planError({
          code: 'PLAN_SCOPE_VIOLATION',
          at,
          message: `${JSON.stringify(symbol)} stands for any symbol; symbols are named one by one.`,
          fix: 'Name the symbols, or leave targetSymbols out: then the server lists those of the file',
          patch: [others.length === 0 ? remove(field) : replace(field, others)],
        }),
      ];
    if (!exists || symbols === null || isNamed(symbols, symbol)) return [];
    if (NEW.test(node.editIntent) && node.editIntent.includes(symbol.split('.').at(-1)!)) return [];
    const near = nearestName(symbol, symbols);
    return [
      planError({
        code: 'PACK_REQUIRED_ANCHOR_UNRESOLVED',
        at,
        message: `${node.targetFile} defines no ${JSON.stringify(symbol)}.`,
        fix: `${near === null ? 'Name a symbol of the file' : `Did you mean ${JSON.stringify(near)}?`} If it is new, say so in editIntent: "Add ${symbol} …"`,
        patch: [replace(field, near === null ? others : [...new Set([...others, near])])],
        remedy: { verb: 'lookup_symbol_definition', args: { symbol } },
      }),
    ];
  });
}

const isNamed = (symbols: NonNullable<TargetFact['symbols']>, symbol: string): boolean =>
  symbols.some(({ name }) => name === symbol || name.endsWith(`.${symbol}`));

function nearestName(symbol: string, symbols: NonNullable<TargetFact['symbols']>): string | null {
  const wanted = symbol.toLowerCase();
  const like = symbols.filter(({ name }) => {
    const last = (name.split('.').at(-1) ?? name).toLowerCase();
    return last === wanted || last.includes(wanted) || (last.length > 3 && wanted.includes(last));
  });
  return like.toSorted((a, b) => a.name.length - b.name.length || (a.name < b.name ? -1 : 1))[0]?.name ?? null;
}
