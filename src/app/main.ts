// The program. Each command imports only what it needs: a hook or a pipe that an agent waits for must not load a web server.

import { styleText } from 'node:util';
import type { Code } from '../protocol/index.ts';
import { homePaths } from '../client/home-paths.ts';

/** The first answers come before it. */
const FLUSH_AFTER_MS = 1_000;

const wanted = commandIn(process.argv.slice(2));
// A reader that closes the pipe early (`| head`) is not an error.
process.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 3));

try {
  if (wanted === 'daemon') await runDaemon();
  else if (wanted === 'mcp') await runPipe();
  else
    await (
      await import('../cli/program.ts')
    ).runCli(process.argv, wanted, {
      startInForeground: async (options) => (await import('./start.ts')).startInForeground(options),
      checkPlan: async (submitted, cwd) => (await import('./check-plan.ts')).checkPlanOffline(submitted, cwd),
    });
} catch (error) {
  process.exitCode = await report(error);
}

async function runDaemon(): Promise<void> {
  // What the last actions left is collected at 1.6 times the memory in use: by default V8 waits for four times, which a daemon keeps for days.
  (await import('node:v8')).setFlagsFromString('--heap-growing-percent=60');
  const [{ startDaemon }, { homeOf }] = await Promise.all([import('./daemon.ts'), import('../client/node.ts')]);
  const daemon = await startDaemon(homeOf(option('--home')), (message) => console.error(new Date().toISOString(), message));
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, daemon.stop);
  const { flushCompileCache } = await import('node:module');
  // Node keeps what it compiled only at an orderly end: after a kill, the next start would take seconds, and a hook waits three.
  setTimeout(flushCompileCache, FLUSH_AFTER_MS).unref();
  await daemon.ended;
}

/** One such process runs for each agent session: while a daemon runs, it loads nothing but the pipe. */
async function runPipe(): Promise<void> {
  const { runMcpPipe } = await import('../doors/mcp/pipe.ts');
  const home = homePaths(option('--home'));
  const surface = option('--surface') ?? 'hooked';
  const { Fault, isOpenSurface, OPEN_SURFACES } = await import('../protocol/plain.ts');
  if (!isOpenSurface(surface)) {
    throw new Fault('BAD_REQUEST', `There is no surface ${surface}.`, {
      fix: `Name ${new Intl.ListFormat('en-GB', { type: 'disjunction' }).format(OPEN_SURFACES)}`,
    });
  }
  await runMcpPipe({ socketPath: home.socket, surface, ensureDaemon: () => startFor(option('--home')) });
}

async function startFor(dir: string | undefined): Promise<void> {
  const [{ daemonClient, ensureDaemon, homeOf }, { PROGRAM }] = await Promise.all([
    import('../client/node.ts'),
    import('../install/wiring/program-paths.ts'),
  ]);
  const home = homeOf(dir);
  // Agents give a server 30 s or more to answer; a busy machine needs more than the 10 s of programs with less time.
  await ensureDaemon(daemonClient(home.socket), home, PROGRAM, { withinMs: 25_000 });
}

/** The first word that is neither an option nor an option's value. Help is left to the command line. */
function commandIn(words: readonly string[]): string | undefined {
  if (words.includes('--help') || words.includes('-h')) return undefined;
  return words.find((word, at) => !word.startsWith('-') && words[at - 1] !== '--home');
}

function option(name: string): string | undefined {
  const at = process.argv.findIndex((argument) => argument === name || argument.startsWith(`${name}=`));
  if (at < 0) return undefined;
  const given = process.argv[at] ?? '';
  return given === name ? process.argv[at + 1] : given.slice(name.length + 1);
}

/** Reports every error: what happened and what to do. With --json, as data on standard output. */
async function report(error: unknown): Promise<number> {
  const { CODES, Fault } = await import('../protocol/plain.ts');
  const { code, fix, output } = error as { code?: unknown; fix?: string | null; output?: unknown };
  const known = typeof code === 'string' && Object.hasOwn(CODES, code) ? (code as Code) : 'INTERNAL';
  const message = error instanceof Error ? error.message : String(error);
  if (process.argv.includes('--json'))
    console.log(JSON.stringify({ error: { code: known, message, fix: fix ?? null }, ...(output ? { output } : {}) }, null, 2));
  else {
    console.error(`${styleText('red', `countersign: ${message}`, { stream: process.stderr })}${fix ? `\n  ${fix}` : ''}`);
    if (known === 'INTERNAL' && !(error instanceof Fault) && error instanceof Error) console.error(error.stack);
  }
  return CODES[known].exit;
}
