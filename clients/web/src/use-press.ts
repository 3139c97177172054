// A human's press of a button that decides something: sent once, with an alert when it was not recorded. A press that began while the
// button was disabled does not count, even if it ended later.

import { type KeyboardEvent, useRef, useState } from 'react';
import { troubleOf } from './api.ts';
import type { Trouble } from './page-state.ts';

export function usePress(armed: boolean) {
  const [sending, setSending] = useState(false);
  const [trouble, setTrouble] = useState<Trouble | null>(null);
  const pressedAtRest = useRef(false);
  const ready = armed && !sending;

  /** `send` resolves when it is recorded; what was pressed then stays pressed until its row is gone. */
  async function press(send: () => Promise<unknown>): Promise<void> {
    const early = pressedAtRest.current;
    pressedAtRest.current = false;
    if (!ready || early) return;
    setSending(true);
    setTrouble(null);
    try {
      await send();
    } catch (error) {
      setTrouble(troubleOf(error));
      setSending(false);
    }
  }

  const pressBegins = () => {
    pressedAtRest.current = !ready;
  };
  const spacePressBegins = (event: KeyboardEvent) => {
    if (event.key === ' ' && !event.repeat) pressBegins();
  };
  /** For every button that means yes. */
  const neverByEnter = (event: KeyboardEvent) => {
    if (event.key === 'Enter') event.preventDefault();
    spacePressBegins(event);
  };
  /** Enter counts, but not one that is held down. */
  const enterBegins = (event: KeyboardEvent) => {
    pressedAtRest.current = event.repeat;
  };
  return { ready, trouble, press, pressBegins, spacePressBegins, neverByEnter, enterBegins };
}

export type Press = ReturnType<typeof usePress>;
