// Our own tools without a daemon behind them, for tests of what they declare.

import type { CallPlace, ToolCall, ToolRegistry } from '../protocol/index.ts';
import { createRegistry, ownPack, type ToolDeps } from './index.ts';

const NO_DEPS = new Proxy({} as ToolDeps, {
  get: (_deps, name) => {
    throw new Error(`this test gives the tools no ${String(name)}`);
  },
});

export const ownRegistry = (deps: Partial<ToolDeps> = NO_DEPS): ToolRegistry => createRegistry([ownPack(deps as ToolDeps)]);

const own = ownRegistry();

export const describeCall = (tool: string, input: Record<string, unknown>, place: CallPlace): ToolCall =>
  own.describeCall({ tool, input, place });
