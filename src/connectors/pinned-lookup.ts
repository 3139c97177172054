// Where a host may be. Checked after a name is resolved and before a connection is made: a name can resolve to another address at any time.

import { lookup } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import type { NetworkKind } from '../protocol/index.ts';
import { networkKind } from './network-kind.ts';

export interface Pin {
  /** Where the host has to be; null: nowhere, it is not called. */
  readonly wantedFor: (hostname: string) => NetworkKind | null;
  /** The error for an address of another kind. */
  readonly refused: (hostname: string, address: string) => Error;
}

/** For the `connect` option of an undici agent. */
export const pinnedLookup =
  (pin: Pin): LookupFunction =>
  (hostname, options, callback) => {
    lookup(hostname, { ...options, all: true }, (error, addresses) => {
      if (error) return callback(error, []);
      const wrong = addresses.find(({ address }) => !isWhereWanted(hostname, address, pin));
      if (wrong) return callback(pin.refused(hostname, wrong.address), []);
      if (options.all) return callback(null, addresses);
      callback(null, addresses[0]?.address ?? '', addresses[0]?.family ?? 4);
    });
  };

/** An address that is written as numbers is not looked up; throws where it is of another kind. */
export function checkLiteral(url: URL, pin: Pin): void {
  const address = literalIn(url.hostname);
  if (address !== null && !isWhereWanted(url.hostname, address, pin)) throw pin.refused(url.hostname, address);
}

/** The address that a host name is, without brackets; null: it is a name. */
export function literalIn(hostname: string): string | null {
  const plain = hostname.replace(/^\[|\]$/g, '');
  return isIP(plain) === 0 ? null : plain;
}

function isWhereWanted(hostname: string, address: string, { wantedFor }: Pin): boolean {
  const kind = networkKind(address);
  return kind !== null && kind === wantedFor(hostname);
}
