// What a piece of code is given, and what became of it.

export interface CodeLimits {
  readonly timeoutMs: number;
  readonly memoryMb: number;
}

export const CODE_LIMITS = {
  timeoutMs: { usual: 2_000, most: 30_000 },
  memoryMb: { usual: 64, most: 256 },
  /** Of the code, of all inputs together, and of what it returns, in characters. */
  code: 100_000,
  inputs: 2_000_000,
  result: 1_000_000,
} as const;

export interface CodeOrder extends CodeLimits {
  /** An async IIFE: `(async () => { … return value; })()`. */
  readonly code: string;
  /** JSON values by name; the code sees them as `inputs`, frozen. */
  readonly inputs: Readonly<Record<string, unknown>>;
}

/** What the thread is sent: inputs are text, so that nothing of this process is shared. */
export interface ThreadOrder {
  readonly code: string;
  readonly inputs: string;
  readonly memoryMb: number;
}

export type CodeEnd =
  | { readonly kind: 'returned'; readonly json: string }
  /** It returned nothing that JSON can hold. */
  | { readonly kind: 'nothing' }
  | { readonly kind: 'threw'; readonly message: string }
  /** It is not an async IIFE. */
  | { readonly kind: 'not_async' }
  /** Its promise is never settled. */
  | { readonly kind: 'pending' }
  | { readonly kind: 'too_large' }
  | { readonly kind: 'stopped'; readonly why: 'time' | 'memory' | 'cancelled' };
