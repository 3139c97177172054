// Runs all attacks behind the walls of one session, as whoever starts it: `node attack-box.ts FOLDER`. Prints what broke through, as JSON.

import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import { once } from 'node:events';
import path from 'node:path';
import { findWalls, processStarted, readOnlyAccess, WallSessions, writingAccess } from '../../src/sandbox/index.ts';
import { prepareAttacks } from './attack-place.ts';

const base = realpathSync(process.argv[2] ?? '');
const at = (...names: string[]) => path.join(base, ...names);
mkdirSync(at('repo'));
spawnSync('git', ['init', '-q', at('repo')]);
const files = ['README.md', 'lib/other.ts', 'src/a.ts', '.claude/settings.local.json', '.ai/config/repo.json'];

const found = await findWalls(at('gate/run/boxes'));
if (found.kind === 'none') {
  process.stdout.write(JSON.stringify({ none: found.why }));
  process.exit(0);
}
const place = await prepareAttacks({ REPO: at('repo'), HOME: at('home'), GATE: at('gate'), OTHER: at('other') });
const { outside } = place;
// On some systems every home is behind a link.
symlinkSync(at('home'), at('link'));
const sessions = new WallSessions({
  found: () => Promise.resolve(found),
  ...{ folder: at('gate/run/boxes'), userHome: at('link'), privateFolders: [at('gate')], agentSettings: ['.claude'] },
  seamOf: () => ({ commandIn: (line) => line, readsBack: () => null, startWrites: [], shownInTemp: [] }),
  settingsOf: () => Promise.resolve({ level: 'required', readable: [], writable: [], hosts: [place.granted] }),
  rootOf: () => Promise.resolve(at('repo')),
  isEnforced: () => Promise.resolve(true),
  accessOf: (root, scope) =>
    Promise.resolve(
      scope === null
        ? readOnlyAccess(root, at('repo/.git'))
        : writingAccess({ root, gitCommonDir: at('repo/.git'), scope, paths: { derived: [], companions: {} }, files }),
    ),
});

writeFileSync(at('repo/src/attacks.sh'), place.script);
place.begin();
const command = 'bash src/attacks.sh';
sessions.admit({
  agent: 'x',
  nativeSession: 's',
  process: { pid: outside.pid ?? 0, started: processStarted(outside.pid ?? 0) ?? '' },
  action: 'act',
  root: at('repo'),
  command,
  scope: ['src/**'],
  network: false,
  showSecrets: false,
  open: false,
});
const temp = mkdtempSync(at('t-'));
const walls = await sessions.enter({
  agent: 'x',
  nativeSession: 's',
  cwd: at('repo'),
  tempFolder: temp,
  userHome: at('link'),
  line: command,
});
if (walls.kind !== 'walled') throw new Error(`no walls: ${JSON.stringify(walls)}`);
const [program = '', ...args] = walls.prefix;
const env = { ...place.env, PATH: process.env['PATH'] ?? '' };
const output = await new Promise<string>((resolve) => {
  const child = spawn(program, [...args, '/bin/bash', '-c', `cd "$REPO" && ${command}`], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  let text = '';
  child.stdout.on('data', (chunk: Buffer) => void (text += chunk.toString('latin1')));
  child.stderr.on('data', (chunk: Buffer) => void (text += chunk.toString('latin1')));
  child.once('close', () => resolve(text));
});
const result = place.judge(output);
// Its agent is gone: so is the box, with all that ran in it.
sessions.sweep();
const isKept = readdirSync(at('gate/run/boxes')).some((name) => name.endsWith('.json'));
outside.kill('SIGKILL');
await once(outside, 'exit');
sessions.sweep();
const isSwept = isKept && !readdirSync(at('gate/run/boxes')).some((name) => name.endsWith('.json'));
await sessions.end('x', 's');
await sessions.close();
place.close();
process.stdout.write(JSON.stringify({ uid: process.getuid?.(), isSwept, ...result }));
process.exit(0);
