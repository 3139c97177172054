// connectors: Jira, API descriptions, and the one way in which they and the providers of models reach another host.
// Owns where an address is, the pinning of names to addresses, and requests: retries, waits, redirects, cache, trace, and failures in one form.
// Invariant: a request leaves only for a host that a human allowed, at an address of its kind, and a token only for its own host.
// Refuses: to decide who may fetch, to read files, and to send anything but a GET.

export { Connectors, type ConnectorPorts, type FetchedArtifact } from './connectors.ts';
export { ConnectorFailure } from './failure.ts';
export { networkKind } from './network-kind.ts';
export type { OperationSlice } from './openapi/slice-spec.ts';
export { checkLiteral, literalIn, type Pin, pinnedLookup } from './pinned-lookup.ts';
