// What is true of the whole page at any moment: where, how strictly, how far the ledger is, whether this view is current.

import type { RefObject } from 'react';
import type { Level, Status, WorkspaceRow } from '../../../src/protocol/index.ts';
import { LevelBadge } from './level-badge.tsx';
import { visibleText } from './make-visible.ts';
import { RawLine } from './raw-text.tsx';
import type { Connection, PageState } from './page-state.ts';
import { Shape } from './shapes.tsx';
import type { Look } from './shape-of.ts';
import { countWaiting } from './waiting-order.ts';

const CONNECTIONS: Readonly<Record<Connection, Look>> = {
  starting: { shape: 'dotted', word: 'connecting', tone: 'quiet' },
  live: { shape: 'circle', word: 'live', tone: 'good' },
  reconnecting: { shape: 'dotted', word: 'reconnecting', tone: 'bad' },
  signed_out: { shape: 'square', word: 'signed out', tone: 'bad' },
};

interface StripProps {
  readonly state: PageState;
  readonly workspace: WorkspaceRow | null;
  readonly onWorkspace: (id: string | null) => void;
  readonly strip: RefObject<HTMLElement | null>;
}

export function TopStrip({ state, workspace, onWorkspace, strip }: StripProps) {
  const status = state.overview?.status ?? null;
  const connection = CONNECTIONS[state.connection];
  const waiting = countWaiting(state.approvals) + (state.overview?.inbox.length ?? 0);
  return (
    <header className="strip" ref={strip}>
      <div className="strip-place">
        <h1>Countersign</h1>
        {status !== null && <Place status={status} workspace={workspace} onWorkspace={onWorkspace} />}
      </div>
      <div className="strip-end">
        {waiting > 0 && (
          <a className="strip-waiting" href="#waiting">
            {waiting} waiting
          </a>
        )}
        {status !== null && <LedgerHead ledger={status.ledger} />}
        <span className="connection" role="status">
          <Shape look={connection} />
          {connection.word}
        </span>
      </div>
    </header>
  );
}

function Place({
  status,
  workspace,
  onWorkspace,
}: {
  status: Status;
  workspace: WorkspaceRow | null;
  onWorkspace: StripProps['onWorkspace'];
}) {
  const { workspaces } = status;
  if (workspaces.length === 0) return <span className="quiet">no workspace yet</span>;
  return (
    <>
      {workspaces.length === 1 ? (
        <code className="strip-root breakable">
          <RawLine text={workspaces[0]!.root} />
        </code>
      ) : (
        <select
          className="strip-root"
          aria-label="Workspace"
          value={workspace?.id ?? ''}
          onChange={(event) => onWorkspace(event.target.value || null)}
        >
          <option value="">all {workspaces.length} workspaces</option>
          {workspaces.map((row) => (
            <option key={row.id} value={row.id}>
              {visibleText(row.root, 'marked')}
            </option>
          ))}
        </select>
      )}
      {workspace !== null ? <Strictness workspace={workspace} /> : <LevelCounts workspaces={workspaces} />}
    </>
  );
}

const Strictness = ({ workspace }: { workspace: WorkspaceRow }) => (
  <>
    <LevelBadge level={workspace.level} note={workspace.level_note} />
    <span>{workspace.minimum_mode === null ? 'no minimum mode' : <>minimum {workspace.minimum_mode}</>}</span>
  </>
);

function LevelCounts({ workspaces }: { workspaces: readonly WorkspaceRow[] }) {
  const counts = new Map<Level, number>();
  for (const row of workspaces) counts.set(row.level, (counts.get(row.level) ?? 0) + 1);
  return (
    <span className="strip-levels">
      {[...counts].map(([level, count]) => (
        <span key={level}>
          {count} <LevelBadge level={level} />
        </span>
      ))}
    </span>
  );
}

const LedgerHead = ({ ledger }: { ledger: Status['ledger'] }) => (
  <span className="head" title={ledger.chain === null ? 'No signed head yet' : `Chain hash of the newest signed head: ${ledger.chain}`}>
    <span className="head-label">ledger</span>{' '}
    <code>{`#${ledger.size.toLocaleString('en').replaceAll(',', '\u202f')}${ledger.chain === null ? '' : ` · ${ledger.chain.slice(0, 4)}…`}`}</code>
    {!ledger.writable && <strong className="trouble"> cannot be written</strong>}
  </span>
);
