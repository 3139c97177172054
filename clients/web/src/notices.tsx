// Under the strip: what the level leaves uncovered, and what is wrong with the page or the ledger at the moment.

import type { RefObject } from 'react';
import type { WorkspaceRow } from '../../../src/protocol/index.ts';
import { LevelBadge } from './level-badge.tsx';
import type { PageState } from './page-state.ts';
import { PauseNotice } from './pause-notice.tsx';
import { RawLine } from './raw-text.tsx';
import { countWaiting } from './waiting-order.ts';

interface NoticesProps {
  readonly state: PageState;
  readonly workspaces: readonly WorkspaceRow[];
  readonly notices: RefObject<HTMLDivElement | null>;
}

export const Notices = ({ state, workspaces, notices }: NoticesProps) => (
  <div className="notices" ref={notices}>
    {state.connection === 'reconnecting' && (
      <p className="notice notice-bad" role="alert">
        <strong>Reconnecting.</strong> What you see may be old, so nothing can be answered until the line is back. {state.trouble?.message}{' '}
        If it stays so, the daemon has stopped or has another address: <code>countersign open</code> starts it and shows where it is.
      </p>
    )}
    {state.overview?.status.ledger.writable === false && (
      <p className="notice notice-bad" role="alert">
        <strong>The ledger cannot be written.</strong> Every change is refused until it can; reading goes on.{' '}
        <code>countersign status</code> says more.
      </p>
    )}
    {workspaces.map(
      ({ id, root, paused }) =>
        paused && (
          <PauseNotice
            key={`${id} ${paused.from}`}
            root={root}
            paused={paused}
            waiting={countWaiting(state.approvals.filter(({ workspace }) => workspace === id))}
            live={state.connection === 'live'}
          />
        ),
    )}
    {workspaces.map((row) => (
      <p key={row.id} className="notice">
        {workspaces.length > 1 && (
          <>
            <code className="breakable">
              <RawLine text={row.root} />
            </code>{' '}
            <LevelBadge level={row.level} />{' '}
          </>
        )}
        {row.level_note}
      </p>
    ))}
  </div>
);
