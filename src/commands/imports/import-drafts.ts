// The daemon's part of an import: finds what is new and, once a human has seen that, records it. Rules become unapproved constraints,
// allowed commands become rules that are not in force yet; issues and specifications become proposed intents.

import { realpath } from 'node:fs/promises';
import path from 'node:path';
import type { CommandAct, CommandHandlers, Kernel } from '../../kernel/index.ts';
import { Memory } from '../../memory/index.ts';
import {
  type Claim,
  type CommandRequest,
  type CommandRule,
  Fault,
  type ImportView,
  type Intent,
  type LedgerRecord,
  newId,
} from '../../protocol/index.ts';
import { scopeFromPath, sha256Of } from '../../workspace/index.ts';
import type { Locate } from '../for-human.ts';
import type { IntentDraft, RuleDraft } from './draft.ts';
import { mentionedPaths } from './mentioned-paths.ts';
import { readImport } from './read-import.ts';

export interface ImportDeps {
  readonly kernel: Kernel;
  readonly memory: Memory;
  readonly locate: Locate;
  readonly now: () => Date;
}

const COMMAND = 'import';

export const importHandlers = (deps: ImportDeps) => ({ import_drafts: { act: importDrafts(deps) } }) satisfies Partial<CommandHandlers>;

function importDrafts({ kernel, memory, locate, now }: ImportDeps): CommandAct<'import_drafts'> {
  return async (caller, request) => {
    if (caller.kind !== 'human') return kernel.authority.refuse(caller, COMMAND);
    const { id: workspace, root } = await locate(request.cwd);
    const file = path.resolve(await realpath(request.cwd), request.file);
    const { kind, drafts } = await readImport(file, request.as);
    const name = path.relative(root, file);

    /** What is new now: another kernel may have recorded some of it. */
    const find = async () => {
      const closed = request.all ? [] : drafts.intents.filter((draft) => draft.closed);
      const intents = await plannedIntents(workspace, root, drafts.intents, request);
      const rules = plannedRules(workspace, name, drafts.rules);
      const view: ImportView = {
        dry_run: request.dry_run,
        kind,
        intents: intents.map(({ draft, scope, state }) => ({
          id: null,
          name: draft.name,
          source: draft.source,
          owned_scope: scope,
          state,
        })),
        rules: rules.map(({ claim, line, isKnown }) => ({ id: null, statement: claim.statement, line, state: isKnown ? 'known' : 'new' })),
        command_rules: drafts.commandRules.map(({ pattern, line }) => ({
          id: null,
          pattern,
          line,
          state: kernel.views.isCommandRule(workspace, pattern) ? 'known' : 'new',
        })),
        left_out: [
          ...drafts.leftOut,
          ...closed.map(({ source, name: title }) => ({ line: null, text: `${source} ${title}`, why: 'it is closed; --all takes it too' })),
          ...intents
            .filter(({ state }) => state === 'no paths')
            .map(({ draft }) => ({
              line: null,
              text: `${draft.source} ${draft.name}`,
              why: 'it names no path that is there; give --paths',
            })),
        ],
        plan: '',
      };
      const plan = sha256Of(Buffer.from(JSON.stringify([kind, view.intents, view.rules, view.command_rules])));
      const commandRules = [
        ...new Map(view.command_rules.filter(({ state }) => state === 'new').map((each) => [each.pattern, each])).values(),
      ].map(({ pattern, line }): CommandRule => ({ id: newId('rul'), workspace, pattern, source: `${name}:${line}` }));
      const claims = rules.filter(({ isKnown }) => !isKnown).map(({ claim }) => claim);
      const output = (made: readonly Intent[]): ImportView => ({
        ...view,
        plan,
        intents: view.intents.map((each) => ({
          ...each,
          id: each.state === 'new' ? (made.find((intent) => intent.name === each.name)?.id ?? null) : null,
        })),
        rules: view.rules.map((each) => ({ ...each, id: claims.find(({ statement }) => statement === each.statement)?.id ?? null })),
        command_rules: view.command_rules.map((each) => ({
          ...each,
          id: each.state === 'new' ? (commandRules.find(({ pattern }) => pattern === each.pattern)?.id ?? null) : null,
        })),
      });
      const proposals = intents
        .filter(({ state }) => state === 'new')
        .map(({ draft, scope }) => ({
          name: draft.name,
          ownedScope: scope,
          constraints: draft.constraints,
          acceptanceCriteria: draft.acceptance_criteria,
          reason: `imported from ${draft.source}`,
        }));
      return { view: { ...view, plan }, found: { intents: proposals, commandRules, claims }, output };
    };

    if (request.dry_run) {
      const { view } = await find();
      return kernel.authority.allowHuman(caller, `${COMMAND} --dry-run`, () => view);
    }
    return kernel.authority.takeOver(caller, workspace, async () => {
      const { view, found, output } = await find();
      if (request.plan !== null && request.plan !== view.plan)
        throw new Fault('CONFLICT', `${request.file} or what is known here changed since it was shown.`, { fix: 'Run the command again' });
      return { found, output };
    });
  };

  async function plannedIntents(
    workspace: string,
    root: string,
    drafts: readonly IntentDraft[],
    { paths, all, cwd }: CommandRequest<'import_drafts'>,
  ) {
    const known = new Set(kernel.views.intentNames(workspace));
    const given = await Promise.all(paths.map((each) => scopeFromPath(root, each, cwd)));
    const planned: { draft: IntentDraft; scope: string[]; state: ImportView['intents'][number]['state'] }[] = [];
    for (const draft of drafts) {
      if (draft.closed && !all) continue;
      const named = await mentionedPaths(root, draft.text);
      const scope = given.length > 0 ? given : await Promise.all(named.map((each) => scopeFromPath(root, each, root)));
      const state = known.has(draft.name) ? 'known' : scope.length === 0 ? 'no paths' : 'new';
      known.add(draft.name);
      planned.push({ draft, scope, state });
    }
    return planned;
  }

  function plannedRules(workspace: string, file: string, drafts: readonly RuleDraft[]) {
    const incoming = new Memory();
    const planned: { claim: Claim; line: number; isKnown: boolean }[] = [];
    for (const { statement, start_line } of drafts) {
      const claim = constraint(statement, `it is in ${file}:${start_line}`);
      const isKnown = [memory, incoming].some((each) => each.duplicateOf(workspace, statement, 'constraint') !== null);
      if (!isKnown) incoming.apply({ event: { type: 'claim_kept', data: { workspace, claim } } } as LedgerRecord);
      planned.push({ claim, line: start_line, isKnown });
    }
    return planned;
  }

  /** No citation: the file only proves that somebody wrote the rule, and a cited line would make the rule look proven. */
  function constraint(statement: string, rationale: string): Claim {
    return {
      id: newId('clm'),
      kind: 'constraint',
      statement,
      rationale,
      citations: [],
      checks: [],
      receipts: [],
      scope: [],
      session: null,
      agent: 'human',
      written_at: now().toISOString(),
      approved: null,
    };
  }
}
