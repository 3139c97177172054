// What can go wrong with a server that is asked, in one form whatever server it is.

export type FailureKind =
  /** A human has not set it up, or has not allowed the host. */
  | 'not_set_up'
  /** The credential is not accepted. */
  | 'unauthorized'
  | 'not_found'
  /** The server asks to wait longer than is waited here. */
  | 'rate_limited'
  /** No answer, or one that says that the server is in trouble. */
  | 'unavailable'
  | 'too_slow'
  | 'too_large'
  /** An answer that cannot be used: not of the form that was asked for. */
  | 'bad_answer';

export class ConnectorFailure extends Error {
  readonly kind: FailureKind;
  readonly fix: string;
  /** Tries that were made, in order. */
  readonly trace: readonly Try[];
  constructor(kind: FailureKind, message: string, fix: string, trace: readonly Try[] = [], cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = 'ConnectorFailure';
    this.kind = kind;
    this.fix = fix;
    this.trace = trace;
  }
}

/** One request that left this machine. */
export interface Try {
  /** Without credentials and without the query. */
  readonly url: string;
  /** The status, or the code of the error. */
  readonly answer: number | string;
  readonly ms: number;
}
