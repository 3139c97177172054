// What a client needs from a transport: one request, one command, one stream of text.

/** `body`: the parsed JSON; null where there is none. */
export interface Answer {
  readonly status: number;
  readonly body: unknown;
}

/** Each rejects with a fault `DAEMON_UNAVAILABLE`, or with the caller's own abort, when nothing answers. A daemon's error is an answer. */
export interface Transport {
  readonly get: (path: string, signal?: AbortSignal) => Promise<Answer>;
  /** `content`: the body, from the challenge that this one call may sign; null: this transport has no challenge. */
  readonly post: (path: string, content: (challenge: string | null) => object, withinMs?: number) => Promise<Answer>;
  /**
   * A command whose progress is sent while it runs: text as it comes. An answer that is not a stream comes with its status and body. The signal
   * cancels the command. Absent: this transport only waits for answers.
   */
  readonly postAndFollow?: (
    path: string,
    content: (challenge: string | null) => object,
    onText: (text: string) => void,
    signal: AbortSignal,
  ) => Promise<Answer>;
  /** Text as it comes, until the stream or the signal ends. An answer that is not a stream comes with its status and body. */
  readonly stream: (path: string, onText: (text: string) => void, signal: AbortSignal) => Promise<Answer>;
}
