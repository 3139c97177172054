// client, on Node: the owner's socket as transport, finding a user's daemon, and starting it when needed.
// Invariant: a command proves which process gives it before it is sent.
// Refuses: to hand a new daemon more of the environment than a short list.

export { type DaemonClient, daemonClient } from './daemon-client.ts';
export { type Home, homeOf } from './home.ts';
export { VERSION } from './version.ts';
export { socketTransport } from './socket-transport.ts';

/** Loaded when it is called: most commands find a daemon. */
export const ensureDaemon: typeof import('./spawn-daemon.ts').ensureDaemon = async (...given) =>
  (await import('./spawn-daemon.ts')).ensureDaemon(...given);
