// Who is next to whom, in flat arrays: node number n's edges are `edge[start[n] … start[n + 1]]`. Two of them, one for each direction.

export interface Adjacency {
  readonly start: Uint32Array;
  /** Numbers of edges, in the order in which they were given. */
  readonly edge: Uint32Array;
}

/** `owner[e]` is the node that edge e belongs to. */
export function adjacencyOf(nodes: number, owner: Uint32Array): Adjacency {
  const start = new Uint32Array(nodes + 1);
  for (const node of owner) start[node + 1]!++;
  for (let node = 0; node < nodes; node++) start[node + 1]! += start[node]!;
  const next = start.slice(0, nodes);
  const edge = new Uint32Array(owner.length);
  for (let number = 0; number < owner.length; number++) edge[next[owner[number]!]!++] = number;
  return { start, edge };
}
