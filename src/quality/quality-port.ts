import type { Action, CheckName, QualityReport } from '../protocol/index.ts';

/** The workspace's own checks. */
export interface QualityPort {
  /** Runs them on a copy of the tree, and takes over what a formatter made of the session's own changes. */
  readonly validate: (request: {
    readonly action: Action;
    /** Null: all. */
    readonly checks: readonly CheckName[] | null;
  }) => Promise<QualityReport>;
  /** Those that the workspace has. */
  readonly checksOf: (root: string) => Promise<readonly { readonly check: CheckName; readonly command: string }[]>;
  /** The formatter's output, by its hash. */
  readonly contentOf: (sha256: string) => Promise<Uint8Array | null>;
}
