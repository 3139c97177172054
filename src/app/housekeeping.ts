// What the daemon does once a second: lets questions and pauses lapse, saves what was folded, notes agents that have ended.

const EVERY_MS = 1_000;

export interface Housekeeping {
  /** A pass at once. */
  readonly pass: () => Promise<void>;
  readonly stop: () => void;
}

export function startHousekeeping(work: () => Promise<void>, log: (message: string) => void): Housekeeping {
  // One pass at a time: two would record the end of one process twice.
  let passes = 0;
  let lastPass: Promise<unknown> = Promise.resolve();
  const pass = (): Promise<void> => {
    passes++;
    const next = lastPass.then(work).finally(() => passes--);
    lastPass = next.catch(() => {});
    return next;
  };
  const timer = setInterval(() => {
    if (passes === 0) pass().catch((error: unknown) => log(`housekeeping: ${String(error)}`));
  }, EVERY_MS);
  timer.unref();
  return { pass, stop: () => clearInterval(timer) };
}
