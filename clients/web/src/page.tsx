import { useCallback, useMemo, useRef, useState, useSyncExternalStore } from 'react';
import type { ActionRow } from '../../../src/protocol/index.ts';
import { ActionTable } from './action-table.tsx';
import { SignedOut, Starting } from './front-door.tsx';
import { GrantList } from './grant-list.tsx';
import { IntentList } from './intent-list.tsx';
import { isProvenBy } from './is-proven.ts';
import { Notices } from './notices.tsx';
import { type PageState, sameIntent } from './page-state.ts';
import { PauseForm } from './pause-form.tsx';
import { PeekPanel } from './peek-panel.tsx';
import { SessionList } from './session-list.tsx';
import type { Store } from './store.ts';
import { TopStrip } from './top-strip.tsx';
import { UntrackedList } from './untracked-list.tsx';
import { useAddress } from './use-address.ts';
import { WaitingOnYou } from './waiting-on-you.tsx';

export function Page({ store }: { store: Store }) {
  const state = useSyncExternalStore(store.subscribe, store.get);
  if (state.connection === 'signed_out') return <SignedOut trouble={state.trouble} />;
  if (!state.loaded) return <Starting trouble={state.trouble} />;
  return <Room state={state} store={store} />;
}

function Room({ state, store }: { state: PageState; store: Store }) {
  const [chosen, choose] = useAddress('workspace');
  const [opened, setOpened] = useState<ActionRow | null>(null);
  const strip = useRef<HTMLElement>(null);
  const notices = useRef<HTMLDivElement>(null);
  const above = useMemo(() => [strip, notices], []);
  const open = useCallback((row: ActionRow | null) => setOpened(row), []);

  const { overview } = state;
  const live = state.connection === 'live';
  const workspaces = overview?.status.workspaces ?? [];
  const workspace = workspaces.length === 1 ? workspaces[0]! : (workspaces.find((row) => row.id === chosen) ?? null);
  const here = <T extends { readonly workspace: string }>(rows: readonly T[]) =>
    workspace === null ? rows : rows.filter((row) => row.workspace === workspace.id);
  const proven = useMemo(() => new Set(state.approvals.filter((row) => isProvenBy(row.by)).map((row) => row.id)), [state.approvals]);
  // A row that has fallen off the list stays open as it was last seen.
  const peeked = opened && (state.actions.find((row) => row.id === opened.id) ?? opened);

  return (
    <>
      <TopStrip state={state} workspace={workspace} onWorkspace={choose} strip={strip} />
      <div className={peeked ? 'room room-peeking' : 'room'}>
        <main>
          <Notices state={state} workspaces={workspace === null ? workspaces : [workspace]} notices={notices} />
          <div className="floor">
            <WaitingOnYou state={state} above={above} dispatch={store.dispatch} />
            <div className="side">
              <IntentList intents={here(state.intents)} />
              <SessionList sessions={here(state.sessions)} />
              <GrantList grants={here(overview?.grants ?? [])} live={live} />
              <UntrackedList rows={here(overview?.untracked ?? [])} signing={overview?.signing ?? false} live={live} />
              {workspace?.paused === null && (
                <PauseForm key={workspace.id} root={workspace.root} signing={overview?.signing ?? false} live={live} />
              )}
            </div>
            <ActionTable rows={here(state.actions)} proven={proven} openId={peeked?.id ?? null} onOpen={open} />
          </div>
        </main>
        {peeked && (
          <PeekPanel
            row={peeked}
            approval={state.approvals.find((row) => row.id === peeked.approval_id) ?? null}
            intentName={
              state.intents.find((known) => peeked.intent !== null && sameIntent(known, { workspace: peeked.workspace, id: peeked.intent }))
                ?.name ?? null
            }
            onClose={() => setOpened(null)}
          />
        )}
      </div>
    </>
  );
}
