// Adapters by name. A new agent is a folder beside `claude/` and a line here.

import type { HookAdapter } from './adapter.ts';
import { claude } from './claude/adapter.ts';

export const hookAdapters: ReadonlyMap<string, HookAdapter> = new Map([claude].map((adapter) => [adapter.name, adapter]));
