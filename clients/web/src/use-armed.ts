// A click made while the page changes must not sign what has just moved under the pointer. So the buttons are disabled for a moment after
// anything that could have changed or moved them: another card, other facts, a new size, a tab shown again.

import { type RefObject, useEffect, useState } from 'react';

export const REST_MS = 400;

/** `moves`: the elements whose size moves the buttons. */
export function useArmed(facts: string, moves: readonly RefObject<Element | null>[]): boolean {
  const [shifts, setShifts] = useState(0);
  const [armedFor, setArmedFor] = useState<string | null>(null);
  const present = `${shifts} ${facts}`;

  useEffect(() => {
    const shift = () => setShifts((count) => count + 1);
    const observer = new ResizeObserver(shift);
    for (const { current } of moves) if (current) observer.observe(current);
    document.addEventListener('visibilitychange', shift);
    return () => {
      observer.disconnect();
      document.removeEventListener('visibilitychange', shift);
    };
  }, [moves]);

  useEffect(() => {
    const timer = setTimeout(() => setArmedFor(present), REST_MS);
    return () => clearTimeout(timer);
  }, [present]);

  // Compared, not cleared in an effect: the very first render with new facts is already disabled.
  return armedFor === present;
}
