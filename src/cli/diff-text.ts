// A unified difference, in colour on a terminal.

import { visible } from '../protocol/plain.ts';
import { paint } from './terminal-text.ts';

const COLOURS: Readonly<Record<string, 'green' | 'red' | 'cyan'>> = { '+': 'green', '-': 'red', '@': 'cyan' };

export const diffText = (diff: string): string =>
  diff
    .split('\n')
    .map((line) => {
      const [colour, text] = [COLOURS[line[0] ?? ''], visible(line, 'block')];
      return colour ? paint(colour, text) : text;
    })
    .join('\n');
