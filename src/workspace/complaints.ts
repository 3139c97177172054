// What is wrong with a document, in the one form that people see: file, line, value; the first few, and what to do.

import { Fault } from '../protocol/index.ts';

export interface Complaint {
  readonly line: number;
  readonly what: string;
}

const COMPLAINTS_MAX = 5;

export function invalidDocument(file: string, complaints: readonly Complaint[], fix: string): Fault {
  const shown = complaints.slice(0, COMPLAINTS_MAX).map(({ line, what }) => `${file}:${line}: ${what}`);
  const more = complaints.length > COMPLAINTS_MAX ? [`and ${complaints.length - COMPLAINTS_MAX} more`] : [];
  return new Fault('DOCUMENT_INVALID', [...shown, ...more].join('\n'), { fix });
}
