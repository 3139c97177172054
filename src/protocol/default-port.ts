/** The daemon's port, if it is free. */
export const DEFAULT_PORT = 8722;
