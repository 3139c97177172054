// A codemod: changes of a text at places that its syntax tree shows. Everything else, comments and layout included, stays as it is.

import MagicString from 'magic-string';

export interface Replacement {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** Why nothing is changed, in words. */
export interface Declined {
  readonly declined: string;
}

export type Rewritten = { readonly text: string; readonly changes: number } | Declined;

export type Codemod =
  | { readonly type: 'rename_identifier_in_file'; readonly from: string; readonly to: string }
  | { readonly type: 'update_import_specifier'; readonly from: string; readonly to: string; readonly module?: string | undefined }
  | { readonly type: 'update_route_path_literal'; readonly from: string; readonly to: string }
  | { readonly type: 'rewrite_template_tag'; readonly from: string; readonly to: string };

export function replaced(text: string, places: readonly Replacement[]): string {
  const edited = new MagicString(text);
  for (const { start, end, text: put } of places) edited.overwrite(start, end, put);
  return edited.toString();
}

export const declined = (why: string): Declined => ({ declined: why });
export const isDeclined = <T extends object>(result: T | Declined): result is Declined => Object.hasOwn(result, 'declined');
