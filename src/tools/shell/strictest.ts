// Several commands judged as one: the strictest decides, and every reason is kept.

import { CommandClass, type CommandReading } from '../../protocol/index.ts';

export const strictestOf = (readings: readonly CommandReading[]): CommandReading => ({
  class: readings.reduce<CommandClass>((worst, { class: next }) => (rank(next) > rank(worst) ? next : worst), 'SAFE'),
  reasons: readings.flatMap(({ reasons }) => reasons),
});

const rank = (each: CommandClass): number => CommandClass.options.indexOf(each);
