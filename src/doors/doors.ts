// The doors of agents, one line for each. The daemon opens them; the HTTP server has their routes.

import type { OpenDoor } from './door.ts';
import { hookDoor } from './hooks/door.ts';
import { mcpDoor } from './mcp/door.ts';
import { turnDoor } from './turn/door.ts';

export const DOORS: readonly OpenDoor[] = [hookDoor, mcpDoor, turnDoor];
