// A place for the attacks: files that must stay, secrets, servers and a process outside, and what the attacks left of all that.

import { type ChildProcess, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, lstatSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import net from 'node:net';
import path from 'node:path';
import { ATTACKS, GRANTED, KEPT, SECRETS } from './attacks.ts';

export interface AttackPlace {
  /** What the attacks find their targets by. */
  readonly env: Readonly<Record<string, string>>;
  /** Of the host that is granted; every other is not. */
  readonly granted: string;
  /** Each attack in its own shell and with its own mark: starting a process for each takes most of the time. */
  readonly script: string;
  readonly outside: ChildProcess;
  /** What is there now has to stay. */
  readonly begin: () => void;
  readonly judge: (output: string) => AttackResult;
  readonly close: () => void;
}

export interface AttackResult {
  readonly run: number;
  /** What is allowed was possible: otherwise nothing is shown. */
  readonly works: boolean;
  readonly reached: boolean;
  readonly leaked: readonly string[];
  readonly changed: readonly string[];
  readonly made: readonly string[];
  readonly isAlive: boolean;
}

/** Files that are there already are the real ones, and stay. */
export async function prepareAttacks(places: Readonly<Record<'REPO' | 'HOME' | 'GATE' | 'OTHER', string>>): Promise<AttackPlace> {
  const resolved = (place: string) => place.replace(/^\$(\w+)/, (_, name: string) => places[name as 'REPO'] ?? '');
  const put = (file: string, text: string): void => {
    mkdirSync(path.dirname(file), { recursive: true });
    if (!existsSync(file)) writeFileSync(file, text);
  };
  // As people keep their settings: elsewhere, and linked to.
  if (!existsSync(path.join(places.HOME, '.kube'))) {
    mkdirSync(path.join(places.HOME, 'dotfiles/kube'), { recursive: true });
    symlinkSync('dotfiles/kube', path.join(places.HOME, '.kube'));
  }
  for (const file of KEPT) put(resolved(file), file.endsWith('.json') ? '{}\n' : '# as it was\n');
  for (const [index, file] of SECRETS.entries()) put(resolved(file), `token SECRET-${index}\n`);
  put(path.join(places.REPO, 'src/a.ts'), 'export const a = 1;\n');
  const secrets = SECRETS.flatMap((file) => readFileSync(resolved(file), 'utf8').split(/\s+/)).filter(
    (word) => word.startsWith('SECRET-') || word.length > 30,
  );

  const granted = http.createServer((_request, response) => response.end('GRANTED'));
  const answer = (socket: net.Socket) => socket.on('error', () => {}).end('HTTP/1.1 200 OK\r\nConnection: close\r\n\r\nSECRET-NETWORK\n');
  const listening = (where: object, server: net.Server | http.Server = net.createServer(answer)) =>
    new Promise<net.Server>((resolve) => void server.listen(where, () => resolve(server)));
  const abstract = `countersign-${process.pid}`;
  const [sock, homeSock] = [path.join(places.OTHER, 'sock'), path.join(places.HOME, 'app.sock')];
  const servers = await Promise.all([
    listening({ port: 0, host: '127.0.0.1' }, granted),
    listening({ port: 0, host: '127.0.0.1' }),
    listening({ path: sock }),
    listening({ path: `\0${abstract}` }),
    listening({ path: homeSock }),
  ]);
  const [grantedPort, port] = servers.slice(0, 2).map((server) => String((server.address() as net.AddressInfo).port));
  const outside = spawn('sleep', ['1000'], { env: { SECRET: 'SECRET-PROCESS' }, stdio: 'ignore' });

  const stamp = () =>
    KEPT.map((file) => {
      if (!existsSync(resolved(file))) return `${file} gone`;
      const hash = createHash('sha256').update(readFileSync(resolved(file)));
      return `${file} ${hash.digest('hex')} ${lstatSync(resolved(file)).isSymbolicLink()}`;
    });
  let before: readonly string[] = [];
  const parts = ATTACKS.map(
    ({ run }, index) => `printf "\\n=== attack ${index}\\n"; ( cd "$REPO"; ${run.includes('\n') ? `\n${run}\n` : run} ) 2>&1 </dev/null`,
  );
  return {
    env: {
      ...{ ...places, PORT: port ?? '', GRANTED_PORT: grantedPort ?? '' },
      ...{ SOCK: sock, HOME_SOCK: homeSock, ABSTRACT: abstract, OUTSIDE_PID: String(outside.pid) },
    },
    granted: `127.0.0.1:${grantedPort}`,
    script: `${parts.join('\n')}\nprintf "\\n=== attack end\\n"\n${GRANTED}\n`,
    outside,
    begin: () => void (before = stamp()),
    judge: (output) => {
      const shown = output.split(/^=== attack /m).slice(1);
      const leaks = (part: string) =>
        [...secrets, 'SECRET-NETWORK', ...(part.match(/SECRET-\w+/g) ?? [])].find((each) => part.includes(each));
      return {
        run: shown.length - 1,
        works: existsSync(path.join(places.REPO, 'src/stolen')) || existsSync(path.join(places.REPO, 'src/x.tmp')),
        reached: shown.at(-1)?.includes('GRANTED') ?? false,
        leaked: shown.flatMap((part) => (leaks(part) === undefined ? [] : [`${ATTACKS[Number.parseInt(part, 10)]?.name}: ${leaks(part)}`])),
        changed: stamp().filter((line, index) => line !== before[index]),
        made: ['.zshrc', '.local/bin/git', '.config/systemd/user/x.service'].filter((file) => existsSync(path.join(places.HOME, file))),
        isAlive: outside.exitCode === null && outside.signalCode === null,
      };
    },
    close: () => {
      outside.kill('SIGKILL');
      for (const server of servers) server.close();
    },
  };
}
