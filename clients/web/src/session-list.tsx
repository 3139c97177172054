import type { SessionRow } from '../../../src/protocol/index.ts';
import { Instant } from './instant.tsx';
import { LevelBadge } from './level-badge.tsx';
import { RawLine } from './raw-text.tsx';
import { shortId } from './short-id.ts';
import { SideList } from './side-list.tsx';

export const SessionList = ({ sessions }: { sessions: readonly SessionRow[] }) => (
  <SideList title="Sessions" count={sessions.length}>
    {sessions.length === 0 ? (
      <p className="empty quiet">No agent has called yet.</p>
    ) : (
      <ul>
        {sessions.map((row) => (
          <li key={row.id} className={row.open ? undefined : 'ended'}>
            <p className="side-lead">
              <strong>
                <RawLine text={row.agent} />
              </strong>
              <LevelBadge level={row.level} />
              <span>{row.mode ?? 'no mode'}</span>
            </p>
            <p className="side-more">
              {row.open ? 'last' : 'ended'} <Instant at={row.last_at} /> ·{' '}
              {row.intent === null ? 'no intent' : <RawLine text={row.intent} />} · <code title={row.id}>{shortId(row.id)}</code>
            </p>
          </li>
        ))}
      </ul>
    )}
  </SideList>
);
