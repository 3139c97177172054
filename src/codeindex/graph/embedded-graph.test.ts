import { assemble } from './assemble.ts';
import { EmbeddedGraph } from './embedded-graph.ts';
import { graphContract } from './graph-contract.fixture.ts';

graphContract('embedded', { open: async (content) => new EmbeddedGraph(assemble([content])), runs: 500 });
