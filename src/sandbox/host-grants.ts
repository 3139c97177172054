// Which hosts a grant names, and which addresses a granted name may lead to. A grant is a host name, `*.` and a suffix, or an address, each
// with a port or without: without one it is for the web's own ports.
//
// INVARIANT: a name decides nothing about this machine. An address of this machine needs a grant that names host and port exactly, or
// whoever owns a granted name could point it at the daemon.

import net from 'node:net';
import os from 'node:os';

/** Ordered by what a grant has to say: nothing more, the exact name, the exact name and the port. */
type Reach = 'public' | 'private' | 'this machine';

interface HostGrant {
  readonly name: string;
  /** Also the names that end in it. */
  readonly isSuffix: boolean;
  /** Null: the web's own. */
  readonly port: number | null;
}

const WEB_PORTS = [80, 443];

const PRIVATE = new net.BlockList();
for (const [address, bits] of [
  ['10.0.0.0', 8],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
  ['100.64.0.0', 10],
] as const)
  PRIVATE.addSubnet(address, bits, 'ipv4');
PRIVATE.addSubnet('fc00::', 7, 'ipv6');

/** Loopback, link-local (the metadata of cloud machines), multicast and what has no meaning elsewhere. */
const OWN = new net.BlockList();
for (const [address, bits] of [
  ['0.0.0.0', 8],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['224.0.0.0', 3],
] as const)
  OWN.addSubnet(address, bits, 'ipv4');
for (const [address, bits] of [
  ['::', 127],
  ['fe80::', 10],
  ['ff00::', 8],
] as const)
  OWN.addSubnet(address, bits, 'ipv6');

/** Null: not the form of a grant. */
export function readHostGrant(text: string): HostGrant | null {
  const match = /^(?<suffix>\*\.)?(?:\[(?<v6>[0-9a-f:.]+)\]|(?<name>[a-z0-9_-]+(?:\.[a-z0-9_-]+)*))(?::(?<port>[0-9]{1,5}))?$/i.exec(
    text.trim(),
  );
  const { suffix, v6, name, port } = match?.groups ?? {};
  const host = v6 ?? name;
  if (host === undefined || (v6 !== undefined && !net.isIPv6(v6)) || Number(port ?? 1) > 65_535 || Number(port ?? 1) < 1) return null;
  if (suffix !== undefined && net.isIP(host) > 0) return null;
  return { name: plainHost(host), isSuffix: suffix !== undefined, port: port === undefined ? null : Number(port) };
}

/** As names are compared: small letters, no dot at the end, addresses in their one short form. */
export function plainHost(host: string): string {
  const bare = host
    .replace(/^\[(.*)\]$/, '$1')
    .replace(/\.$/, '')
    .toLowerCase();
  // Also turns 0x7f.1 and 2130706433 into 127.0.0.1, as clients do.
  try {
    return new URL(`http://${net.isIPv6(bare) ? `[${bare}]` : bare}`).hostname.replace(/^\[(.*)\]$/, '$1');
  } catch {
    return bare;
  }
}

/** Whether some grant names this host and port, before anything is looked up. */
export const isNamed = (grants: readonly HostGrant[], host: string, port: number): boolean =>
  grants.some((grant) => names(grant, host, port));

/** Whether the grants are enough for the address that the name leads to. */
export function mayReach(grants: readonly HostGrant[], host: string, port: number, address: string): boolean {
  const reach = reachOf(address);
  return grants.some(
    (grant) => names(grant, host, port) && (reach === 'public' || (!grant.isSuffix && (reach === 'private' || grant.port === port))),
  );
}

function names({ name, isSuffix, port: granted }: HostGrant, host: string, port: number): boolean {
  if (granted === null ? !WEB_PORTS.includes(port) : granted !== port) return false;
  return isSuffix ? host.endsWith(`.${name}`) && net.isIP(host) === 0 : host === name;
}

export function reachOf(address: string): Reach {
  const plain = /^::ffff:(?<v4>[0-9.]+)$/i.exec(address)?.groups?.['v4'] ?? address;
  const family = net.isIP(plain) === 6 ? 'ipv6' : 'ipv4';
  if (net.isIP(plain) === 0 || OWN.check(plain, family)) return 'this machine';
  const isOwn = Object.values(os.networkInterfaces()).some((all) => all?.some((each) => each.address === plain));
  return isOwn ? 'this machine' : PRIVATE.check(plain, family) ? 'private' : 'public';
}

export type { HostGrant };
