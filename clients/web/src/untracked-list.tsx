// Changes that no receipt explains and that are not acknowledged. Acknowledging one says that a human has seen it, not that they wrote it.

import type { UnexplainedRow } from '../../../src/protocol/index.ts';
import { ActTrouble } from './act-trouble.tsx';
import { acknowledge } from './api.ts';
import { Instant } from './instant.tsx';
import { RawLine } from './raw-text.tsx';
import { Seal } from './shapes.tsx';
import { SideList } from './side-list.tsx';
import { usePress } from './use-press.ts';

interface UntrackedProps {
  readonly rows: readonly UnexplainedRow[];
  /** Only a key's signature counts. */
  readonly signing: boolean;
  readonly live: boolean;
}

export function UntrackedList({ rows, signing, live }: UntrackedProps) {
  if (rows.length === 0) return null;
  const byRoot = Map.groupBy(rows, ({ root }) => root);
  return (
    <SideList title="Without a receipt" count={rows.length}>
      {[...byRoot].map(([root, changes]) => (
        // A different list needs a new press.
        <OneTree
          key={`${root} ${changes.map(({ path }) => path).join(' ')}`}
          root={root}
          rows={changes}
          signing={signing}
          live={live}
          named={byRoot.size > 1}
        />
      ))}
    </SideList>
  );
}

const ATTRIBUTIONS: Readonly<Record<UnexplainedRow['attribution'], string>> = {
  exact: 'an agent’s',
  window: 'while an agent worked',
  ambiguous: 'more than one action could have done it',
  'human-unproven': 'a human’s, unproven',
  unknown: 'origin unknown',
};

const changeOf = ({ before_sha256, after_sha256 }: UnexplainedRow): string =>
  before_sha256 === null ? 'new' : after_sha256 === null ? 'removed' : 'changed';

function OneTree({ root, rows, signing, live, named }: UntrackedProps & { root: string; named: boolean }) {
  const { ready, trouble, press, pressBegins, neverByEnter } = usePress(live);
  return (
    <>
      {named && (
        <p className="side-more">
          <code className="breakable">
            <RawLine text={root} />
          </code>
        </p>
      )}
      <ul>
        {rows.map((row) => (
          <li key={row.path}>
            <p className="side-lead">
              <code className="breakable">
                <RawLine text={row.path} />
              </code>
            </p>
            <p className="side-more">
              {changeOf(row)}, {ATTRIBUTIONS[row.attribution]}
              {row.paused && ', in a pause'} · seen <Instant at={row.window.to} />
            </p>
          </li>
        ))}
      </ul>
      {signing ? (
        <p className="side-more">
          Only your key signs for these. In a terminal: <code>countersign ack --all</code>
        </p>
      ) : (
        <p className="act">
          <button
            type="button"
            className="acknowledge"
            aria-disabled={!ready}
            onPointerDown={pressBegins}
            onKeyDown={neverByEnter}
            onClick={() => void press(() => acknowledge(root, rows))}
          >
            <Seal hollow /> Acknowledge {rows.length === 1 ? 'it' : `these ${rows.length}`}
          </button>
          <span className="quiet"> as seen, not as written by you</span>
        </p>
      )}
      <ActTrouble trouble={trouble} command="countersign ack --all" />
    </>
  );
}
