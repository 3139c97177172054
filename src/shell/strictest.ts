// Several commands judged as one: the strictest decides, and every reason and every write is kept.

import { CommandClass, type CommandReading } from '../protocol/index.ts';

export function strictestOf(readings: readonly CommandReading[]): CommandReading {
  const authority = readings.find((each) => each.authority !== undefined)?.authority;
  const placed = readings.filter(({ writes }) => writes !== undefined);
  return {
    class: readings.reduce<CommandClass>((worst, { class: next }) => (rank(next) > rank(worst) ? next : worst), 'SAFE'),
    reasons: readings.flatMap(({ reasons }) => reasons),
    ...(authority === undefined ? {} : { authority }),
    ...(placed.length === 0
      ? {}
      : {
          writes: placed.flatMap(({ writes = [] }) => writes),
          // A command read without a place may write anything.
          writes_complete: readings.every(({ writes_complete }) => writes_complete === true),
        }),
  };
}

const rank = (each: CommandClass): number => CommandClass.options.indexOf(each);
