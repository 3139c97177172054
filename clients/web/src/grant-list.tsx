// What passes without a question, until when, how often it did, and who granted it. A human can revoke each one here.

import type { GrantRow } from '../../../src/protocol/index.ts';
import { ActTrouble } from './act-trouble.tsx';
import { endGrant } from './api.ts';
import { Instant } from './instant.tsx';
import { isProvenBy } from './is-proven.ts';
import { RawLine } from './raw-text.tsx';
import { Seal } from './shapes.tsx';
import { SideList } from './side-list.tsx';
import { SignedBy } from './signed-by.tsx';
import { usePress } from './use-press.ts';

export const GrantList = ({ grants, live }: { grants: readonly GrantRow[]; live: boolean }) => (
  <SideList title="Grants" count={grants.length}>
    {grants.length === 0 ? (
      <p className="empty quiet">Nothing passes in advance: what needs a human is asked about each time.</p>
    ) : (
      <ul>
        {grants.map((row) => (
          <li key={row.id}>
            <OneGrant row={row} live={live} />
          </li>
        ))}
      </ul>
    )}
  </SideList>
);

function OneGrant({ row, live }: { row: GrantRow; live: boolean }) {
  const { ready, trouble, press, pressBegins, spacePressBegins } = usePress(live);
  const proven = isProvenBy(row.by);
  return (
    <>
      <p className="side-lead">
        <code className="breakable">
          <RawLine text={row.pattern} />
        </code>
      </p>
      <p className="side-more">
        {row.tool === null ? (
          <>for {row.intent}</>
        ) : (
          <>
            an unknown tool of <RawLine text={row.tool.agent} />, while its input keeps its form
          </>
        )}
        {' · '}
        {row.expires_at === null ? (
          'until you end it'
        ) : (
          <>
            until <Instant at={row.expires_at} />
          </>
        )}
      </p>
      <p className="side-more">
        {row.last_used_at === null ? (
          'never used'
        ) : (
          <>
            used {row.uses === 1 ? 'once' : `${row.uses} times`}, last <Instant at={row.last_used_at} />
          </>
        )}
      </p>
      <p className="side-more">
        <span className={proven ? 'countersigned' : undefined}>
          <Seal hollow={!proven} /> <SignedBy by={row.by} />
        </span>
      </p>
      <p className="act">
        <button
          type="button"
          className="plain"
          aria-disabled={!ready}
          aria-label={`End the grant ${row.id}`}
          onPointerDown={pressBegins}
          onKeyDown={spacePressBegins}
          onClick={() => void press(() => endGrant(row.id))}
        >
          End it
        </button>
      </p>
      <ActTrouble trouble={trouble} command={`countersign grants end ${row.id}`} />
    </>
  );
}
