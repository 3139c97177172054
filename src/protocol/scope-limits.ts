/** The limits of one scope: enough for any piece of work, small enough to judge on every call. */
export const SCOPE_LIMITS = { globs: 50, characters: 1024 } as const;
