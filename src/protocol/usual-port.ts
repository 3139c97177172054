/** Where the daemon listens if nothing else is there. */
export const USUAL_PORT = 8722;
