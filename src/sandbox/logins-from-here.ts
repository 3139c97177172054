// Whether somebody on this machine is logged in to it, as over ssh to localhost. Such a login may be an agent's. What the login's own
// processes say about it can be replaced by whoever logged in, so the connections are asked, which only the kernel writes.

import { readFileSync } from 'node:fs';
import os from 'node:os';
import { openFilesOf } from './open-files.ts';

const ESTABLISHED = '01';

/** Some connection leads from an address of this machine to a program of root's on it. */
export function hasLoginFromHere(): boolean {
  const tables = ['tcp', 'tcp6'].map((table) => {
    try {
      return readFileSync(`/proc/net/${table}`, 'latin1');
    } catch {
      return '';
    }
  });
  // What this daemon serves to its own clients is not a login.
  const served = new Set(openFilesOf(process.pid));
  const own = Object.values(os.networkInterfaces()).flatMap((each) => each?.map(({ address }) => address) ?? []);
  return connectsToRoot(tables.join('\n'), new Set(own), (inode) => served.has(`socket:[${inode}]`));
}

/** Pure over the kernel's list. */
export function connectsToRoot(table: string, own: ReadonlySet<string>, isServedHere: (inode: string) => boolean): boolean {
  return table.split('\n').some((line) => {
    const [, local, remote, state, , , , uid, , inode] = line.trim().split(/\s+/);
    if (local === undefined || remote === undefined || state !== ESTABLISHED || uid !== '0' || isServedHere(inode ?? '')) return false;
    const from = addressIn(remote);
    return from.startsWith('127.') || from === '::1' || from === addressIn(local) || own.has(from);
  });
}

/** `0100007F:0016` is port 22 of 127.0.0.1: words of four bytes, each in the order of the machine. */
function addressIn(end: string): string {
  const bytes = (end.split(':')[0]!.match(/.{8}/g) ?? [])
    .flatMap((word) => (word.match(/../g) ?? []).toReversed())
    .map((hex) => parseInt(hex, 16));
  if (bytes.length === 4) return bytes.join('.');
  const isIpv4 = bytes.slice(0, 10).every((byte) => byte === 0) && bytes[10] === 255 && bytes[11] === 255;
  if (isIpv4) return bytes.slice(12).join('.');
  const groups = Array.from({ length: 8 }, (_, at) => ((bytes[2 * at]! << 8) | bytes[2 * at + 1]!).toString(16));
  return new URL(`http://[${groups.join(':')}]`).hostname.slice(1, -1);
}
