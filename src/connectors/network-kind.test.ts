import { expect, test } from 'vitest';
import { networkKind } from './network-kind.ts';

test.each([
  ['loopback', ['127.0.0.1', '127.9.9.9', '::1', '::ffff:127.0.0.1', '::ffff:7f00:1', '[::1]']],
  ['local', ['10.0.0.5', '172.16.0.1', '172.31.255.255', '192.168.1.20', '100.64.0.1', 'fd00::1', '::ffff:10.0.0.1']],
  ['public', ['8.8.8.8', '172.32.0.1', '100.128.0.1', '2606:4700::1111']],
  [
    null,
    [
      '0.0.0.0',
      '169.254.169.254',
      '::ffff:169.254.169.254',
      'fe80::1',
      '224.0.0.1',
      '255.255.255.255',
      '::',
      '64:ff9b::7f00:1',
      'nonsense',
    ],
  ],
])('%s', (kind, addresses) => {
  expect(addresses.map((address) => [address, networkKind(address)])).toEqual(addresses.map((address) => [address, kind]));
});
