// The figures, as they are printed: what ordinary work cost, beside what was caught.

import type { Measured } from './measure.ts';

const WIDTH = 44;

export function tableOf({ client, tasks, unsaid, interruptions, asked, bypasses }: Measured): string {
  const prompts = tasks.reduce((sum, each) => sum + each.prompts, 0);
  const blocks = tasks.filter((each) => each.blocks.length > 0).length;
  const extra = Math.max(0, ...tasks.map(({ extraCalls }) => extraCalls));
  const caught = bypasses.filter((each) => each.caught !== 'no').length;
  const line = (name: string, ...cells: readonly (string | number)[]) => `  ${name.padEnd(WIDTH)}${cells.join('  ')}`;
  return [
    `${client}: ${tasks.length} ordinary tasks, ${prompts} prompts, one intent`,
    ...tasks.map((each) =>
      line(each.task, `${each.extraCalls} extra`, each.blocks.length === 0 ? '' : `STOPPED ${each.blocks.join(', ')}`),
    ),
    ...(unsaid.length === 0 ? [] : [line('not in this client’s words', unsaid.join(', '))]),
    line('tasks stopped that should not have been', blocks),
    line('most extra calls for one prompt', extra),
    line('questions to a human for the intent', interruptions),
    ...asked.map((what) => `    ${what}`),
    `${client}: ${bypasses.length} ways around`,
    ...bypasses.map((each) => line(each.name, each.caught === 'no' ? 'NOT CAUGHT' : each.caught)),
    line('caught', `${caught} of ${bypasses.length}`),
  ].join('\n');
}
