// Ordinary work with the clients that every run of all suites has; Codex does all of it where the other clients run too.

import { BYPASSES } from './ordinary/bypasses.ts';
import { A_FEW, holdToFigures } from './ordinary/hold-to-figures.ts';

holdToFigures('claude');
if (process.env['COUNTERSIGN_LEFT'] === '') holdToFigures('codex');
else holdToFigures('codex', A_FEW, BYPASSES.slice(0, 3));
