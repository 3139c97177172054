// Angular for the code index: what classes say by their decorators, templates, and the part of the graph that grids, routes and
// federation make. The graph's part is loaded with the first graph.

import type { CodePack } from '../../codeindex/plain.ts';
import { describeClass } from './templates/angular-class.ts';
import { readTemplate } from './templates/template.ts';

export const pack: CodePack = {
  name: 'angular',
  describeClass,
  // A page without Angular is a template without bindings.
  templateLanguages: ['html'],
  readTemplate,
  graph: async () => (await import('./angular-graph.ts')).angularGraph,
};
