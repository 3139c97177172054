// Break-glass for this workspace, by the same rules as in a terminal: a reason, a time, a human; where a key is enrolled, only that key.

import { makePause } from './api.ts';
import { TimedRequest } from './timed-request.tsx';

const TITLE = <h2>Pause the gate</h2>;

export const PauseForm = ({ root, signing, live }: { root: string; signing: boolean; live: boolean }) =>
  signing ? (
    <details className="side-list">
      <summary>{TITLE}</summary>
      <p className="side-more">
        Only your key signs for a pause. In a terminal: <code className="breakable">countersign pause --for 30m --reason WHY</code>
      </p>
    </details>
  ) : (
    <TimedRequest
      className="side-list"
      summary={TITLE}
      label="Why nothing is to be stopped"
      words=""
      says="Pause"
      live={live}
      command={(time) => `countersign pause --for ${time} --reason WHY`}
      onSign={(reason, seconds) => makePause(root, seconds, reason)}
    />
  );
