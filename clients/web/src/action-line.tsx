// One action as one line of the record.

import { memo } from 'react';
import type { ActionRow } from '../../../src/protocol/index.ts';
import { Instant } from './instant.tsx';
import { visibleText } from './make-visible.ts';
import { RawLine } from './raw-text.tsx';
import { Seal, Shape } from './shapes.tsx';
import { lookOfAction } from './shape-of.ts';
import { shortId } from './short-id.ts';

interface LineProps {
  readonly row: ActionRow;
  /** Counted with it instead of listed. */
  readonly steps: number;
  readonly open: boolean;
  /** Exactly one line is in the tab order; J and K move from there. */
  readonly reachable: boolean;
  readonly proven: boolean;
  readonly onOpen: (row: ActionRow) => void;
}

/** It waited, and then it ran: so a human said yes. */
export const wasCountersigned = (row: ActionRow): boolean =>
  row.approval_id !== null && ['admitted', 'settled', 'unknown'].includes(row.state);

/** During a pause the code is what would have stopped it; its message would wrongly say that it did. */
const Why = ({ row }: { row: ActionRow }) =>
  row.code === null && row.message === null && !row.paused ? null : (
    <span>
      {row.paused && 'passed in a pause'} {row.code !== null && <code>{row.code}</code>}{' '}
      {row.message !== null && !row.paused && <RawLine text={row.message} />}
    </span>
  );

export const ActionLine = memo(({ row, steps, open, reachable, proven, onOpen }: LineProps) => {
  const look = lookOfAction(row);
  return (
    <tr role="row" className={open ? 'line line-open' : 'line'} onClick={() => onOpen(row)}>
      <td role="cell" className="line-verdict">
        <Shape look={look} />
        <span>{look.word}</span>
        {wasCountersigned(row) && (
          <span className="countersigned" title={proven ? 'Countersigned by a human' : 'Countersigned; the human was not proven'}>
            <Seal hollow={!proven} />
            <span className="unseen">, countersigned</span>
          </span>
        )}
      </td>
      <td role="cell" className="line-time">
        <Instant at={row.at} />
      </td>
      <td role="cell" className="line-agent">
        <RawLine text={row.agent} />
      </td>
      <td role="cell" className="line-tool">
        <RawLine text={row.tool} />
      </td>
      <td role="cell" className="line-subject">
        <button
          type="button"
          data-line={row.id}
          tabIndex={reachable ? 0 : -1}
          aria-expanded={open}
          title={visibleText(row.subject, 'marked') || undefined}
        >
          {row.subject === '' ? <span className="unseen">{visibleText(row.tool, 'marked')}</span> : <RawLine text={row.subject} />}
        </button>
        {steps > 0 && <span className="quiet line-steps">{steps === 1 ? '1 step' : `${steps} steps`}</span>}
      </td>
      <td role="cell" className="line-why">
        <Why row={row} />
      </td>
      <td role="cell" className="line-intent">
        {row.intent !== null && <RawLine text={row.intent} />}
      </td>
      <td role="cell" className="line-receipt">
        {row.receipt_id !== null && <code title={row.receipt_id}>{shortId(row.receipt_id)}</code>}
      </td>
    </tr>
  );
});
