// How a question says that code in it may come from a page: a page can tell an agent what to write.

import type { ForeignTextFact } from './facts.ts';

export const foreignTextNote = ({ source, files }: ForeignTextFact): string =>
  `${files.join(', ')}: written in this session after it had read text from outside (${source}).`;
