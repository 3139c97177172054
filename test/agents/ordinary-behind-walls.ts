// Ordinary work through the real Claude Code: one session behind walls and one without them, in twin repositories, show the model the same.

import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import type { Receipt } from '../../src/protocol/index.ts';
import { claudeClient } from '../lab/clients/claude.ts';
import { makeWorld } from '../lab/world.ts';
import { ORDINARY_FILES } from '../walls/ordinary-project.ts';
import type { OrdinaryTask } from '../walls/ordinary-task.ts';
import { ORDINARY_SCOPE } from '../walls/ordinary-tasks.ts';

interface Shown {
  readonly results: readonly string[];
  readonly levels: ReadonlySet<string>;
}

/** Calls that the gate asks a human about are asked about in both, and count as not run. */
export async function sameForTheModel(tasks: readonly OrdinaryTask[]): Promise<{ readonly ran: number; readonly of: number }> {
  const calls = tasks.flatMap(({ name, calls }) => calls.map((command) => ({ name, command })));
  const [walled, bare] = [await work(calls, 'required'), await work(calls, 'off')];
  const differences = calls.flatMap((call, at) =>
    walled.results[at] === bare.results[at] ? [] : [{ ...call, walled: walled.results[at], bare: bare.results[at] }],
  );
  expect(differences).toEqual([]);
  expect([walled.results.length, [...walled.levels], bare.levels.has('walled')]).toEqual([calls.length, ['walled'], false]);
  const ran = walled.results.filter((result) => !/Countersign [A-Z_]+:/.test(result)).length;
  return { ran, of: calls.length };
}

async function work(calls: readonly { readonly command: string }[], level: 'required' | 'off'): Promise<Shown> {
  const place = join(homedir(), '.cache/countersign/repos');
  mkdirSync(place, { recursive: true });
  const folder = mkdtempSync(join(place, 'work-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));
  const world = await makeWorld(
    {
      ...claudeClient,
      start: async (run) => {
        const start = await claudeClient.start(run);
        return { ...start, env: { ...start.env, ROOT: run.workspace, LANG: 'C.UTF-8' } };
      },
    },
    folder,
    folder,
  );
  onTestFinished(() => world.dispose());
  const root = world.repo.path;
  for (const [file, text] of Object.entries(ORDINARY_FILES)) {
    mkdirSync(dirname(join(root, file)), { recursive: true });
    writeFileSync(join(root, file), text);
  }
  for (const file of ['scripts/hooks/pre-commit', 'vendor/tool/tool.js']) chmodSync(join(root, file), 0o755);
  world.repo.git('config', 'user.name', 'Ada Example');
  world.repo.git('config', 'user.email', 'ada@example.test');
  world.repo.git('add', '-A');
  world.repo.git('commit', '-qm', 'Add the shop');
  expect((await world.human(['init', '--agent', 'claude', '--yes'])).code).toBe(0);
  expect((await world.human(['intent', 'work on the shop', ...ORDINARY_SCOPE])).code).toBe(0);
  writeFileSync(join(root, '.ai/config/repo.json'), JSON.stringify({ walls: { level }, approvals: { ttlSeconds: 1 } }));
  const steps = calls.map(({ command }) => ({ tool: 'Bash', args: { command, description: 'ordinary work' } }));
  const begin = { tool: 'mcp__countersign__begin_work', args: {} };
  const { model } = await world.agent('work', [begin, ...steps, { text: 'Done.' }], { signal: AbortSignal.timeout(500_000) });
  const receipts = await world.ask<Receipt[]>('receipts', '--limit', '500');
  const levels = new Set(receipts.flatMap(({ walls }) => walls?.level ?? []));
  const plain = (text: string) =>
    text
      .replaceAll(folder, 'PLACE')
      .replaceAll(/countersign-repo-\w+|cs-\w{6}|(?:act|apr|rcp|ses)_\w+/g, 'X')
      .replaceAll(/\/\S*: line \d+: /g, 'shell: ')
      .replaceAll(/\b[0-9a-f]{7,40}\b/g, 'HASH')
      .replaceAll(/ID: \w+|tasks\/\w+\.output/g, 'TASK');
  return { results: model.toolResults().slice(1).map(plain), levels };
}
