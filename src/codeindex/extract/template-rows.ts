// What a template says, as places in the text.

import type { TEMPLATE_KINDS } from '../segment/builder.ts';

export interface TemplateRow {
  readonly what: (typeof TEMPLATE_KINDS)[number];
  readonly name: string;
  readonly at: number;
  /** Its value; -1 without one. */
  readonly start: number;
  readonly end: number;
  readonly element: string | null;
}

/** A name of the class, or of what `receiver` names. */
export interface UseRow {
  readonly name: string;
  readonly at: number;
  readonly receiver: string | null;
}
