// The inbox: every question that waits for a human, of all workspaces, in one list. It comes first and is the loudest part.

import { type RefObject, useCallback, useEffect, useMemo, useRef } from 'react';
import type { ApprovalRow, InboxItem } from '../../../src/protocol/index.ts';
import { ApprovalCard } from './approval-card.tsx';
import { ItemCard } from './item-card.tsx';
import { NewApprovals } from './new-approvals.tsx';
import { type PageEvent, type PageState, sameIntent } from './page-state.ts';
import { useArmed } from './use-armed.ts';
import { useNow } from './use-now.ts';
import { countWaiting, factsOf, waitingCards } from './waiting-order.ts';

interface WaitingProps {
  readonly state: PageState;
  /** The content above the cards: when its height changes, the buttons have moved. */
  readonly above: readonly RefObject<Element | null>[];
  readonly dispatch: (event: PageEvent) => void;
}

const NOTHING: readonly InboxItem[] = [];
/** Another text is another card: what was read on the first is not what would be signed on the second. */
const keyOf = ({ root, kind, id, edit, proposal }: InboxItem): string => [root, kind, id, edit?.sha256 ?? proposal?.sha256].join(' ');

export function WaitingOnYou({ state, above, dispatch }: WaitingProps) {
  const { approvals, leaving, connection, overview } = state;
  const others = overview?.inbox ?? NOTHING;
  const cards = useMemo(() => waitingCards(approvals, leaving), [approvals, leaving]);
  const waiting = countWaiting(approvals) + others.length;
  const heading = useRef<HTMLHeadingElement>(null);
  const section = useRef<HTMLElement>(null);
  const moves = useMemo(() => [...above, section], [above]);
  const takeFocus = useCallback(() => heading.current?.focus({ preventScroll: true }), []);
  const facts = useMemo(
    () => [...cards.map((row) => `${row.id} ${row.state} ${factsOf(row)}`), ...others.map(keyOf)].join('\n'),
    [cards, others],
  );
  const armed = useArmed(`${connection}\n${facts}`, moves) && connection === 'live';

  useEffect(() => {
    document.title = waiting > 0 ? `(${waiting}) Countersign` : 'Countersign';
    return () => {
      document.title = 'Countersign';
    };
  }, [waiting]);

  return (
    <section className={waiting > 0 ? 'waiting waiting-loud' : 'waiting'} id="waiting" ref={section} aria-labelledby="waiting-title">
      <h2 id="waiting-title" ref={heading} tabIndex={-1}>
        Waiting on you
        {waiting > 0 && <span className="count">{waiting}</span>}
      </h2>
      <NewApprovals approvals={approvals} />
      {cards.length === 0 && others.length === 0 && (
        <p className="quiet">Nothing. When an agent needs a human, its question appears here and in the tab’s title.</p>
      )}
      {cards.length > 0 && <Cards cards={cards} state={state} armed={armed} dispatch={dispatch} onLeave={takeFocus} />}
      {others.length > 0 && (
        <ol className="cards">
          {others.map((item) => (
            <ItemCard key={keyOf(item)} item={item} armed={armed} />
          ))}
        </ol>
      )}
    </section>
  );
}

interface CardsProps {
  readonly cards: readonly ApprovalRow[];
  readonly state: PageState;
  readonly armed: boolean;
  readonly dispatch: (event: PageEvent) => void;
  readonly onLeave: () => void;
}

// Apart from the section, so that the clock ticks only while there is a countdown.
function Cards({ cards, state, armed, dispatch, onLeave }: CardsProps) {
  const now = useNow();
  return (
    <ol className="cards">
      {cards.map((row) => {
        const nameOf = (id: string | null) =>
          (id !== null && state.intents.find((known) => sameIntent(known, { workspace: row.workspace, id }))?.name) || null;
        const paused =
          state.overview?.status.workspaces.some((workspace) => workspace.id === row.workspace && workspace.paused?.by) ?? false;
        const shown = { row, nameOf, paused, armed, now };
        return <ApprovalCard key={row.id} {...shown} dispatch={dispatch} onLeave={onLeave} />;
      })}
    </ol>
  );
}
