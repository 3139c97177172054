// What reading a simple command yields: findings, the shell text that it runs, and the files that it writes.

import { CONSTRUCT_RULES, type ConstructCode } from './construct-rules.ts';
import type { Where } from './find-secrets.ts';
import type { Level, NamedRule } from './rule.ts';
import type { Argument } from './words.ts';
import type { WriteTarget } from './write-target.ts';

export interface Finding {
  readonly level: Level;
  readonly code: string;
  readonly message: string;
  /** The message to use instead when every file is known and may be written. */
  readonly restorable?: string;
  readonly remakeable?: string;
  readonly temporary?: string;
  readonly leftover?: string;
}

export interface RunText {
  readonly text: string;
  /** The text may not be a script at all, so only what is DESTRUCTIVE in it counts. */
  readonly onlyWorst: boolean;
  /** `here`: in this shell, `apart`: in one of its own, `elsewhere`: in a folder that is not known. */
  readonly where: 'here' | 'apart' | 'elsewhere';
  /** Seen from here, the folder in which it runs apart. */
  readonly folder?: Argument;
}

/** The result for a simple command: its own findings, and shell text that it runs. Without either: SAFE. */
export interface Judgement {
  readonly findings: Finding[];
  readonly scripts: RunText[];
  readonly writes: WriteTarget[];
  /** It may write something that is not among the writes. */
  opaque: boolean;
  /** The same, but what it throws away is among them. */
  unsure: boolean;
  /** It changes the folder of what follows; `lost`: to one that is not known. */
  folder: { readonly command: string; readonly args: readonly Argument[] } | 'lost' | null;
  /** The caller does not need to know whether it is SAFE, or why it is not. */
  readonly brief: boolean;
  /** Where it runs. */
  where: Where;
  /** Words of the commands before it in a pipe. */
  readonly piped: readonly string[];
  /** Words that it certainly reads. */
  readonly said: readonly string[];
  /** What it reads was decoded before. */
  readonly decoded: boolean;
  /** Arguments of a program that no rule knows: files that it may write. */
  readonly mentions: Argument[];
}

export const emptyJudgement = (around: Pick<Judgement, 'brief' | 'where' | 'piped' | 'said' | 'decoded'>): Judgement => ({
  ...{ findings: [], scripts: [], writes: [], mentions: [], opaque: false, unsure: false, folder: null },
  ...around,
});

export function findingOf(code: ConstructCode, detail: string): Finding {
  const rule = CONSTRUCT_RULES[code];
  return { level: rule.level, code, message: rule.message(detail) };
}

const MILDER = ['restorable', 'remakeable', 'temporary', 'leftover'] as const;

/** What a rule finds about the command of this name. */
export function findingByRule(rule: NamedRule, name: string): Finding {
  const milder = MILDER.flatMap((each) => (rule[each] === undefined ? [] : [[each, `${name} ${rule[each]}`]]));
  return { level: rule.level, code: rule.code, message: `${name} ${rule.message}`, ...Object.fromEntries(milder) };
}
