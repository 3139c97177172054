// What `init` is about to do, in a few lines that name every file: those that are written now, and those that the gate keeps later.

import { type HookAdapter, hookAdapters } from '../agents/index.ts';
import type { Planned } from './wiring/plan.ts';

const GUARDED =
  'minimum mode GUARDED: agents read freely, change files only under an intent that you granted, and risky commands wait for your answer';

export interface SummaryOptions {
  readonly undo: boolean;
  readonly shared: boolean;
  readonly inGit: boolean;
  /** The file with the gate's block for agents, such as AGENTS.md. */
  readonly brainFile: string;
}

export function initSummary(changes: readonly Planned[], { undo, shared, inGit, brainFile }: SummaryOptions): string {
  const rest = [...changes];
  /** Files that two agents share are named once. */
  const take = (isWanted: (change: Planned) => boolean): Planned[] => {
    const taken = rest.filter(isWanted);
    for (const change of taken) rest.splice(rest.indexOf(change), 1);
    return taken;
  };
  const agents = [...hookAdapters.values()].map((adapter) => ({
    title: adapter.title,
    files: take((change) => filesOf(adapter).includes(change.file)),
  }));
  const config = take(({ file }) => file.startsWith('.ai/config/'));
  const lines = [
    ...agents.filter(({ files }) => files.length > 0).map(({ title, files }) => `  ${title}: ${named(files)}`),
    ...(config.length > 0 ? [`  Settings: ${named(config)}${undo ? '' : ` (${GUARDED})`}`] : []),
    ...(rest.length > 0 ? [`  Other files: ${named(rest)}`] : []),
    ...(inGit ? [`  Git: ${undo ? 'our lines in .git/info/exclude are removed' : `.git/info/exclude ${keptOut(shared)}`}`] : []),
  ];
  if (undo) return ['This is undone; what the files held before comes back:', ...lines].join('\n');
  return [
    'This is written now; `countersign init --undo` restores every byte:',
    ...lines,
    `  Later, while agents work: .orchestration/ (intents, trace, map of intents), tinyTasks.md, .ai/tmp/ and a marked block in ${brainFile}`,
  ].join('\n');
}

const keptOut = (shared: boolean): string =>
  shared ? "keeps the gate's views out of commits" : "keeps the new files and the gate's views out of commits";

const filesOf = ({ wiring, trust }: HookAdapter): string[] => [
  ...wiring.flatMap(({ file, place }) => [place === 'home' ? `~/${file}` : file]),
  ...(trust?.store ? [`~/${trust.store.file}`] : []),
];

const named = (changes: readonly Planned[]): string =>
  changes.map(({ file, before, after }) => `${file} (${before === null ? 'new' : after === null ? 'deleted' : 'changed'})`).join(', ');
