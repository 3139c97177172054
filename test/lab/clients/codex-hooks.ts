// What Codex itself reports about the hooks that it finds: whether it would run them.

import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import type { World } from '../world.ts';
import { programOf } from './client.ts';
import { codexClient } from './codex.ts';

export interface HookOfCodex {
  readonly key: string;
  readonly trustStatus: 'trusted' | 'modified' | 'untrusted' | 'managed';
}

interface Message {
  readonly id?: number;
  readonly result?: { readonly data?: readonly { readonly hooks: readonly HookOfCodex[] }[] };
}

export async function hooksOfCodex({ repo, userHome }: World): Promise<HookOfCodex[]> {
  const server = spawn(programOf(codexClient), ['app-server'], {
    cwd: repo.path,
    env: { PATH: process.env['PATH'], HOME: userHome },
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  const send = (message: object) => server.stdin.write(`${JSON.stringify(message)}\n`);
  try {
    send({ id: 1, method: 'initialize', params: { clientInfo: { name: 'test', version: '1' } } });
    for await (const line of createInterface({ input: server.stdout })) {
      const { id, result } = JSON.parse(line) as Message;
      if (id === 1) {
        send({ method: 'initialized' });
        send({ id: 2, method: 'hooks/list', params: { cwds: [repo.path] } });
      }
      if (id === 2) return (result?.data ?? []).flatMap(({ hooks }) => hooks);
    }
    throw new Error('it ended without an answer');
  } finally {
    server.kill();
  }
}
