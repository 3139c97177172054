// A receipt, fetched when it is opened.

import { useEffect, useState } from 'react';
import type { QueryOutput, ReceiptRow } from '../../../src/protocol/index.ts';
import { hasWholeOutput, outputIn } from '../../../src/protocol/plain.ts';
import { fetchReceipt, fetchReceiptDiff, troubleOf } from './api.ts';
import { inputParts } from './input-parts.ts';
import { Instant } from './instant.tsx';
import type { Trouble } from './page-state.ts';
import { RawBlock, RawLine } from './raw-text.tsx';
import { lookOfAction } from './shape-of.ts';
import { Shape } from './shapes.tsx';
import { shortHash } from './short-id.ts';

export function ReceiptView({ id }: { id: string }) {
  const [receipt, setReceipt] = useState<ReceiptRow | null>(null);
  const [changes, setChanges] = useState<QueryOutput<'receipt_diff'>['files']>([]);
  const [trouble, setTrouble] = useState<Trouble | null>(null);

  useEffect(() => {
    const gone = new AbortController();
    const fetched = async () => {
      const row = await fetchReceipt(id, gone.signal);
      setReceipt(row);
      if (row.file_refs.length > 0) setChanges((await fetchReceiptDiff(id, gone.signal)).files);
    };
    fetched().catch((error: unknown) => {
      if (!gone.signal.aborted) setTrouble(troubleOf(error));
    });
    return () => gone.abort();
  }, [id]);

  if (trouble !== null) {
    return (
      <p className="trouble" role="alert">
        The receipt could not be fetched. {trouble.message} {trouble.fix}
      </p>
    );
  }
  if (receipt === null) return <p className="quiet">Fetching the receipt…</p>;
  return (
    <section className="receipt" aria-label="Receipt">
      <h3>Receipt</h3>
      <dl className="facts">
        <dt>outcome</dt>
        <dd>
          <Shape look={lookOfAction(receipt)} /> {receipt.word}
        </dd>
        <dt>signed</dt>
        <dd>
          <Instant at={receipt.timestamp} />
        </dd>
        {receipt.model !== undefined && (
          <>
            <dt>model</dt>
            <dd>
              <RawLine text={receipt.model} />
            </dd>
          </>
        )}
        <dt>turn</dt>
        <dd>
          <RawLine text={receipt.turn_id} />
        </dd>
        {receipt.revision !== null && (
          <>
            <dt>revision</dt>
            <dd>
              <code className="breakable">{receipt.revision}</code>
            </dd>
          </>
        )}
        <dt>output</dt>
        <dd>
          {receipt.full_size.toLocaleString('en')} bytes, <code title={receipt.sha256}>{shortHash(receipt.sha256)}</code>
        </dd>
      </dl>
      {receipt.file_refs.length > 0 && <Files receipt={receipt} />}
      {changes.map(({ path, diff, why }) => (
        <RawBlock key={path} label={`changed: ${path}`} text={diff ?? `No difference is shown: ${why}.`} />
      ))}
      {inputParts(receipt.inputs).map((part) => (
        <RawBlock key={part.name} label={`input: ${part.name}`} text={part.text} />
      ))}
      {outputIn(receipt) !== '' && (
        <RawBlock label={hasWholeOutput(receipt) ? 'output' : 'output, its beginning'} text={outputIn(receipt)} />
      )}
    </section>
  );
}

const Files = ({ receipt }: { receipt: ReceiptRow }) => (
  <ul className="files">
    {receipt.file_refs.map((file) => (
      <li key={file.path}>
        <code className="breakable">
          <RawLine text={file.path} />
        </code>
        <span className="quiet">
          {file.before_sha256 === null ? 'created' : file.after_sha256 === null ? 'deleted' : 'changed'}
          {file.ranges.length > 0 &&
            `, ${file.ranges.map(({ start_line, end_line }) => (start_line === end_line ? `line ${start_line}` : `lines ${start_line}–${end_line}`)).join(', ')}`}
        </span>
        <span className="quiet">
          <Hash of={file.before_sha256} /> → <Hash of={file.after_sha256} />
        </span>
      </li>
    ))}
  </ul>
);

const Hash = ({ of }: { of: string | null }) => (of === null ? <>nothing</> : <code title={of}>{shortHash(of)}</code>);
