// The wall program's request: five fields, separated by zero bytes, because a shell can write them without an encoder. The answer is lines,
// because a shell can read them: the verdict, then what it needs. The last line shows that nothing was cut off.

import { Fault, type WallAnswer, type WallCall, type WallLimits } from '../../protocol/index.ts';

export function readWallCall(agent: string, body: unknown): WallCall {
  const [nativeSession, cwd, tempFolder, userHome, ...rest] = Buffer.isBuffer(body) ? body.toString('utf8').split('\0') : [];
  if (nativeSession === undefined || cwd === undefined || tempFolder === undefined || userHome === undefined || rest.length !== 1)
    throw new Fault('BAD_REQUEST', 'body: five fields, separated by zero bytes, are expected');
  if (![cwd, tempFolder, userHome].every((place) => place.startsWith('/')))
    throw new Fault('BAD_REQUEST', 'body: folders have to be absolute');
  return { agent, nativeSession, cwd, tempFolder, userHome, line: rest[0] ?? '' };
}

export function writeWallAnswer(answer: WallAnswer): string {
  const command = 'command' in answer && answer.command !== undefined ? [inOneLine(answer.command)] : [];
  const lines = ['walled', ...('prefix' in answer ? [answer.temp, limitsIn(answer.limits), ...answer.prefix, ...command] : [])];
  if (answer.kind === 'refused') lines.splice(0, lines.length, 'refused', answer.why);
  if (answer.kind === 'open') lines.splice(0, lines.length, 'open', ...command);
  // A word with a line break, or an empty one, would be read as others.
  if (lines.some((line) => line === '' || line.includes('\n'))) return 'refused\nthe walls have a name that cannot be passed on.\n.';
  return `${lines.join('\n')}\n.`;
}

/** As `printf %b` reads it. */
const inOneLine = (text: string): string => text.replaceAll('\\', '\\\\').replaceAll('\n', '\\n');

const limitsIn = ({ processes, join }: WallLimits): string => [processes, ...join].join(' ');
