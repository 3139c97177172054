// The registry: the one set of tools of a daemon. The kernel describes calls by it, MCP surfaces are generated from it, hook adapters
// translate into it. Packs can be added and taken away while the daemon runs.

import { Fault, type Surface, SURFACES, type Tool, type ToolPack, type ToolRegistry } from '../protocol/index.ts';
import { checkListings, checkNames, type Listing } from './check-pack.ts';
import { callUnknown } from './native/unknown-tool.ts';

/** `packs`: the daemon's own. A test checks what they show to agents: that takes longer than a hook should wait for a daemon. */
export function createRegistry(packs: readonly ToolPack[]): ToolRegistry {
  const packNames = new Set<string>();
  const tools = new Map<string, Tool>([[callUnknown.name, callUnknown]]);
  /** For every tool that was ever added, even if it was removed. */
  const listings = new Map<string, Listing>();
  const listeners = new Set<() => void>();
  const changed = () => {
    for (const listener of listeners) listener();
  };

  const register = (pack: ToolPack) => {
    packNames.add(pack.name);
    for (const tool of pack.tools) tools.set(tool.name, tool);
  };

  for (const pack of packs) {
    checkNames(pack, { packs: packNames, tools });
    register(pack);
  }
  return {
    add: ({ name, tools: given }) => {
      // Copies: agents are shown what was checked, even if the pack changes.
      const pack = { name, tools: given.map((tool) => Object.freeze({ ...tool })) };
      checkNames(pack, { packs: packNames, tools });
      const checked = checkListings(pack, listings);
      register(pack);
      for (const [tool, listing] of checked) listings.set(tool, listing);
      changed();
      let isThere = true;
      return () => {
        if (!isThere) return;
        isThere = false;
        packNames.delete(name);
        for (const tool of pack.tools) tools.delete(tool.name);
        changed();
      };
    },
    toolsOn: (surface) => {
      refuseUnknown(surface);
      return [...tools.values()].filter(({ surfaces }) => surfaces.includes(surface));
    },
    describeCall: ({ tool: name, input, place }) => {
      const tool = tools.get(name);
      const call = tool ? tool.describe(input, place) : callUnknown.describe({ name, arguments: input }, place);
      // It would count as an observation, which hardly any policy restricts.
      if (call.effects.length === 0) throw new Error(`${call.tool} declares no effect`);
      return call;
    },
    onChange: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

function refuseUnknown(surface: Surface): void {
  if (!SURFACES.includes(surface)) throw new Fault('BAD_REQUEST', `There is no surface ${String(surface)}.`);
}
