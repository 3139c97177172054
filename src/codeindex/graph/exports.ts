// What other rooms use of the graph.

export { ANCHOR_DEFAULTS, anchorFoldersOf, type AnchorSettings } from './anchors.ts';
export type { Around, Graph, GraphEdge, GraphNode, GraphSummary, Json } from './graph-model.ts';
export { assertLocal, NEO4J_DEFAULT_ADDRESS, type Neo4jSettings } from './neo4j-connection.ts';
export { type GraphTrace, type TraceRequest, traceGraph } from './trace-graph.ts';
export { type ExportReport, type SyncReport, TreeGraph } from './tree-graph.ts';
export { termsOf, tokensOf } from '../text/terms.ts';
