// A human's key, on a real pseudo-terminal that echoes typed text unless that is switched off.

import { generateKeyPairSync } from 'node:crypto';
import { chmod, readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ApproverRow } from '../../src/protocol/index.ts';
import { type HookedAgent, hookedAgent } from '../lab/hooked-agent.ts';
import { CLI, type Installation, makeInstallation } from '../lab/installation.ts';
import { type Answer, runInTerminal } from '../lab/terminal.ts';
import { verifies } from '../verifies.ts';

const PASSPHRASE = 'correct höRse battery';
const WRONG = 'not the one at all';
const ASKS = 'Passphrase of apk_';
const CTRL_C = '\u0003';

let place: Installation;
let agent: HookedAgent;
let close: () => Promise<void>;
/** Everything that a terminal showed in this file. */
let shown = '';

beforeAll(async () => {
  place = await makeInstallation();
  await place.human(['intent', 'tidy up', 'src']);
  const client = await place.mcpClient({ surface: 'hooked' });
  close = () => client.close();
  agent = await hookedAgent(place, client);
  await agent.prompt('tidy up');
  await agent.call('begin_work');
});
afterAll(async () => {
  await close();
  await place.dispose();
});

const type = (after: string, text: string): Answer => ({ after, type: `${text}\r` });

async function atTerminal(command: string, args: readonly string[], input: readonly Answer[] = []) {
  const result = await runInTerminal(command, args, { cwd: place.repo.path, env: place.env, input, echo: true });
  shown += result.output;
  return result;
}
const human = (args: readonly string[], ...input: Answer[]) => atTerminal(CLI, args, input);

async function question(command: string): Promise<string> {
  expect(await agent.before('Bash', { command })).toContain('APPROVAL_REQUIRED');
  const [newest] = await place.client.ask('approvals', { state: 'pending', limit: 1 });
  return newest!.id;
}
const stateOf = async (id: string) => (await place.client.ask('approvals', { id }))[0];
const keyFolder = () => join(place.base, 'user/.config/countersign/approver');

verifies('N14', 'a passphrase is taken from a terminal only: not from a pipe, arguments or the environment', async () => {
  const env = { COUNTERSIGN_PASSPHRASE: PASSPHRASE };
  const piped = await place.run(['approver', 'enroll'], { env });
  expect([piped.code, piped.stderr]).toEqual([2, expect.stringContaining('There is no terminal to ask for a passphrase on.')]);
  expect((await human(['approver', 'enroll', '--passphrase', WRONG])).output).toContain("unknown option '--passphrase'");
  shown = '';
});

test('two that differ, a short one and Ctrl-C make no key', async () => {
  const [first, again] = ['New passphrase', 'The same again'];
  const differs = await human(['approver', 'enroll'], type(first, PASSPHRASE), type(again, WRONG));
  const short = await human(['approver', 'enroll'], type(first, 'short'));
  const left = await human(['approver', 'enroll'], { after: first, type: `half of it${CTRL_C}` });
  expect([differs, short, left].map(({ code }) => code)).toEqual([2, 2, 2]);
  expect(left.output).toContain('You left; nothing was done.');
  expect(await readdir(keyFolder()).catch(() => [])).toEqual([]);
});

verifies('N14', 'a key is made in the human’s own folder and enrolled; nothing that was typed is shown or kept', async () => {
  const enrolled = await human(
    ['approver', 'enroll', '--name', 'ada'],
    type('New passphrase', PASSPHRASE),
    type('The same again', PASSPHRASE),
  );
  const [row, ...more] = await place.client.ask('approvers', {});
  expect([enrolled.code, more]).toEqual([0, []]);
  expect(enrolled.output).toContain(`${row!.key} is enrolled.`);
  expect(row).toMatchObject({ name: 'ada', removed_at: null } satisfies Partial<ApproverRow>);
  expect(await readdir(keyFolder())).toEqual([`${row!.key}.json`]);
  const modes = await Promise.all(
    [keyFolder(), join(keyFolder(), `${row!.key}.json`)].map(async (file) => (await stat(file)).mode & 0o777),
  );
  expect(modes).toEqual([0o700, 0o600]);
  expect((await human(['approver'])).output).toContain(`${row!.key}  ada  enrolled `);
});

verifies('N14', 'approve shows exactly what is signed, takes three tries at most, and records nothing until one is right', async () => {
  const clean = await question('rm -rf src/build');
  const wrong = await human(['approve', clean], ...Array.from({ length: 3 }, () => type(ASKS, WRONG)));
  expect([wrong.code, wrong.output]).toEqual([1, expect.stringContaining('That was not the passphrase, 3 times. Nothing was done.')]);
  expect((await stateOf(clean))?.state).toBe('pending');

  const right = await human(['approve', clean], type(ASKS, WRONG), type(ASKS, PASSPHRASE));
  expect(right.output).toContain('  │ rm -rf src/build\n');
  expect(right.output).toContain('That is not the passphrase.');
  const [{ key } = { key: '' }] = await place.client.ask('approvers', {});
  expect([right.code, right.output]).toEqual([
    0,
    expect.stringContaining(`${clean} is approved, once, for exactly this input, and signed by ${key}.`),
  ]);
  expect(await stateOf(clean)).toMatchObject({ state: 'approved', proof: 'passphrase' });
  expect(await agent.before('Bash', { command: 'rm -rf src/build' })).toBe(null);

  expect(await agent.before('mcp__deploy__run', { to: '\u202egnigats\u001b[2K' })).toContain('APPROVAL_REQUIRED');
  const [hidden] = await place.client.ask('approvals', { state: 'pending', limit: 1 });
  const signed = await human(['approve', hidden!.id], type(ASKS, PASSPHRASE));
  expect([signed.code, signed.output]).toEqual([0, expect.stringContaining('"to": "⟦U+202E⟧gnigats\\u001b[2K"')]);
});

verifies('N14', 'without the key nothing that cannot be undone is approved, at a terminal or without one', async () => {
  const id = await question('rm -rf src/dist');
  await chmod(keyFolder(), 0o000);
  try {
    const env = { ...place.env, XDG_CONFIG_HOME: join(place.base, 'elsewhere') };
    const result = await runInTerminal(CLI, ['approve', id], { cwd: place.repo.path, env });
    expect([result.code, result.output]).toEqual([
      4,
      expect.stringContaining(`${id} needs a human proven by passphrase; this channel proves login.`),
    ]);
  } finally {
    await chmod(keyFolder(), 0o700);
  }
  expect((await stateOf(id))?.state).toBe('pending');
  // A no needs no passphrase.
  expect((await human(['reject', id])).code).toBe(0);
});

verifies('N14', 'Ctrl-C at the passphrase answers nothing and leaves the terminal as it was', async () => {
  const id = await question('rm -rf src/other');
  const script = '"$0" approve "$1"; echo "ended with $?"; stty -a';
  const { output } = await atTerminal('sh', ['-c', script, CLI, id], [{ after: ASKS, type: `half${CTRL_C}` }]);
  expect(output).toContain('ended with 2');
  const settings = output.slice(output.indexOf('ended with')).split(/[\s;]+/);
  expect(['echo', 'icanon', 'isig', 'icrnl', 'opost'].filter((name) => !settings.includes(name))).toEqual([]);
  expect((await stateOf(id))?.state).toBe('pending');
  await human(['reject', id]);
});

verifies('N14', 'a second key, and taking one away, need the signature of one that counts', async () => {
  const [old] = await place.client.ask('approvers', {});
  const second = await human(
    ['approver', 'enroll', '--name', 'second'],
    ...[type(ASKS, PASSPHRASE), type('New passphrase', PASSPHRASE), type('The same again', PASSPHRASE)],
  );
  expect(second.output).toContain('A key that is enrolled already signs for the new one, "second".');
  const [newer] = await place.client.ask('approvers', {});
  expect([second.code, newer?.name]).toEqual([0, 'second']);
  const removed = await human(['approver', 'remove', newer!.key], type(ASKS, PASSPHRASE));
  expect([removed.code, removed.output]).toEqual([0, expect.stringContaining(`${newer!.key} counts no longer.`)]);
  expect((await place.client.ask('approvers', {})).filter((row) => row.removed_at === null).map((row) => row.key)).toEqual([old!.key]);
});

verifies('N14', 'anybody checks the countersignatures from the files alone', async () => {
  const { code, stdout } = await place.run(['verify']);
  expect([code, stdout]).toEqual([0, expect.stringContaining("4 countersignatures of humans' keys fit.")]);
  const ledger = await readFile(join(place.home, 'ledger/00000001.jsonl'), 'utf8');
  const [line] = ledger.split('\n').filter((each) => each.includes('"approval_answered"') && each.includes('"passphrase"'));
  expect(JSON.parse(line!)).toMatchObject({
    data: { human: { proof: 'passphrase', via: 'cli', signed: { key: expect.stringMatching(/^apk_/) } } },
  });
});

verifies('N14', 'the key of a client is enrolled by a human at a terminal, and signed for by theirs', async () => {
  const { publicKey } = generateKeyPairSync('ed25519');
  const public_key = publicKey.export({ format: 'der', type: 'spki' }).toString('base64');
  const enroll = ['approver', 'enroll', '--client', public_key, '--name', 'an editor'];
  const unsigned = await place.run(enroll);
  expect([unsigned.code, unsigned.stderr]).toEqual([4, expect.stringContaining('countersign: Not done:')]);
  expect((await human(['approver', 'enroll', '--client', 'no key'])).output).toContain('no key is not an Ed25519 key in SPKI form.');
  const enrolled = await human(enroll, type(ASKS, PASSPHRASE));
  expect(enrolled.output).toContain('may answer what needs no better proof than a dialog.');
  const [row] = await place.client.ask('approvers', {});
  expect([enrolled.code, row]).toEqual([0, expect.objectContaining({ public_key, name: 'an editor', proof: 'dialog', removed_at: null })]);
  expect((await human(['approver'])).output).toContain(`${row!.key}  an editor  a client, proves dialog  enrolled`);
  expect((await place.run(['verify'])).stdout).toContain("5 countersignatures of humans' keys fit.");
});

verifies('N14', 'what was typed is nowhere: on no terminal, in no record, log or file', async () => {
  const files = (await Promise.all([place.home, join(place.base, 'user')].map(filesBelow))).flat();
  const kept = await Promise.all(files.map(async (file) => [file, await readFile(file).catch(() => Buffer.alloc(0))] as const));
  const holds = (text: string) => [PASSPHRASE, WRONG, 'half of it', 'höRse'].some((secret) => text.includes(secret));
  expect([holds(shown), kept.filter(([, bytes]) => holds(bytes.toString('utf8'))).map(([file]) => file)]).toEqual([false, []]);
  expect([shown.length > 1000, kept.length > 5]).toEqual([true, true]);
});

async function filesBelow(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
}
