// A turn as it was sent. Models write what they want: whatever has not the form is read as far as it goes, and what is wrong is said in words.

import { PATH_ID } from '../../protocol/index.ts';
import { isVerb, type Verb, verbEntry } from './verb-catalog.ts';

export interface TurnRequest {
  readonly runSessionId: string | null;
  readonly workId: string | null;
  readonly agentId: string | null;
  readonly originalPrompt: string | null;
  readonly verb: string | null;
  readonly args: Readonly<Record<string, unknown>>;
  /** What is wrong with it, in words; null: nothing. */
  readonly wrong: string | null;
  /** `args` as they were probably meant, where they came in another form; null: as they are. */
  readonly meantArgs: Readonly<Record<string, unknown>> | null;
}

const MAX_PROMPT = 32_000;

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value);

export function readTurn(input: Readonly<Record<string, unknown>>): TurnRequest {
  const wrong: string[] = [];
  const id = (field: 'runSessionId' | 'workId'): string | null => {
    const value = input[field];
    if (value === undefined || value === null || value === '') return null;
    if (typeof value === 'string' && PATH_ID.test(value)) return value;
    wrong.push(
      `${field} has to begin with a letter or digit and to have only letters, digits, dot, underscore and hyphen, at most 64 characters; leave it out`,
    );
    return null;
  };
  const text = (field: 'originalPrompt' | 'agentId', most: number): string | null => {
    const value = input[field];
    if (value === undefined || value === null || value === '') return null;
    if (typeof value === 'string') return value.slice(0, most).toWellFormed();
    wrong.push(`${field} is a text`);
    return null;
  };
  const given = input['args'];
  const parsed = typeof given === 'string' ? parse(given) : given;
  const isWrong = given !== undefined && given !== null && !isRecord(given);
  if (isWrong) wrong.push(`args is an object such as {"targetFile": "src/a.ts"}, not ${typeof given === 'string' ? 'a text' : 'a list'}`);
  return {
    runSessionId: id('runSessionId'),
    workId: id('workId'),
    agentId: text('agentId', 256),
    originalPrompt: text('originalPrompt', MAX_PROMPT),
    verb: typeof input['verb'] === 'string' && input['verb'] !== '' ? input['verb'] : null,
    args: isRecord(given) ? given : {},
    wrong: wrong.length > 0 ? wrong.join('; ') : null,
    meantArgs: isWrong && isRecord(parsed) ? parsed : null,
  };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return null;
  }
}

/** Arguments that a verb needs and that are not there. */
export function missingArgs(verb: Verb, args: Readonly<Record<string, unknown>>): readonly string[] {
  const { requiredArgs, oneOf } = verbEntry(verb);
  const isGiven = (name: string) => args[name] !== undefined && args[name] !== null && args[name] !== '';
  if (oneOf) return oneOf.some(isGiven) ? [] : requiredArgs;
  return requiredArgs.filter((name) => !isGiven(name));
}

/** The same arguments under the names that they have here; null: nothing was misnamed, or something is still missing. */
export function renamedArgs(verb: Verb, args: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> | null {
  const { meant = {}, requiredArgs, optionalArgs, oneOf = [] } = verbEntry(verb);
  const known = new Set([...requiredArgs, ...optionalArgs, ...oneOf]);
  const renamed = new Map<string, unknown>();
  for (const [name, value] of Object.entries(args)) {
    const to = known.has(name) ? name : meant[name];
    if (to !== undefined && (known.has(name) || !renamed.has(to))) renamed.set(to, value);
  }
  const result = Object.fromEntries(
    [...renamed].map(([name, value]) => [name, name === 'blockingReasons' && typeof value === 'string' ? [value] : value]),
  );
  const isSame = Object.keys(args).every((name) => known.has(name)) && JSON.stringify(result) === JSON.stringify(args);
  return isSame || missingArgs(verb, result).length > 0 ? null : result;
}

/** A verb of that name, or the one that was probably meant: `readFileLines`, `read-file-lines`. */
export function verbMeant(name: string): Verb | null {
  if (isVerb(name)) return name;
  const plain = name
    .replaceAll(/([a-z])([A-Z])/g, '$1_$2')
    .replaceAll(/[^A-Za-z]+/g, '_')
    .toLowerCase();
  return isVerb(plain) ? plain : null;
}

const MAX_TRACE_BYTES = 4_096;

/** A turn as it is kept: of a long `traceMeta` its beginning. It is recorded and never judged. */
export function keptTurn(input: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const text = input['traceMeta'] === undefined ? '' : JSON.stringify(input['traceMeta']);
  const bytes = Buffer.from(text);
  if (bytes.length <= MAX_TRACE_BYTES) return { ...input };
  const begins = new TextDecoder().decode(bytes.subarray(0, MAX_TRACE_BYTES), { stream: true });
  return { ...input, traceMeta: { cut: { bytes: bytes.length, begins } } };
}

/** What the request is charged for: all of it, as it was sent. */
export function sentBytes(kept: Readonly<Record<string, unknown>>): number {
  const trace = kept['traceMeta'];
  const cut = isRecord(trace) && isRecord(trace['cut']) ? trace['cut'] : null;
  const left = cut && typeof cut['bytes'] === 'number' ? Math.max(0, cut['bytes'] - Buffer.byteLength(JSON.stringify(trace))) : 0;
  return Buffer.byteLength(JSON.stringify(kept)) + left;
}
