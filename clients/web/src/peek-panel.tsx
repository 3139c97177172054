// Everything about one action, beside the list.

import { useEffect, useRef } from 'react';
import type { ActionRow, ApprovalRow } from '../../../src/protocol/index.ts';
import { wasCountersigned } from './action-line.tsx';
import { Instant } from './instant.tsx';
import { isProvenBy } from './is-proven.ts';
import { RawBlock, RawLine } from './raw-text.tsx';
import { ReceiptView } from './receipt-view.tsx';
import { Seal, Shape } from './shapes.tsx';
import { lookOfAction } from './shape-of.ts';
import { SignedBy } from './signed-by.tsx';

interface PeekProps {
  readonly row: ActionRow;
  readonly approval: ApprovalRow | null;
  readonly intentName: string | null;
  readonly onClose: () => void;
}

export function PeekPanel({ row, approval, intentName, onClose }: PeekProps) {
  const look = lookOfAction(row);
  const panel = useRef<HTMLElement>(null);
  // Where the panel covers the list, it takes the focus; beside the list the focus stays there, so that J and K keep working.
  useEffect(() => {
    if (getComputedStyle(panel.current!).position === 'fixed') panel.current!.focus();
  }, []);

  return (
    <aside className="peek" ref={panel} tabIndex={-1} aria-labelledby="peek-title">
      <header>
        <h2 id="peek-title">
          <Shape look={look} />
          <RawLine text={row.tool} /> <span className="peek-word">{look.word}</span>
        </h2>
        <button type="button" className="plain" onClick={onClose}>
          Close <kbd>Esc</kbd>
        </button>
      </header>
      {row.paused && <p className="peek-why">It passed while the gate was paused.{row.code !== null && ' What would have stopped it:'}</p>}
      {row.code !== null && (
        <p className={row.state === 'refused' ? 'peek-why trouble' : 'peek-why'}>
          <code>{row.code}</code>
        </p>
      )}
      {row.message !== null && (
        <p className="peek-why">
          <RawLine text={row.message} />
        </p>
      )}
      <RawBlock label="subject" text={row.subject} />
      {approval !== null && <ApprovalMark row={row} approval={approval} />}
      <dl className="facts">
        <dt>at</dt>
        <dd>
          <Instant at={row.at} />
        </dd>
        <dt>agent</dt>
        <dd>
          <RawLine text={row.agent} />
        </dd>
        <dt>intent</dt>
        <dd>{row.intent === null ? 'none' : <RawLine text={intentName === null ? row.intent : `${row.intent} ${intentName}`} />}</dd>
        <dt>effects</dt>
        <dd>{row.effects.join(', ') || 'none'}</dd>
        <Id name="action" id={row.id} />
        <Id name="parent" id={row.parent} />
        <Id name="session" id={row.session} />
        <Id name="approval" id={row.approval_id} />
        <Id name="receipt" id={row.receipt_id} />
      </dl>
      {row.receipt_id !== null ? <ReceiptView key={row.receipt_id} id={row.receipt_id} /> : <p className="quiet">{withoutReceipt(row)}</p>}
    </aside>
  );
}

const Id = ({ name, id }: { name: string; id: string | null }) =>
  id === null ? null : (
    <>
      <dt>{name}</dt>
      <dd>
        <code className="breakable">{id}</code>
      </dd>
    </>
  );

function ApprovalMark({ row, approval }: { row: ActionRow; approval: ApprovalRow }) {
  if (approval.state === 'pending') {
    return (
      <p>
        <a href="#waiting">It waits on you.</a>
      </p>
    );
  }
  const proven = isProvenBy(approval.by);
  return (
    <p className={wasCountersigned(row) && proven ? 'peek-approval countersigned' : 'peek-approval'}>
      {wasCountersigned(row) && <Seal hollow={!proven} />}
      <span>
        {wasCountersigned(row) ? 'Countersigned' : approval.state}
        {approval.reason !== null && (
          <>
            : <RawLine text={approval.reason} />
          </>
        )}
        {approval.by === null ? (
          '.'
        ) : (
          <>
            {' '}
            <SignedBy by={approval.by} />.
          </>
        )}
      </span>
    </p>
  );
}

function withoutReceipt(row: ActionRow): string {
  switch (row.state) {
    case 'refused':
      return 'It did not run, so there is no receipt.';
    case 'waiting':
      return 'It has not run, so there is no receipt yet.';
    case 'unknown':
      return 'The agent never reported how it ended, so there is no receipt.';
    default:
      return 'No receipt yet.';
  }
}
