// The MCP surfaces: which set of tools a connection is offered. Without schemas, so that the pipe of an agent's session can load it.

export const SURFACES = ['hooked', 'contract', 'controller'] as const;
export type Surface = (typeof SURFACES)[number];

/** Those that a client may name. */
export const OPEN_SURFACES: readonly Surface[] = SURFACES;

export const isOpenSurface = (name: string): name is Surface => OPEN_SURFACES.some((surface) => surface === name);
