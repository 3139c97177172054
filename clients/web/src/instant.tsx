import { clockTime } from './time-words.ts';

export const Instant = ({ at }: { at: string }) => (
  <time dateTime={at} title={at}>
    {clockTime(at, new Date())}
  </time>
);
