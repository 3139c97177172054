// client: typed queries, typed commands and the resumable event stream, for the command line, the page and editors.
// Invariant: browser-safe, and no schema is built: the registries are read as types, addresses and statements as plain data. Node's own
// transport is behind the second front, node.ts.
// Refuses: to decide, to retry a command, or to send one without naming it.

export { type ActOptions, type Client, type ClientOptions, createClient } from './client.ts';
export { type Follower, type StreamListener } from './event-stream.ts';
export { bodyOf, Refused } from './refused.ts';
export type { Signer } from './signer.ts';
export type { Answer, Transport } from './transport.ts';
