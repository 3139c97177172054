// The message below a button whose press was not recorded, with what to do instead.

import type { Trouble } from './page-state.ts';
import { RawLine } from './raw-text.tsx';

/** `command`: the equivalent in a terminal. */
export const ActTrouble = ({ trouble, command }: { trouble: Trouble | null; command: string }) =>
  trouble && (
    <p className="answer-said trouble" role="alert">
      <strong>{trouble.code === 'DAEMON_UNAVAILABLE' ? 'The daemon did not confirm it.' : 'Not done.'}</strong>{' '}
      <RawLine text={trouble.message} /> {trouble.fix !== null && <RawLine text={trouble.fix} />} In a terminal:{' '}
      <code className="breakable">{command}</code>
    </p>
  );
