// A yes to this call and, for a limited time and within its intent, to similar ones. Irreversible calls are asked about each time.

import type { RefObject } from 'react';
import type { ApprovalRow } from '../../../src/protocol/index.ts';
import { makeGrant } from './api.ts';
import { patternFor } from './grant-words.ts';
import { TimedRequest } from './timed-request.tsx';

interface GrantFormProps {
  readonly row: ApprovalRow;
  readonly armed: boolean;
  readonly answeredHere: RefObject<boolean>;
}

export const GrantForm = ({ row, armed, answeredHere }: GrantFormProps) => (
  <TimedRequest
    className="grant-form"
    summary={`Countersign it and what is like it, for ${row.intent}`}
    label="What may pass; * matches any text"
    words={patternFor(row)}
    says="Countersign and grant"
    live={armed}
    command={(time) => `countersign approve ${row.id} --grant PATTERN --for ${time}`}
    onSign={async (pattern, seconds) => {
      answeredHere.current = true;
      try {
        await makeGrant(row.id, pattern, seconds);
      } catch (error) {
        answeredHere.current = false;
        throw error;
      }
    }}
  />
);
