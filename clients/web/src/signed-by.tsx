// Who decided, in words: by which channel, how they were proven, whose key signed, and whether the daemon found that signature true.

import type { Signatory } from '../../../src/protocol/index.ts';
import { RawLine } from './raw-text.tsx';
import { shortId } from './short-id.ts';

const VIA: Readonly<Record<Signatory['via'], string>> = {
  cli: 'in a terminal',
  web: 'on the page',
  file: 'in the file',
  agent: 'in the agent’s own dialog',
  client: 'in a client with a key of its own',
};

export const SignedBy = ({ by }: { by: Signatory }) => (
  <span>
    {VIA[by.via]}, proof: {by.proof}
    {by.key !== null && (
      <>
        , {by.verified ? 'signed by' : 'said to be signed by'} {by.name !== null && <RawLine text={by.name} />}{' '}
        <code title={by.key}>{shortId(by.key)}</code>
        {by.verified ? (
          <>
            , <strong>verified</strong>
          </>
        ) : (
          <>
            , <strong className="trouble">not verified</strong>
          </>
        )}
      </>
    )}
  </span>
);
