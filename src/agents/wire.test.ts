import { expect, test } from 'vitest';
import { DECISION, hookLine, NOTICE, startsOurClient, writtenHooks } from './wire.ts';

const request = { agent: 'claude', event: 'Stop', timing: NOTICE, readTools: [] };

const own = { hookClient: "/opt/ada's/bin/countersign-hook", cli: '/opt/bin/countersign', home: null, bash: '/bin/bash' };
const shared = { hookClient: 'countersign-hook', cli: 'countersign', home: null, optional: true } as const;
const says =
  'echo "Countersign DAEMON_UNAVAILABLE: the hook client is missing or broken, so nothing may be done. Ask a human to run: countersign doctor" >&2';
const unheard = 'echo "Countersign: the hook client is missing or broken. Run: countersign doctor" >&2';
const drain = 'PATH=/usr/bin:/bin:/run/current-system/sw/bin cat >/dev/null';
const sourced = 'trap broken EXIT; set +o posix; . "$0" "$@"';

test('the line brings its own no and sources the client; one that has to be found on PATH is never looked for in the work tree', () => {
  expect([hookLine(request, own), hookLine({ ...request, timing: DECISION }, own), hookLine(request, shared)]).toEqual([
    `POSIXLY_CORRECT=1 exec /bin/bash -p -c 'broken() { ${drain}; ${unheard}; exit 1; }; ${sourced}' '/opt/ada'\\''s/bin/countersign-hook' --deadline 20 --notice claude Stop`,
    `POSIXLY_CORRECT=1 exec /bin/bash -p -c 'broken() { ${drain}; ${says}; exit 2; }; ${sourced}' '/opt/ada'\\''s/bin/countersign-hook' --deadline 110 --reads '' claude Stop`,
    `command -v countersign-hook >/dev/null 2>&1 || exit 0; POSIXLY_CORRECT=1 exec bash -p -c 'broken() { ${drain}; ${unheard}; exit 1; }; ${sourced}' countersign-hook --deadline 20 --notice claude Stop`,
  ]);
});

const NEW = [own, shared].flatMap((paths) =>
  [NOTICE, DECISION].flatMap((timing) =>
    ([undefined, 'cline', 'copilot', 'cursor'] as const).map((denyAs) =>
      hookLine({ ...request, timing, ...(denyAs && { denyAs }) }, paths, denyAs === 'cursor' ? '{"permission":"allow"}' : ''),
    ),
  ),
);
const EARLIER = [
  'exec bash /opt/bin/countersign-hook claude Stop',
  "exec bash '/opt/my programs/countersign-hook' claude Stop",
  "exec bash '/opt/ada'\\''s/countersign-hook' claude Stop",
  'exec /opt/bin/countersign-hook claude Stop',
  'command -v countersign-hook >/dev/null 2>&1 || exit 0; exec countersign-hook claude Stop',
  `command -v countersign-hook >/dev/null 2>&1 || { printf '%s\\n' '{"permission":"allow"}'; exit 0; }; exec countersign-hook claude Stop`,
  '/opt/bin/countersign-hook',
  // A function named exec could take its place.
  ...NEW.map((line) => line.replace('POSIXLY_CORRECT=1 exec', 'exec')),
];
const OTHERS = [
  'exec bash /opt/bin/hook',
  'bash /opt/bin/countersign-hook x',
  'exec bash -c countersign-hook',
  'exec sh /opt/countersign-hook x',
  "exec bash -p -c 'echo {}' /opt/bin/countersign-hook x",
];

test('our own lines are recognised, also as earlier versions wrote them; other lines are not', () => {
  const all = [...NEW, ...EARLIER, ...OTHERS];
  expect(all.filter((line) => startsOurClient(line))).toEqual([...NEW, ...EARLIER]);
});

test('only a line that is ours to the letter says no without the client', () => {
  const changed = NEW.flatMap((line) => [line.replace('exit 2', 'exit 0'), line.replace('set +o posix', 'echo {}; exit 0')]).filter(
    (line) => !NEW.includes(line),
  );
  const found = (line: string) => writtenHooks([line]).failClosed;
  expect([NEW.filter((line) => !found(line)), [...EARLIER, ...changed].filter(found)]).toEqual([[], []]);
  expect(writtenHooks([...NEW, EARLIER[0]!, ...OTHERS])).toEqual({ failClosed: false, observe: false });
});

test('a work tree that only observes says so in the line, and stops nothing without the client either', () => {
  const line = hookLine({ ...request, event: 'PreToolUse', timing: DECISION }, { ...own, observe: true });
  expect(line).toContain(`broken() { ${drain}; ${says}; echo "{}"; exit 0; }; `);
  expect(line).toMatch(/ --deadline 110 --reads '' --observe claude PreToolUse$/);
  expect(writtenHooks([line])).toEqual({ failClosed: true, observe: true });
});
