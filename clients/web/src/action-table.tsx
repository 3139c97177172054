// The record as it grows. It follows while its top is visible; once a person has scrolled down, nothing moves until they request the new
// rows.

import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import type { ActionRow } from '../../../src/protocol/index.ts';
import { foldSteps } from '../../../src/protocol/plain.ts';
import { ActionLine } from './action-line.tsx';
import { holdRows } from './held-rows.ts';
import { timeZone } from './time-words.ts';

const COLUMNS = ['Verdict', 'Time', 'Agent', 'Tool', 'Subject', 'Why', 'Intent', 'Receipt'];

interface TableProps {
  readonly rows: readonly ActionRow[];
  /** The approvals that a proven human gave. */
  readonly proven: ReadonlySet<string>;
  readonly openId: string | null;
  readonly onOpen: (row: ActionRow | null) => void;
}

export function ActionTable({ rows: all, proven, openId, onOpen }: TableProps) {
  const [withSteps, setWithSteps] = useState(false);
  const folded = useMemo(() => foldSteps(all, (row) => ({ ...row, turn: row.turn ?? null })), [all]);
  const rows = useMemo(() => (withSteps ? all : folded.map(({ row }) => row)), [all, folded, withSteps]);
  const stepsOf = useMemo(() => new Map(folded.map(({ row, steps }) => [row.id, steps])), [folded]);
  const top = useRef<HTMLDivElement>(null);
  const body = useRef<HTMLTableSectionElement>(null);
  const [held, setHeld] = useState<readonly ActionRow[] | null>(null);
  const [walkedTo, setWalkedTo] = useState<string | null>(null);
  const { shown, fresh } = holdRows(held, rows);
  const reachable = shown.some((row) => row.id === walkedTo) ? walkedTo : (shown[0]?.id ?? null);

  const latest = useRef(rows);
  latest.current = rows;
  useEffect(() => {
    const observer = new IntersectionObserver(
      ([entry]) => {
        const above = !entry!.isIntersecting && entry!.boundingClientRect.top < window.innerHeight / 2;
        setHeld((before) => (above ? (before ?? latest.current) : null));
      },
      { rootMargin: '-40px 0px 0px 0px' },
    );
    observer.observe(top.current!);
    return () => observer.disconnect();
  }, []);

  const open = useCallback(
    (row: ActionRow) => {
      setWalkedTo(row.id);
      onOpen(row);
    },
    [onOpen],
  );

  useEffect(() => {
    function onKey(event: KeyboardEvent): void {
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
      const focused = (event.target as Element).closest?.('[data-line]') ?? null;
      if (event.key === 'Escape' && openId !== null) {
        event.preventDefault();
        onOpen(null);
        focusLine(body.current, openId);
        return;
      }
      const inTable = focused !== null;
      const step =
        event.key === 'j' || (inTable && event.key === 'ArrowDown')
          ? 1
          : event.key === 'k' || (inTable && event.key === 'ArrowUp')
            ? -1
            : 0;
      if (step === 0 || shown.length === 0) return;
      event.preventDefault();
      const from = shown.findIndex((row) => row.id === (openId ?? focused?.getAttribute('data-line')));
      const next = shown[from === -1 ? 0 : Math.min(shown.length - 1, Math.max(0, from + step))]!;
      setWalkedTo(next.id);
      focusLine(body.current, next.id);
      if (openId !== null) onOpen(next);
    }
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  });

  return (
    <section className="actions" aria-labelledby="actions-title">
      <div className="section-head">
        <h2 id="actions-title">Actions</h2>
        {rows.length > 0 && (
          <p className="quiet">
            {held === null ? 'following' : 'paused while you read'} · times in {timeZone()}
            <span className="keys">
              {' '}
              · <kbd>J</kbd> <kbd>K</kbd> walk, <kbd>Enter</kbd> opens, <kbd>Esc</kbd> closes
            </span>
            {folded.length < all.length && (
              <>
                {' '}
                ·{' '}
                <button type="button" className="plain" aria-pressed={withSteps} onClick={() => setWithSteps(!withSteps)}>
                  {withSteps ? 'fold steps' : 'show steps'}
                </button>
              </>
            )}
          </p>
        )}
      </div>
      <div ref={top} />
      {fresh > 0 && (
        <div className="fresh">
          <button
            type="button"
            onClick={() => {
              setHeld(null);
              top.current?.scrollIntoView({ block: 'center' });
            }}
          >
            {fresh} new
          </button>
        </div>
      )}
      {rows.length === 0 ? (
        <div className="empty">
          <p>Nothing has passed the gate yet. In a repository, connect its agents:</p>
          <pre>countersign init</pre>
          <p>Then say what you want done, and where:</p>
          <pre>countersign intent "fix login" src/auth</pre>
          <p className="quiet">Let an agent work. This page is watching; its first action appears here by itself.</p>
        </div>
      ) : (
        <table role="table" aria-labelledby="actions-title">
          <thead role="rowgroup">
            <tr role="row">
              {COLUMNS.map((name) => (
                <th key={name} role="columnheader" scope="col">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody role="rowgroup" ref={body}>
            {shown.map((row) => (
              <ActionLine
                key={row.id}
                row={row}
                steps={withSteps ? 0 : (stepsOf.get(row.id) ?? 0)}
                open={row.id === openId}
                reachable={row.id === reachable}
                proven={row.approval_id !== null && proven.has(row.approval_id)}
                onOpen={open}
              />
            ))}
          </tbody>
        </table>
      )}
    </section>
  );
}

const isTyping = (target: EventTarget | null): boolean => target instanceof Element && target.closest('input, textarea, select') !== null;

function focusLine(body: HTMLElement | null, id: string): void {
  body?.querySelector<HTMLElement>(`[data-line="${CSS.escape(id)}"]`)?.focus();
}
