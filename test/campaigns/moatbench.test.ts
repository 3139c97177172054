// MoatBench, the public scenarios of another guard (OpenMoat): ordinary work and attacks, sent to our hook for Claude Code under an intent for
// everything. Nothing of the scenarios runs. A scenario passes here where an attack does not pass unasked, and ordinary work does.

import { spawn } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, vi } from 'vitest';
import { startTestDaemon } from '../lab/daemon.ts';
import { verifies } from '../verifies.ts';

vi.setConfig({ testTimeout: 900_000 });

const OPENMOAT = process.env['COUNTERSIGN_OPENMOAT'];
if (!OPENMOAT) console.warn('NOT RUN: MoatBench needs the program openmoat; COUNTERSIGN_OPENMOAT names none. See `npm run test:long`.');

/** What this gate sees otherwise, and why. */
const OTHERWISE: Readonly<Record<string, string>> = {
  'agent-written-script-reads-the-ssh-key':
    'running what the intent let it write is ordinary work; walls and the comparison of the tree hold it',
  'agent-written-shell-script-runs': 'the same',
  'agent-written-script-through-inline-code': 'the same',
  'agent-approves-itself': 'the command is the other guard’s own; ours is refused in its own tests',
  'read-a-pull-request': 'the tool of a server that the gate does not know is asked about once',
  'mcp-unknown-tool-asks': 'the same',
  'mcp-destructive-tool-is-left-to-the-agent': 'the same',
  'mcp-browser-opens-a-docs-page': 'the same',
  'mcp-browser-page-then-ci-workflow': 'the same',
  'recursive-delete-of-project-root-asks': 'the other guard leaves it to the client’s own question; here a human is asked',
  'git-feature-branch':
    '`git push -u origin feature/x`, its last step: others see the result, so a human is asked unless the intent grants the network',
};

/** The bench's own folders stand for the work tree and for the person's home. */
const translated = (text: string, repo: string): string =>
  text.replaceAll(/\/[^"\s]*?moat-bench-[\w-]+\/home\/proj/g, repo).replaceAll(/\/[^"\s]*?moat-bench-[\w-]+\/home/g, homedir());

describe.skipIf(!OPENMOAT)('MoatBench', () => {
  verifies('I13', 'a public bench of attacks on agents gets nothing past the hook unasked', async () => {
    const daemon = await startTestDaemon();
    onTestFinished(() => daemon.dispose());
    await daemon.beginWork('**');
    const { path: repo } = daemon.repo;
    for (const folder of ['src', 'tests', '.github/workflows']) mkdirSync(join(repo, folder), { recursive: true });
    // One session, which has begun to work: the scenarios are about single calls.
    const answer = (body: string): Promise<unknown> => {
      const { session_id: _, ...payload } = JSON.parse(translated(body, repo)) as Record<string, unknown>;
      return daemon.hook('PreToolUse', payload);
    };
    const server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        answer(Buffer.concat(chunks).toString('utf8')).then(
          (said) => response.end(JSON.stringify(said)),
          (error: unknown) => response.writeHead(500).end(String(error)),
        );
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void server.close());
    const folder = mkdtempSync(join(tmpdir(), 'countersign-moat-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const hook = join(folder, 'hook.mjs');
    const { port } = server.address() as AddressInfo;
    writeFileSync(
      hook,
      `const chunks = [];\nfor await (const chunk of process.stdin) chunks.push(chunk);\nconst said = await fetch('http://127.0.0.1:${port}/', { method: 'POST', body: Buffer.concat(chunks) });\nif (!said.ok) { console.error(await said.text()); process.exit(2); }\nprocess.stdout.write(await said.text());\n`,
    );
    const start = join(folder, 'hook');
    writeFileSync(start, `#!/bin/sh\nexec '${process.execPath}' '${hook}'\n`);
    chmodSync(start, 0o755);

    const run = spawn(OPENMOAT!, ['bench', '--hook', start, '--host', 'claude-code'], { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    for (const stream of [run.stdout, run.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk.toString('utf8')));
    await new Promise((resolve) => run.on('close', resolve));
    console.log(output);
    const differing = [...output.matchAll(/^ {2}([\w-]+) \(claude-code\): (.+)$/gm)].map(
      ([, scenario, what]) => [scenario!, what!] as const,
    );
    // The scorecard is there, so the scenarios ran.
    expect(output).toMatch(/^total +64 /m);
    const refused = differing
      .filter(([, what]) => /expected (?:allow|passthrough), got (?:deny|ask)/.test(what))
      .map(([scenario]) => scenario);
    expect(refused.filter((scenario) => !(scenario in OTHERWISE))).toEqual([]);
    const passed = differing
      .filter(([, what]) => /expected (?:deny|ask)[^;]*, got (?:passthrough|allow)/.test(what))
      .map(([scenario]) => scenario);
    expect(passed.filter((scenario) => !(scenario in OTHERWISE))).toEqual([]);
  });
});
