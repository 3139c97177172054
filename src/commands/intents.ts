// What agents may work on and how strictly: intents and edits of their file, modes, tasks.

import type { CommandHandlers, Kernel } from '../kernel/index.ts';
import { type Ask, type Config, commandStatements, Fault, leavesOf, type Mode } from '../protocol/index.ts';
import { headRevision, locateWorkspace, readIntentsFile, readTasks, taskListFor, TASKS_FILE, writeSetting } from '../workspace/index.ts';
import { forHuman, type Locate } from './for-human.ts';

export interface IntentDeps {
  readonly kernel: Kernel;
  readonly ask: Ask;
  readonly locate: Locate;
  /** The human's minimum mode for a work tree; null: none is set, or the settings cannot be read. */
  readonly minimumMode: (root: string) => Promise<Mode | null>;
  /** What the settings' files of a work tree say. */
  readonly readConfig: (root: string) => Promise<Config>;
  /** What the paths of an intent mean as globs. */
  readonly scopeOf: (root: string, cwd: string, paths: readonly string[]) => Promise<string[]>;
}

/** INVARIANT: nothing about intents is decided while their file cannot be read: it would say something else than the record. */
export function intentHandlers({ kernel, ask, locate, minimumMode, readConfig, scopeOf }: IntentDeps) {
  const { authority, documents, views } = kernel;
  const human = forHuman({ kernel, locate });
  const isStrict = async (root: string): Promise<boolean> => (await minimumMode(root)) === 'STRICT';

  return {
    declare_intent: {
      act: async (caller, request) => {
        const { cwd, name, paths, constraints, acceptance_criteria, signed } = request;
        const { id: workspace, root } = await locate(cwd);
        await readIntentsFile(root);
        const ownedScope = await scopeOf(root, cwd, paths);
        const strict = await isStrict(root);
        return authority.declareIntent(
          caller,
          { workspace, name, ownedScope, constraints, acceptanceCriteria: acceptance_criteria },
          { statement: commandStatements.declare_intent(request), given: signed, strict, shown: null },
        );
      },
    },

    set_intent_status: {
      act: async (caller, request) => {
        const { cwd, id, status, sha256, signed } = request;
        const { id: workspace, root } = await locate(cwd);
        await readIntentsFile(root);
        const statement = commandStatements.set_intent_status(request);
        const strict = await isStrict(root);
        return authority.setIntentStatus(caller, workspace, id, status, { statement, given: signed, strict, shown: sha256 });
      },
    },

    settle_intent_edit: {
      act: async (caller, request) => {
        const { cwd, id, take } = request;
        const { id: workspace, root } = await locate(cwd);
        await readIntentsFile(root);
        const statement = commandStatements.settle_intent_edit(request, views.waitingEdit(workspace, id));
        const strict = await isStrict(root);
        const { sha256, signed } = take ? request : { sha256: null, signed: null };
        return documents.settleEdit(caller, workspace, id, take, { statement, given: signed, strict, shown: sha256 });
      },
    },

    confirm_settings: {
      act: async (caller, { cwd, sha256 }) => {
        const { id: workspace, root } = await locate(cwd);
        return kernel.settings.confirm(caller, workspace, root, await readConfig(root), sha256);
      },
      show: ({ cwd }) => ask('settings', { cwd }),
    },

    set_setting: {
      act: human('config set', (caller, { key, value, layer }, { id: workspace, root }) =>
        kernel.settings.set(caller, workspace, root, key, async () => {
          await writeSetting(root, { file: `.ai/config/${layer}.json`, key, value });
          return readConfig(root);
        }),
      ),
      show: ({ cwd }) => ask('settings', { cwd }),
    },

    limit_mode: {
      act: human('mode', (caller, { intent, pin, minimum }, { id: workspace }) =>
        authority.limitMode(caller, { workspace, intent, pin, minimum }),
      ),
      show: ({ cwd }) => ask('modes', { cwd }),
    },

    set_observing: {
      act: human('init --observe', async (caller, { cwd, observing }, { id: workspace }) =>
        authority.setObserving(caller, { workspace, observing, revision: await headRevision((await locateWorkspace(cwd)).root) }),
      ),
      show: ({ cwd }) => ask('modes', { cwd }),
    },

    confirm_tasks: {
      act: human('tasks confirm', (caller, { intent }, { id: workspace, root }) =>
        authority.confirmTasks(caller, workspace, async () => {
          const lists = (await readTasks(root))?.lists ?? [];
          const known = intent === null ? null : views.intent(workspace, intent);
          if (intent !== null && !known)
            throw new Fault('NOT_FOUND', `There is no intent ${intent} in this workspace.`, { fix: 'countersign intents lists them' });
          const list = known && taskListFor(lists, known);
          const tasks = (known ? (list ? [list] : []) : lists)
            .flatMap((each) => leavesOf(each.tasks))
            .flatMap(({ id, checked }) => (checked ? [] : [id]));
          const written = lists.flatMap((each) => each.tasks);
          const edited = views.taskEdits(root, intent ?? undefined, written);
          if (tasks.length === 0 && edited.length === 0)
            throw new Fault('NOT_FOUND', `${TASKS_FILE} holds no open task to confirm.`, { fix: 'countersign tasks shows what it holds' });
          return { root, tasks, ...(edited.length > 0 ? { edited } : {}) };
        }),
      ),
      show: ({ cwd }) => ask('tasks', { cwd }),
    },
  } satisfies Partial<CommandHandlers>;
}
