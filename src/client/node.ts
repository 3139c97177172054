// client, on Node: the owner's socket as transport, where a user's daemon is, and starting it when it is needed.
// Invariant: a command proves which process gives it before it is sent.
// Refuses: to hand a new daemon more of the environment than a short list.

export { type Home, homeOf } from './home.ts';
export { socketTransport } from './socket-transport.ts';
export { ensureDaemon } from './spawn-daemon.ts';
