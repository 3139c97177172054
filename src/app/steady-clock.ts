// The clock for time limits. The wall clock can be set back, and an approval that has an hour left would then have
// more; the monotonic clock cannot, but it stops while the machine sleeps.

/** Never goes back: follows the wall clock forward, and continues with the monotonic one when the wall clock jumps back. */
export function steadyClock(wall: () => number = Date.now, steady: () => number = () => performance.now()): () => Date {
  let reached = wall();
  let passed = steady();
  return () => {
    const now = steady();
    reached = Math.max(reached + Math.max(now - passed, 0), wall());
    passed = now;
    return new Date(reached);
  };
}
