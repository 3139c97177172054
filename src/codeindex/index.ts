// codeindex: what code says, read from its syntax trees.
// Owns the parser and its thread, the names and scopes of a program, the class of a change and the symbols of a file.
// Invariant: a change counts as a refactoring only when that is shown; what cannot be read or compared is INTENT_EVOLUTION.
// Refuses: to read files, to run code, and to hand the parser a text that could overflow its stack.

export { type CodeIndex, openCodeIndex } from './code-index.ts';
export type { CodeSymbol, SymbolKind } from './symbols-of.ts';
