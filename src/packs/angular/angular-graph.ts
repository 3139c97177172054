// What the pack reads for the graph, and of which files.

import type { FilePart, GraphPack, TemplateFact } from '../../codeindex/plain.ts';
import { angularContent } from './angular-content.ts';
import { type AngularFacts, NO_ANGULAR_FACTS } from './angular-facts.ts';
import { readAngular } from './read-angular.ts';

const PACKAGES = /^(?:@angular\/|@angular-architects\/|@ag-grid|ag-grid|@module-federation|@nx\/|@softarc\/native-federation)/;
const CONFIGURATION = /(?:^|\/)(?:[\w.-]*federation[\w.-]*|webpack[\w.-]*)\.[cm]?[jt]s$/;
const MANIFEST = /(?:^|\/)[\w.-]*manifest[\w.-]*\.json$/;

/** Elements of grids, what is bound to them, links. */
const IN_TEMPLATES = /^(?:ag-grid-angular|routerLink|columnDefs|gridOptions|cellClicked|cellDoubleClicked|rowClicked|rowDoubleClicked)$/;

/** What a template gives to an element of the application's own: a grid may be wrapped in one. */
const isPassedOn = ({ what, element }: TemplateFact): boolean => what === 'input' && element !== null && element.includes('-');

export const angularGraph = {
  keeps: (fact: TemplateFact) => fact.what !== 'text' && (IN_TEMPLATES.test(fact.name) || isPassedOn(fact)),
  isFor: ({ file, imports }: FilePart) =>
    CONFIGURATION.test(file.path) || MANIFEST.test(file.path) || imports.some(({ specifier }) => PACKAGES.test(specifier)),
  read: readAngular,
  nothing: NO_ANGULAR_FACTS,
  content: angularContent,
} satisfies GraphPack<AngularFacts>;
