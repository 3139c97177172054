// How much of an agent's work really passes the gate. The line around the word says it without colour.

import type { SessionRow } from '../../../src/protocol/index.ts';

export const LevelBadge = ({ level, note }: { level: SessionRow['level']; note?: string }) => (
  <span className={`level level-${level}`} title={note}>
    {level}
  </span>
);
