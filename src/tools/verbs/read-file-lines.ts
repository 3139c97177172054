// read_file_lines: lines of a file.

import { z } from 'zod';
import { readFile } from '../native/read-file.ts';
import { renamed } from './renamed.ts';

const Line = z.int().min(1).optional();

export const readFileLines = renamed({
  name: 'read_file_lines',
  description: 'Reads lines of a file.',
  input: z.strictObject({ targetFile: z.string().min(1).max(1_024), startLine: Line, endLine: Line }),
  tool: readFile,
  as: ({ targetFile, startLine, endLine }) => ({
    path: targetFile,
    ...(startLine === undefined ? {} : { start_line: startLine }),
    ...(endLine === undefined ? {} : { end_line: endLine }),
  }),
});
