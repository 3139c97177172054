// codeindex: what code says, read from its syntax trees.
// Owns the parsers and their threads, the class of a change, the index of a tree (definitions, references, text and ranking) and what
// packs can add to it.
// Invariant: a change counts as a refactoring only when that is shown; an answer names the content it was seen in; a file that
// cannot be parsed costs its own facts and an event, never the index.
// Refuses: to run code of the tree, to follow links, to read what agents may not see, and to hand a parser what could overflow its stack.

export { type CodeIndex, openCodeIndex, type TreeSettings } from './code-index.ts';
export { globsOfLanguage } from './extract/language-of.ts';
export { type Codemod, isDeclined, type Replacement, replaced, type Rewritten } from './codemods/codemod.ts';
export { documentSearch } from './documents.ts';
export type { CodeSymbol, SymbolKind } from './symbols-of.ts';
export * from './graph/exports.ts';
export * from './model.ts';
export { openTreeIndex } from './tree/tree-index.ts';
export { firstScan, LATE, unlessLate } from './waiting.ts';
