// The part of the code index that packs use. Threads load it before their first file, so it has no parser and no schema.

export { fileId, type GraphContent, type GraphEdge, type GraphNode, type Json, symbolId } from './graph/graph-model.ts';
export type { FilePart, PartDefinition } from './graph/file-part.ts';
export type { NameResolver } from './graph/name-resolver.ts';
export type { ComponentFact, TemplateFact } from './model.ts';
export type {
  ClassDescription,
  CodePack,
  GraphPack,
  PackInput,
  PackSource,
  StoredComponent,
  TemplateRows,
  TemplateSource,
} from './pack.ts';
export { childrenOf, nodeIn, nodesIn, plainKey, type SyntaxNode, textIn } from './syntax-node.ts';
