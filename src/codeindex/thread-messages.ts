// What the code index and its thread say to each other.

import type { MutationClass } from '../protocol/index.ts';
import type { Codemod, Rewritten } from './codemods/codemod.ts';
import type { CodeSymbol } from './symbols-of.ts';

export type Question =
  | { readonly kind: 'classify'; readonly path: string; readonly before: string | null; readonly after: string | null }
  | { readonly kind: 'symbols'; readonly path: string; readonly text: string }
  | { readonly kind: 'rewrite'; readonly path: string; readonly text: string; readonly codemods: readonly Codemod[] };

export type Answer =
  | { readonly kind: 'classify'; readonly mutation: MutationClass }
  | { readonly kind: 'symbols'; readonly symbols: readonly CodeSymbol[] }
  | { readonly kind: 'rewrite'; readonly rewritten: Rewritten };
