/** The daemon's port, if it is free. */
export const USUAL_PORT = 8722;
