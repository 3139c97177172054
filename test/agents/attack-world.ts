// All attacks through a real client, as whoever starts it: `node attack-world.ts FOLDER CLIENT`. One session of the client, with a gate of its own,
// runs them behind its walls. Prints what broke through, as JSON.

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Receipt } from '../../src/protocol/index.ts';
import { claudeClient } from '../lab/clients/claude.ts';
import type { Client } from '../lab/clients/client.ts';
import { copilotClient } from '../lab/clients/copilot.ts';
import { geminiClient } from '../lab/clients/gemini.ts';
import { opencodeClient } from '../lab/clients/opencode.ts';
import { qwenClient } from '../lab/clients/qwen.ts';
import { CLI, makeWorld } from '../lab/world.ts';
import { prepareAttacks } from '../walls/attack-place.ts';

interface Words {
  readonly client: Client;
  readonly beginWork: string;
  readonly shell: (command: string) => { readonly tool: string; readonly args: Readonly<Record<string, unknown>> };
  readonly isLaunched?: true;
}

const tool = (name: string, more: object = {}) => ({
  shell: (command: string) => ({ tool: name, args: { command, description: 'as asked', ...more } }),
});
const CLIENTS: readonly Words[] = [
  { client: claudeClient, beginWork: 'mcp__countersign__begin_work', ...tool('Bash', { timeout: 300_000 }) },
  { client: opencodeClient, beginWork: 'countersign_begin_work', ...tool('bash', { timeout: 300_000 }) },
  { client: geminiClient, beginWork: 'mcp_countersign_begin_work', ...tool('run_shell_command'), isLaunched: true },
  { client: qwenClient, beginWork: 'mcp__countersign__begin_work', ...tool('run_shell_command', { timeout: 300_000 }), isLaunched: true },
  { client: copilotClient, beginWork: 'countersign-begin_work', ...tool('bash', { initial_wait: 300 }), isLaunched: true },
];

/** The reader of commands does not read it: to the gate it is a program that may change files, which is admitted. */
const RUN = `
  import fs from 'node:fs'; import { spawnSync } from 'node:child_process';
  const out = fs.openSync('src/out.log', 'w');
  spawnSync('bash', ['src/attacks.sh'], { env: { ...process.env, ...JSON.parse(fs.readFileSync('src/places.json', 'utf8')) }, stdio: ['ignore', out, out] });
  console.log('all were run');`;

const [, , folder = '', name = ''] = process.argv;
const words = CLIENTS.find(({ client }) => client.name === name);
if (!words) throw new Error(`no such client: ${name}`);
const { client, beginWork, shell, isLaunched } = words;
const through = isLaunched && {
  through: ({ home }: { readonly home: string }) => [CLI, '--home', join(home, '../home'), 'run', '--agent', client.name, '--'],
};
const world = await makeWorld({ ...client, ...through }, folder, folder);
const home = join(world.home, '../agent');
const other = join(folder, 'other');
mkdirSync(other, { recursive: true });
const inRepo = (file: string) => join(world.repo.path, file);
await world.human(['init', '--agent', client.name, '--yes']);
await world.human(['intent', 'work in src', 'src/**']);
const place = await prepareAttacks({ REPO: world.repo.path, HOME: home, GATE: world.home, OTHER: other });
writeFileSync(inRepo('.ai/config/repo.json'), JSON.stringify({ walls: { level: 'required', hosts: [place.granted] } }));
writeFileSync(inRepo('src/attacks.sh'), place.script);
writeFileSync(inRepo('src/places.json'), JSON.stringify(place.env));
writeFileSync(inRepo('src/run.mjs'), RUN);
world.repo.git('add', '-A', 'src', 'README.md', 'lib');
world.repo.git('commit', '-qm', 'programs');
place.begin();
const signal = AbortSignal.timeout(300_000);
const { model } = await world.agent('try the attacks', [{ tool: beginWork, args: {} }, shell('node src/run.mjs'), { text: 'Done.' }], {
  signal,
});
let output = '';
try {
  output = readFileSync(inRepo('src/out.log'), 'latin1');
} catch {
  // It did not run; the answers say why.
}
const result = place.judge(output);
const receipt = (await world.ask<Receipt[]>('receipts')).find(({ inputs }) => JSON.stringify(inputs).includes('run.mjs'));
place.close();
await world.dispose();
const answers = output === '' ? { answers: model.toolResults() } : {};
process.stdout.write(JSON.stringify({ uid: process.getuid?.(), ...result, level: receipt?.walls?.level, ...answers }));
process.exit(0);
