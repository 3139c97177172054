// Commands about the key with which a human signs what they approve.

import os from 'node:os';
import type { CommandContext } from '../command-context.ts';
import { show } from '../command-context.ts';
import { localTime } from '../local-time.ts';
import type { ApproverRow } from '../../protocol/index.ts';
import { Fault, ID_FORMS, visible } from '../../protocol/plain.ts';
import type { CommandLine } from './command-line.ts';

/** Short ones can be guessed from a copy of the file. */
const MIN_CHARACTERS = 8;

export function addApproverCommands({ program, connected }: CommandLine): void {
  const approver = program
    .command('approver')
    .description('manage the keys that sign what humans approve')
    .action(async () => list(await connected()));
  approver
    .command('list')
    .description('list enrolled and removed keys')
    .action(async () => list(await connected()));
  approver
    .command('enroll')
    .description('create a key, locked by a passphrase; a lost passphrase cannot be recovered')
    .option('--name <name>', 'its name', `${os.userInfo().username} at ${os.hostname()}`)
    .option('--client <public-key>', "a client's own key instead, such as an editor extension's: it proves no more than a dialog")
    .action(async ({ name, client }: { name: string; client?: string }) => {
      const context = await connected();
      return client === undefined ? enroll(context, name) : enrollClient(context, name, client);
    });
  approver
    .command('remove')
    .description('remove a key; an enrolled key signs the removal')
    .argument('<key>')
    .action(async (key: string) => remove(await connected(), key));
}

async function list(context: CommandContext): Promise<void> {
  const rows = await context.client.ask('approvers', {});
  const { approverFolder, keysIn } = await import('../approver-key.ts');
  const here = new Set((await keysIn(approverFolder())).map(({ key }) => key));
  const line = ({ key, name, proof, enrolled_at, removed_at }: ApproverRow) =>
    `${key}  ${visible(name)}  ${proof === 'dialog' ? 'a client, proves dialog  ' : ''}${removed_at ? `removed ${localTime(removed_at)}` : `enrolled ${localTime(enrolled_at)}`}${here.has(key) ? '  (on this machine)' : ''}`;
  show(context, rows, rows.map(line).join('\n') || 'No key is enrolled: approvals are proven by login. countersign approver enroll');
}

async function enroll(context: CommandContext, name: string): Promise<void> {
  const { client } = context;
  const [{ openTerminal }, { approverFolder, makeApproverKey, saveKey }] = await Promise.all([
    import('../passphrase.ts'),
    import('../approver-key.ts'),
  ]);
  const isFirst = !(await client.ask('approvers', {})).some(isHumans);
  const terminal = openTerminal();
  if (!terminal)
    throw new Fault('BAD_REQUEST', 'There is no terminal to ask for a passphrase on.', { fix: 'Run it in a terminal of your own' });
  try {
    const old = isFirst ? null : await context.unlock(`A key that is enrolled already signs for the new one, "${visible(name)}".`);
    const passphrase = await terminal.secret(`New passphrase, at least ${MIN_CHARACTERS} characters: `);
    if (passphrase.length < MIN_CHARACTERS)
      throw new Fault('BAD_REQUEST', `The passphrase is shorter than ${MIN_CHARACTERS} characters. Nothing was made.`, {
        fix: 'Several words are easy to keep',
      });
    if ((await terminal.secret('The same again: ')) !== passphrase)
      throw new Fault('BAD_REQUEST', 'The two are not the same. Nothing was made.', { fix: 'Run it again' });
    const { file } = await makeApproverKey(passphrase);
    const { key, public_key } = file;
    // Stored first: an enrolled key that no one has would lock everyone out.
    const place = await saveKey(approverFolder(), file);
    await client.act('enroll_approver', { public_key, name }, { sign: old && { signer: old, known: key } });
    show(context, { key, public_key, file: place }, `${key} is enrolled. From now on it signs what you approve in a terminal.\n  ${place}`);
    context.say('Keep a copy of that file and the passphrase: what cannot be undone is approved with an enrolled key only.');
  } finally {
    terminal.close();
  }
}

/** No key is created here: the client keeps its private key, and provides the public one. */
async function enrollClient(context: CommandContext, name: string, public_key: string): Promise<void> {
  const { approverKeyId } = await import('../../ledger/index.ts');
  const key = approverKeyId(public_key);
  if (key === null)
    throw new Fault('BAD_REQUEST', `${visible(public_key)} is not an Ed25519 key in SPKI form.`, {
      fix: 'Copy what the client shows, in base64',
    });
  const signer = await context.unlock(`The client "${visible(name)}" (${key}) may answer what needs no better proof than a dialog.`);
  const enrolled = await context.client.act(
    'enroll_approver',
    { public_key, name, proof: 'dialog' },
    { sign: signer && { signer, known: key } },
  );
  show(context, enrolled, `${key} is enrolled for ${visible(name)}. End it with: countersign approver remove ${key}`);
}

const isHumans = ({ removed_at, proof }: ApproverRow): boolean => removed_at === null && proof === 'passphrase';

async function remove(context: CommandContext, key: string): Promise<void> {
  if (!ID_FORMS.approverKey.test(key))
    throw new Fault('BAD_REQUEST', `${visible(key)} is not a key's id.`, { fix: 'countersign approver list' });
  const signer = await context.unlock(`${key} shall count no longer.`);
  const removed = await context.client.act('remove_approver', { id: key }, { sign: signer && { signer } });
  show(context, removed, `${key} counts no longer. What it signed stays valid.`);
}
