import type { IntentRow } from '../../../src/protocol/index.ts';
import { isProvenBy } from './is-proven.ts';
import { RawLine } from './raw-text.tsx';
import { Seal, Shape } from './shapes.tsx';
import { lookOfIntent } from './shape-of.ts';
import { SideList } from './side-list.tsx';
import { SignedBy } from './signed-by.tsx';

export const IntentList = ({ intents }: { intents: readonly IntentRow[] }) => (
  <SideList title="Intents" count={intents.length}>
    {intents.length === 0 ? (
      <div className="empty">
        <p>No intent is granted. Grant one:</p>
        <pre>countersign intent "fix login" src/auth</pre>
      </div>
    ) : (
      <ul>
        {intents.map((row) => (
          <li key={`${row.workspace} ${row.id}`}>
            <Intent row={row} />
          </li>
        ))}
      </ul>
    )}
  </SideList>
);

function Intent({ row }: { row: IntentRow }) {
  const look = lookOfIntent(row.status);
  return (
    <>
      <p className="side-lead">
        <Shape look={look} />
        <strong>
          <RawLine text={row.name} />
        </strong>
      </p>
      <p className="side-more">
        <code>{row.id}</code> {look.word}
        {row.confirmed_at !== null && (
          <span className={isProvenBy(row.by) ? 'countersigned' : undefined} title={`Confirmed at ${row.confirmed_at}`}>
            {' '}
            <Seal hollow={!isProvenBy(row.by)} /> confirmed {row.by !== null && <SignedBy by={row.by} />}
          </span>
        )}
      </p>
      <p className="side-more">
        {row.owned_scope.map((glob) => (
          <code key={glob} className="glob breakable">
            <RawLine text={glob} />
          </code>
        ))}
      </p>
    </>
  );
}
