// The files of a receipt: what became of them, and whether the session had seen what it changed.

import {
  type Action,
  type ChangedFile,
  type Decision,
  escapeGlob,
  type FileObservation,
  type FileRef,
  mutates,
} from '../protocol/index.ts';
import type { KernelPorts } from './ports.ts';
import type { HiddenNames } from './redaction/hidden-names.ts';
import type { State } from './state.ts';

/**
 * A command changes more than it names: files that changed while it ran, and that nothing else could have changed, are its too.
 * `reported`: the gate ran it and knows.
 */
export async function changedFiles(
  { workspace, log }: Pick<KernelPorts, 'workspace' | 'log'>,
  state: State,
  hiddenNames: HiddenNames,
  action: Action,
  { facts: { files, intent, plan } }: Decision,
  reported?: readonly ChangedFile[],
): Promise<FileRef[]> {
  const { root, effects, session } = action;
  if (!mutates(effects)) return [];
  const isCommand = action.resources.some(({ kind }) => kind === 'command');
  // Whoever works by a plan changes what it names, by commands too.
  const scope = plan?.may_change?.map(escapeGlob) ?? intent.selected?.owned_scope;
  const changedBy = async () => (isCommand && scope ? workspace.changedBy(action, scope) : []);
  const beside = reported ? reported.map(observationOf) : await changedBy();
  const judged = hiddenNames.onDisk(files);
  const refs = await workspace.compare(root, [...judged, ...beside], log);
  const sawBefore = state.sessions.get(session)?.seen;
  return refs.map((ref): FileRef => {
    const shown = hiddenNames.shown(ref.path);
    const named = judged.find(({ real, access }) => real === ref.path && access !== 'read');
    const seen = named ? named.seen : (sawBefore?.get(shown) ?? null);
    const lock = ref.before_sha256 === null ? 'new' : seen === null ? 'unread' : 'checked';
    const isSure = named !== undefined || reported?.some(({ path, attribution }) => path === ref.path && attribution === undefined);
    return { ...ref, path: shown, lock, ...(isSure ? {} : { attribution: 'window' as const }) };
  });
}

const observationOf = ({ path, before_sha256 }: ChangedFile): FileObservation => ({
  path,
  access: 'write',
  real: path,
  unresolved: null,
  governance: null,
  scope_glob: null,
  sha256: before_sha256,
});
