// packs: what the program knows of single frameworks, as data and small code.
// Owns Angular: its templates, ag-Grid, routes and module federation.
// Invariant: other rooms know a pack by its interface alone; without packs the index and the graph work, and say less.
// Refuses: to keep state, to change anything, and to load a framework's compiler before there is a file for it.

export { CODE_PACKS } from './code-packs.ts';
