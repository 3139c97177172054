// The forms of a rule. A rule is data: what it is about, what it says to a person, and examples that hold it to its word.

import type { ArgumentCheck } from './argument-checks.ts';
import type { OptionList } from './options.ts';
import type { Argument } from './words.ts';
import type { WriteOptions, WriteScan } from './write-target.ts';

/** What a part can be besides SAFE; the stricter comes last. */
export type Level = 'MUTATING' | 'DESTRUCTIVE' | 'WRITES_OUTSIDE';

export interface Examples {
  readonly matches: readonly [string, ...string[]];
  readonly rejects: readonly [string, ...string[]];
}

/** Commands that are SAFE when their arguments are proven. Examples: commands that are SAFE, and that are not. */
export interface SafeRule extends Examples {
  readonly commands: readonly string[];
  /** `any`: no argument of any kind can write a file or run something. */
  readonly proof: 'any' | (OptionList & { readonly maxOperands?: number }) | ArgumentCheck;
}

/** What makes a named command match; every condition that is given must hold. */
export interface Condition {
  /** One of these is the beginning of the operands, such as `stash drop`. */
  readonly subcommands?: readonly string[];
  /** One of these options is there; a single letter also within a cluster, a long one also abbreviated. */
  readonly options?: readonly string[];
  /** One of these words is there exactly. */
  readonly words?: readonly string[];
  /** None of these options is there. */
  readonly without?: readonly string[];
  /** One of the arguments has this form. */
  readonly form?: RegExp;
  /** Not all of the arguments have this form, or there are none. */
  readonly notOnly?: RegExp;
  /** This is not true of the arguments. */
  readonly unless?: (args: readonly Argument[]) => boolean;
}

/** Commands that are not SAFE, and why. Examples: commands that get this code, and that do not. */
export interface NamedRule extends Examples {
  readonly level: Level;
  readonly code: string;
  /** Names without a directory; a final `*` stands for any ending. */
  readonly commands: readonly string[];
  readonly when?: Condition;
  /** What a person reads after the command's name. */
  readonly message: string;
  /**
   * The same where each of the files is known and may be written: the gate keeps old contents of files in scope, and scratch folders hold
   * nothing to keep, so it is MUTATING there. Without a scope it is unknown what may be written.
   */
  readonly restorable?: string;
  /** The same where every file is derived: tools create them again, so it is MUTATING there. */
  readonly remakeable?: string;
  /** The same where every file is in a scratch folder. */
  readonly temporary?: string;
  /** The same where a pattern names only what tools leave behind: copies, logs, compiled files. */
  readonly leftover?: string;
}

/** Commands that write files. Examples: a command with exactly the paths that it writes, and commands without any. */
export interface WriteRule {
  readonly commands: readonly string[];
  readonly when?: Condition;
  readonly writes: WriteOptions | WriteScan;
  readonly examples: readonly [WriteExample, ...WriteExample[]];
  readonly rejects: readonly [string, ...string[]];
}
export type WriteExample = readonly [command: string, ...paths: string[]];

/** Places where secrets are kept. Examples: commands that read one, and that do not. */
export interface SecretRule extends Examples {
  /** Completes a sentence: "reads …". */
  readonly what: string;
  readonly names: RegExp;
  /** Paths of this kind, for patterns that stand for them without naming them. */
  readonly samples?: readonly string[];
}

/** Commands that run another command. Examples: commands whose inner command is found to delete, and where it is not. */
export interface WrapperRule extends Examples {
  readonly commands: readonly string[];
  /** `words`: the rest is the command. `script`: the rest, joined, is shell text. `anywhere`: any later word may begin it. */
  readonly runs: 'words' | 'script' | 'anywhere';
  /** Of a script: only the first word is the text. */
  readonly firstOnly?: boolean;
  /** An option that is not listed makes any later word a possible beginning. */
  readonly options?: OptionList;
  /** An operand before the inner command, and the form in which it is proven. */
  readonly operand?: RegExp;
  /** `NAME=value` may come before the inner command. */
  readonly assignments?: boolean;
  /** The inner command gets more arguments, which are not seen here. */
  readonly feeds?: boolean;
  /** SAFE when the inner command is: the wrapper itself neither writes nor changes what runs. */
  readonly transparent?: boolean;
}

/** Shell constructs that are not SAFE by themselves. Examples: commands that get this code, and that do not. */
export interface ConstructRule extends Examples {
  readonly level: Level;
  readonly message: (detail: string) => string;
}
