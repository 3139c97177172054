// What is known about the context of a piece of work: flags, each with what shows it.

import { isInside } from '../../claims/index.ts';
import { CHECKS, type ContextFlag, type ContextSignature, type Lesson, type TestConfidence } from '../../protocol/index.ts';
import type { FlagRule, SignatureFound, StrategyPack } from './strategy-pack.ts';

/** What the signature is read from. */
export interface SeenContext {
  readonly prompt: string | null;
  /** The plan's own words. */
  readonly words: readonly string[];
  /** Files that the plan changes. */
  readonly files: readonly SeenFile[];
  readonly artifacts: readonly string[];
  /** Operations of an API description that the prompt or the plan names. */
  readonly operations: readonly string[];
  /** Names of the workspace's checks. */
  readonly checks: readonly string[];
  /** Globs of files that declare federation, where a human named them. */
  readonly manifests?: readonly string[];
}

export interface SeenFile {
  readonly path: string;
  readonly imports: readonly string[];
  readonly labels: readonly string[];
  readonly text: string;
}

export function contextSignature(pack: Pick<StrategyPack, 'flags'>, seen: SeenContext): SignatureFound {
  const because: SignatureFound['because'][number][] = [];
  const flags: Record<ContextFlag, boolean> = {
    hasJira: false,
    hasSwagger: false,
    mentionsAgGrid: false,
    touchesShadowDom: false,
    crossesFederationBoundary: false,
    migrationAdpDetected: false,
    contractAnchorPresent: false,
  };
  const set = (flag: ContextFlag, reason: string, evidenceRefs: readonly string[]): void => {
    if (flags[flag]) return;
    flags[flag] = true;
    because.push({ flag, reason, evidenceRefs });
  };
  for (const rule of pack.flags) {
    const found = whatShows(rule, seen);
    if (found) set(rule.flag, found.reason, found.refs);
  }
  const manifest = seen.files.find(({ path }) => isInside(path, seen.manifests ?? []));
  if (manifest) set('crossesFederationBoundary', `federation.manifests names ${manifest.path}`, [manifest.path]);
  if (seen.operations.length > 0)
    set(
      'contractAnchorPresent',
      `names ${seen.operations[0]!}`,
      seen.operations.slice(0, 5).map((operation) => `operation:${operation}`),
    );
  const testConfidenceLevel = testConfidence(seen.checks);
  because.push({ flag: 'testConfidenceLevel', reason: `checks: ${seen.checks.join(', ') || 'none'}`, evidenceRefs: [] });
  return { signature: { ...flags, testConfidenceLevel }, because };
}

/** By what checks exist: none; no tests; tests; tests and types. */
export function testConfidence(checks: readonly string[]): TestConfidence {
  const has = (name: (typeof CHECKS)[number]): boolean => checks.includes(name);
  if (has('test')) return has('typecheck') ? 'high' : 'medium';
  return CHECKS.some(has) ? 'low' : 'none';
}

function whatShows(rule: FlagRule, { prompt, words, files, artifacts }: SeenContext): { reason: string; refs: readonly string[] } | null {
  const inPrompt = rule.words.find((word) => hasWord(prompt ?? '', word));
  if (inPrompt !== undefined) return { reason: `the prompt says ${JSON.stringify(inPrompt)}`, refs: ['prompt'] };
  const artifact = artifacts.find((id) => rule.artifacts?.some((start) => id.startsWith(start)));
  if (artifact !== undefined) return { reason: `${artifact} was fetched`, refs: [`artifact:${artifact}`] };
  for (const { path, imports, labels, text } of files) {
    const specifier = imports.find((each) => rule.imports?.some((start) => each.startsWith(start)));
    if (specifier !== undefined) return { reason: `${path} imports ${specifier}`, refs: [path] };
    const label = labels.find((each) => rule.labels?.includes(each));
    if (label !== undefined) return { reason: `${path} has a ${label}`, refs: [path] };
    const written = rule.texts?.find((each) => text.includes(each));
    if (written !== undefined) return { reason: `${path} mentions ${written}`, refs: [path] };
    const name = rule.names?.find((each) => path.toLowerCase().split('/').at(-1)!.includes(each));
    if (name !== undefined) return { reason: `${path} is a ${name} file`, refs: [path] };
  }
  const inPlan = rule.words.find((word) => words.some((text) => hasWord(text, word)));
  return inPlan === undefined ? null : { reason: `the plan says ${JSON.stringify(inPlan)}`, refs: [] };
}

/** At word boundaries, whatever the case. */
export function hasWord(text: string, word: string): boolean {
  const low = text.toLowerCase();
  for (let at = low.indexOf(word); at >= 0; at = low.indexOf(word, at + 1))
    if (!/[\p{L}\p{N}]/u.test(low[at - 1] ?? '') && !/[\p{L}\p{N}]/u.test(low[at + word.length] ?? '')) return true;
  return false;
}

/** Flags that lessons set for these folders. They choose the class only: what has to be proven is what the code and the prompt show. */
export function withSignals(signature: ContextSignature, lessons: readonly Lesson[]): ContextSignature {
  const signals = lessons.flatMap(({ strategySignal }) => (strategySignal ? [strategySignal] : []));
  const flags = signals.filter(({ featureFlag }) => Object.hasOwn(signature, featureFlag) && featureFlag !== 'testConfidenceLevel');
  return { ...signature, ...Object.fromEntries(flags.map(({ featureFlag, value }) => [featureFlag, value])) };
}
