// Loop: a call that failed again and again, with nothing changed in between, is not made once more before a human has looked.

import { mutates } from '../protocol/index.ts';
import { allow, deny, type Policy } from './policy.ts';

const name = 'loop';

/** So often may the same command, or an edit of the same file, fail in a row. */
export const FAILURES = 5;

export const loopPolicy: Policy = {
  name,
  version: 1,
  judge: (action, { failures = 0 }) => {
    if (!mutates(action.effects) || failures < FAILURES) return allow(name);
    const what = `${action.native?.tool ?? action.tool} failed ${failures} times in a row here, and nothing was changed in between`;
    return deny(name, {
      code: 'NEEDS_HUMAN',
      message: `${what}.`,
      required_action: 'Stop repeating it. Find out why it fails, go another way, or tell the human what you tried',
      remedy: { tool: 'request_human', args: { question: `${what}. How do you want to go on?`.slice(0, 500).toWellFormed() } },
    });
  },
  examples: [
    { says: 'the sixth try of an edit that failed five times', facts: { failures: 5 }, expect: 'NEEDS_HUMAN' },
    { says: 'a call that failed before', facts: { failures: 4 }, expect: 'allow' },
    { says: 'a call that never failed', expect: 'allow' },
    { says: 'reading after failures', action: { effects: ['observe'] }, facts: { failures: 9 }, expect: 'allow' },
  ],
};
