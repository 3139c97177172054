// Reads a shell command and says how far it goes. Pure: no disk, no daemon; never throws.
// INVARIANT: what is not proven to only read is not SAFE, and what could not be read at all is held like the worst.

import { parse } from 'unbash';
import type { CommandReading } from '../../protocol/index.ts';
import { LIMITS, type ConstructCode } from './construct-rules.ts';
import { findHiddenCharacters } from './hidden-characters.ts';
import { findingOf, scanText } from './judge-arguments.ts';
import { type PartFinding, Walk } from './walk.ts';

export function readCommand(command: string): CommandReading {
  const findings: PartFinding[] = [];
  const whole = (code: ConstructCode, detail: string, part = command): void => void findings.push({ ...findingOf(code, detail), part });

  const hidden = findHiddenCharacters(command);
  if (hidden !== null) whole('CONTROL_CHARACTERS', hidden.names, command.slice(Math.max(0, hidden.index - 20)));
  // UTF-16 units first: a text of this many is too long in bytes too, and counting the bytes of a huge one takes time.
  const bytes = command.length > LIMITS.readBytes ? command.length : Buffer.byteLength(command);
  if (bytes > LIMITS.safeBytes) whole('TOO_LONG', `is longer than ${LIMITS.safeBytes} bytes`);
  if (bytes > LIMITS.readBytes) whole('UNREADABLE', `longer than ${LIMITS.readBytes} bytes`);
  else {
    try {
      const walk = new Walk(command, findings);
      walk.script(parse(command), { pos: 0, end: command.length });
      // Where the grammar loses its way, bash may go on and run the rest.
      if (findings.some(({ code }) => code === 'PARSE_ERROR' || code === 'MISREAD')) {
        const known = new Set(findings.map(({ message }) => message));
        for (const finding of scanText(command)) if (!known.has(finding.message)) findings.push({ ...finding, part: command });
      }
      if (walk.parts > LIMITS.parts) whole('TOO_MANY_PARTS', String(walk.parts));
    } catch (error) {
      // The grammar recurses as deep as its input nests; the stack's end arrives as a RangeError.
      whole('UNREADABLE', error instanceof RangeError ? 'nested too deep' : String(error));
    }
  }
  return summarize(findings);
}

function summarize(findings: readonly PartFinding[]): CommandReading {
  const worst = findings.filter((finding) => finding.level === 'DESTRUCTIVE');
  const rest = findings.filter((finding) => finding.level !== 'DESTRUCTIVE');
  const reasons = new Map<string, CommandReading['reasons'][number]>();
  for (const { code, part, message } of [...worst, ...rest]) {
    if (reasons.size === LIMITS.reasons) break;
    const reason = { code, part: cut(part, LIMITS.partText), message: cut(message, LIMITS.messageText) };
    reasons.set(JSON.stringify(reason), reason);
  }
  return { class: worst.length > 0 ? 'DESTRUCTIVE' : rest.length > 0 ? 'MUTATING' : 'SAFE', reasons: [...reasons.values()] };
}

/** The beginning, never half a character. */
function cut(text: string, length: number): string {
  if (text.length <= length) return text;
  const last = text.charCodeAt(length - 1);
  return text.slice(0, last >= 0xd800 && last <= 0xdbff ? length - 1 : length);
}
