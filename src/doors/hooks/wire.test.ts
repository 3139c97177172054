import { expect, test } from 'vitest';
import { hookLine, NOTICE, startsOurClient } from './wire.ts';

const wish = { agent: 'claude', event: 'Stop', patience: NOTICE, readTools: [] };

test('the client at its own path is started by bash at once, and one that has to be found on PATH is never looked for in the work tree', () => {
  const own = { hookClient: "/opt/ada's/bin/countersign-hook", cli: '/opt/bin/countersign', home: null };
  const shared = { hookClient: 'countersign-hook', cli: 'countersign', home: null, optional: true } as const;
  expect([hookLine(wish, own), hookLine(wish, shared)]).toEqual([
    `exec bash '/opt/ada'\\''s/bin/countersign-hook' --deadline 20 --notice claude Stop`,
    'command -v countersign-hook >/dev/null 2>&1 || exit 0; exec countersign-hook --deadline 20 --notice claude Stop',
  ]);
});

test('a line of ours is known, also as it was written before; nobody else’s is', () => {
  const ours = [
    'exec bash /opt/bin/countersign-hook claude Stop',
    "exec bash '/opt/my programs/countersign-hook' claude Stop",
    'exec /opt/bin/countersign-hook claude Stop',
    'command -v countersign-hook >/dev/null 2>&1 || exit 0; exec countersign-hook claude Stop',
    '/opt/bin/countersign-hook',
  ];
  const others = [
    'exec bash /opt/bin/hook',
    'bash /opt/bin/countersign-hook x',
    'exec bash -c countersign-hook',
    'exec sh /opt/countersign-hook x',
  ];
  expect([ours.map(startsOurClient), others.map(startsOurClient)]).toEqual([ours.map(() => true), others.map(() => false)]);
});
