// Where an address is. A host keeps the kind that it had when a human allowed it: a public name that resolves to an address of the local
// network later is an attack on that network, not that host.

import { BlockList, isIP } from 'node:net';
import type { NetworkKind } from '../protocol/index.ts';

const LOOPBACK = listOf(['127.0.0.0/8', '::1/128']);
const LOCAL = listOf(['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', '100.64.0.0/10', 'fc00::/7']);
/** Link-local addresses (cloud metadata is there), and those that name no single host. */
const NEVER = listOf([
  ...['0.0.0.0/8', '169.254.0.0/16', '192.0.0.0/24', '224.0.0.0/4', '240.0.0.0/4'],
  ...['::/128', 'fe80::/10', 'ff00::/8', '64:ff9b::/96', '2002::/16'],
]);

/** Null: nothing is ever called there. */
export function networkKind(address: string): NetworkKind | null {
  const plain = withoutMapping(address);
  const family = isIP(plain) === 6 ? 'ipv6' : 'ipv4';
  if (isIP(plain) === 0 || NEVER.check(plain, family)) return null;
  if (LOOPBACK.check(plain, family)) return 'loopback';
  return LOCAL.check(plain, family) ? 'local' : 'public';
}

/** An IPv4 address in IPv6 form reaches the same host. */
function withoutMapping(address: string): string {
  const plain = address.replace(/^\[|\]$/g, '');
  const [, dotted, high, low] = /^::ffff:(?:(\d+\.\d+\.\d+\.\d+)|([0-9a-f]{1,4}):([0-9a-f]{1,4}))$/i.exec(plain) ?? [];
  if (dotted !== undefined) return dotted;
  if (high === undefined || low === undefined) return plain;
  const [a, b] = [Number.parseInt(high, 16), Number.parseInt(low, 16)];
  return [a >> 8, a & 255, b >> 8, b & 255].join('.');
}

function listOf(ranges: readonly string[]): BlockList {
  const list = new BlockList();
  for (const range of ranges) {
    const [address = '', bits = ''] = range.split('/');
    list.addSubnet(address, Number(bits), isIP(address) === 6 ? 'ipv6' : 'ipv4');
  }
  return list;
}
