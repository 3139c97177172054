// Announces new questions to screen readers.

import { useEffect, useRef, useState } from 'react';
import type { ApprovalRow } from '../../../src/protocol/index.ts';
import { visibleText } from './make-visible.ts';

export function NewApprovals({ approvals }: { approvals: readonly ApprovalRow[] }) {
  const known = useRef(new Set<string>());
  const [words, setWords] = useState('');

  useEffect(() => {
    const fresh = approvals.filter((row) => row.state === 'pending' && !known.current.has(row.id));
    for (const row of fresh) known.current.add(row.id);
    const [only] = fresh;
    if (only === undefined) return;
    setWords(
      fresh.length === 1
        ? visibleText(`${only.agent} waits on you: ${only.tool}. ${only.message}`, 'marked')
        : `${fresh.length} new questions wait on you.`,
    );
  }, [approvals]);

  return (
    <p className="unseen" role="status" aria-live="polite">
      {words}
    </p>
  );
}
