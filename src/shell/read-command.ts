// Reads a shell command and classifies it. Pure: no disk, no daemon; never throws. INVARIANT: what is not proven to only read is not SAFE,
// and unreadable text counts as the worst.

import { parse } from 'unbash';
import { authorityCommandIn } from './authority-commands.ts';
import type { CommandReading } from '../protocol/index.ts';
import { LIMITS, type ConstructCode } from './construct-rules.ts';
import { findHiddenCharacters } from './hidden-characters.ts';
import { scanText } from './judge-arguments.ts';
import { findingOf } from './judgement.ts';
import type { Place, Write } from './resolve-writes.ts';
import type { Level } from './rule.ts';
import { type PartFinding, Walk } from './walk.ts';

/** A command's class in a place, and what it writes there. */
export interface PlacedReading extends CommandReading {
  readonly writes: Write[];
  /** The list of writes is complete, and each path is known. */
  readonly writes_complete: boolean;
}

export function readCommand(command: string): CommandReading;
export function readCommand(command: string, place: Place): PlacedReading;
export function readCommand(command: string, place: Place | null = null): CommandReading | PlacedReading {
  return place === null ? { ...summarize(read(command, place).findings), ...authorityIn(command) } : readPlaced(command, place).reading;
}

/** The class of a command, and the places that its words may name: absolute, patterns among them. */
export function readPlaced(command: string, place: Place): { readonly reading: PlacedReading; readonly named: readonly string[] } {
  const { findings, walk } = read(command, place);
  const complete = walk.complete && walk.parts <= LIMITS.parts && !findings.some(({ code }) => code === 'UNREADABLE');
  const reading = { ...summarize(findings), ...authorityIn(command), writes: distinct(walk.writes), writes_complete: complete };
  return { reading, named: [...walk.named] };
}

/** A part of a command that is not SAFE, as written in the text. */
export interface PartReading {
  readonly part: string;
  readonly class: Level;
  readonly reasons: readonly { readonly code: string; readonly class: Level; readonly message: string }[];
}

/** The parts in reading order, for a person, with the same limits as `readCommand`. */
export function readParts(command: string, place: Place): PartReading[] {
  const parts = Map.groupBy(read(command, place).findings, ({ part }) => cut(part, LIMITS.partText));
  return [...parts].slice(0, LIMITS.reasons).map(([part, findings]) => {
    const reasons = findings.map(({ code, level, message }) => ({ code, class: level, message: cut(message, LIMITS.messageText) }));
    const distinctReasons = [...new Map(reasons.map((reason) => [reason.message, reason])).values()];
    return { part, class: ORDER.find((level) => reasons.some((reason) => reason.class === level))!, reasons: distinctReasons };
  });
}

function read(command: string, place: Place | null): { readonly findings: readonly PartFinding[]; readonly walk: Walk } {
  const findings: PartFinding[] = [];
  const walk = new Walk(command, findings, place);
  const whole = (code: ConstructCode, detail: string, part = command): void => void findings.push({ ...findingOf(code, detail), part });

  const hidden = findHiddenCharacters(command);
  if (hidden !== null) whole('CONTROL_CHARACTERS', hidden.names, command.slice(Math.max(0, hidden.index - 20)));
  // UTF-16 units first: a text of this many is too long in bytes too, and counting the bytes of a huge one takes time.
  const bytes = command.length > LIMITS.readBytes ? command.length : Buffer.byteLength(command);
  if (bytes > LIMITS.safeBytes) whole('TOO_LONG', `is longer than ${LIMITS.safeBytes} bytes`);
  if (bytes > LIMITS.readBytes) whole('UNREADABLE', `longer than ${LIMITS.readBytes} bytes`);
  else {
    try {
      walk.script(parse(command), { pos: 0, end: command.length });
      // Where the grammar fails, bash may continue and run the rest.
      if (findings.some(({ code }) => code === 'PARSE_ERROR' || code === 'MISREAD')) {
        const known = new Set(findings.map(({ message }) => message));
        for (const finding of scanText(command)) if (!known.has(finding.message)) findings.push({ ...finding, part: command });
      }
      if (walk.stopped) whole('UNREADABLE', `more than ${LIMITS.readParts} parts`);
      else if (walk.parts > LIMITS.parts) whole('TOO_MANY_PARTS', String(walk.parts));
    } catch (error) {
      // The grammar recurses as deep as its input nests; the stack's end arrives as a RangeError.
      whole('UNREADABLE', error instanceof RangeError ? 'nested too deep' : String(error));
    }
  }
  // Kept on this machine, the environment is only unproven; sent away, its secrets are exposed.
  const has = (code: ConstructCode): boolean => findings.some((finding) => finding.code === code);
  if (has('SHOWS_ENVIRONMENT') && has('NETWORK')) whole('READS_SECRET', 'the environment, and talks to another machine');
  if (place?.network !== true) return { findings, walk };
  // Network that the intent grants is only unproven.
  return { findings: findings.map((finding) => (finding.code === 'NETWORK' ? { ...finding, level: 'MUTATING' } : finding)), walk };
}

function authorityIn(command: string): Pick<CommandReading, 'authority'> {
  const authority = authorityCommandIn(command);
  return authority === null ? {} : { authority };
}

const distinct = (writes: readonly Write[]): Write[] => [
  ...new Map(writes.map((write) => [`${write.known} ${write.exact} ${write.path}\0${write.resolved}`, write])).values(),
];

const ORDER: readonly Level[] = ['WRITES_OUTSIDE', 'DESTRUCTIVE', 'MUTATING'];

/** The strictest decides, and comes first. */
function summarize(findings: readonly PartFinding[]): CommandReading {
  const byLevel = {
    WRITES_OUTSIDE: new Map<string, Reason>(),
    DESTRUCTIVE: new Map<string, Reason>(),
    MUTATING: new Map<string, Reason>(),
  };
  for (const { level, code, part, message } of findings) {
    const reasons = byLevel[level];
    if (reasons.size === LIMITS.reasons) continue;
    const reason = { code, part: cut(part, LIMITS.partText), message: cut(message, LIMITS.messageText) };
    reasons.set(`${code} ${reason.part}\0${reason.message}`, reason);
  }
  const sorted = ORDER.flatMap((level) => [...byLevel[level].values()]);
  return { class: ORDER.find((level) => byLevel[level].size > 0) ?? 'SAFE', reasons: sorted.slice(0, LIMITS.reasons) };
}

type Reason = CommandReading['reasons'][number];

/** The beginning, never half a character. */
function cut(text: string, length: number): string {
  if (text.length <= length) return text;
  const last = text.charCodeAt(length - 1);
  return text.slice(0, last >= 0xd800 && last <= 0xdbff ? length - 1 : length);
}
