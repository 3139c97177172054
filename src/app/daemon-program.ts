// The file that is run as a daemon.

import { fileURLToPath } from 'node:url';

export const PROGRAM = fileURLToPath(new URL('./main.ts', import.meta.url));
