// Enforcement is suspended in this workspace: since when, by whom, why and until when, and how to end it.

import type { WorkspaceRow } from '../../../src/protocol/index.ts';
import { ActTrouble } from './act-trouble.tsx';
import { endPause } from './api.ts';
import { Instant } from './instant.tsx';
import { RawLine } from './raw-text.tsx';
import { SignedBy } from './signed-by.tsx';
import { usePress } from './use-press.ts';

type Paused = NonNullable<WorkspaceRow['paused']>;

export function PauseNotice({ root, paused, waiting, live }: { root: string; paused: Paused; waiting: number; live: boolean }) {
  const { ready, trouble, press, pressBegins, spacePressBegins } = usePress(live);
  const { from, until, reason, by } = paused;
  return (
    <section className="notice notice-bad pause" role="alert" aria-label="The gate is paused">
      <p>
        <strong>The gate is paused.</strong> No new call is stopped in{' '}
        <code className="breakable">
          <RawLine text={root} />
        </code>
        ; what agents do is recorded as done in a pause.
      </p>
      {by !== null && waiting > 0 && (
        <p>
          <a href="#waiting">{waiting === 1 ? 'One call waits' : `${waiting} calls wait`} for your answer.</a> A pause gives none.
        </p>
      )}
      <dl className="card-facts">
        <div>
          <dt>since</dt>
          <dd>
            <Instant at={from} />
          </dd>
        </div>
        <div>
          <dt>until</dt>
          <dd>{until === null ? 'a human ends it' : <Instant at={until} />}</dd>
        </div>
        <div>
          <dt>by</dt>
          <dd>{by === null ? 'an unsigned note: the hooks were taken out while there was no daemon' : <SignedBy by={by} />}</dd>
        </div>
        <div>
          <dt>why</dt>
          <dd>
            <RawLine text={reason} />
          </dd>
        </div>
      </dl>
      <p className="act">
        <button
          type="button"
          aria-disabled={!ready}
          onPointerDown={pressBegins}
          onKeyDown={spacePressBegins}
          onClick={() => void press(() => endPause(root))}
        >
          End the pause
        </button>
      </p>
      <ActTrouble trouble={trouble} command="countersign pause --end" />
    </section>
  );
}
