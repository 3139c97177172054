// Who is at the other end of the owner's socket. The caller names its pid and proves it by opening a file that was made for
// this one question; then the process tree decides. The sender of a hook event is confirmed by the connection that it came over.

import { randomBytes } from 'node:crypto';
import { unlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { ENVIRONMENT_MARKS } from '../agents/index.ts';
import { type CallerJudgement, judgeCaller, type PresentAgents, type Reporter, type Views } from '../kernel/index.ts';
import type { Loopback, ProcessLink } from '../protocol/index.ts';
import { descentOf, holdsOpen, isHeldByChildOf, processEntry, processStarted } from '../sandbox/index.ts';

type AgentsHere = Pick<PresentAgents, 'isAnyOnThisMachine' | 'oldestStartedAtMs' | 'couldHaveStarted'>;

const CHALLENGE_MS = 30_000;

export class Callers {
  /** The real path: the system names an open file by it. */
  private readonly dir: string;
  private readonly views: Pick<Views, 'sessionOfProcess'>;
  private readonly agents: AgentsHere;
  private readonly asked = new Map<string, { file: string; timer: NodeJS.Timeout }>();

  constructor(dir: string, views: Pick<Views, 'sessionOfProcess'>, agents: AgentsHere) {
    this.dir = dir;
    this.views = views;
    this.agents = agents;
  }

  async challenge(): Promise<{ proof: string; open: string }> {
    // Two secrets: whoever lists the folder sees the file's name, but cannot speak for the process that holds it open.
    const proof = randomBytes(16).toString('hex');
    const file = path.join(this.dir, randomBytes(16).toString('hex'));
    writeFileSync(file, '', { mode: 0o600, flag: 'wx' });
    this.asked.set(proof, { file, timer: setTimeout(() => this.forget(proof), CHALLENGE_MS).unref() });
    return { proof, open: file };
  }

  async judge(pid: number, proof: string): Promise<CallerJudgement> {
    if (!this.prove(pid, proof)) return { kind: 'uncertain', why: 'the calling process did not prove which one it is' };
    const judged = this.judgeOwn(pid);
    return { ...judged, challenge: proof };
  }

  /** Whether the caller is the process that it names. A proof counts once. */
  prove(pid: number, proof: string): boolean {
    const file = this.asked.get(proof)?.file;
    const proven = file !== undefined && holdsOpen(pid, file);
    this.forget(proof);
    return proven;
  }

  /** For a process that needs no proof: this one, or one that is proven. */
  judgeOwn(pid: number): CallerJudgement {
    const agents = {
      sessionOf: (link: ProcessLink) => this.views.sessionOfProcess(link),
      anyAlive: this.agents.isAnyOnThisMachine(),
      oldestStartedAtMs: this.agents.oldestStartedAtMs(),
      couldHaveStarted: (atMs: number) => this.agents.couldHaveStarted(atMs),
    };
    return judgeCaller(descentOf(pid, ENVIRONMENT_MARKS), agents, 'cli');
  }

  /** The process that a hook event names as its sender; null where the operating system can confirm it and does not. */
  async reporterOf(parent: number, connection: Loopback | null): Promise<Reporter | null> {
    const started = processStarted(parent);
    const proven = started === null || connection === null ? false : await isHeldByChildOf(parent, connection);
    // Read again: the pid may have been reused meanwhile.
    return started === null || proven === false || processStarted(parent) !== started
      ? null
      : { pid: parent, started, proven: proven === true, via: 'hook' };
  }

  /** The parent of an MCP pipe that proves which process it is. */
  pipeReporter(pipe: number, proof: string): Reporter | null {
    if (!this.prove(pipe, proof)) return null;
    const parent = processEntry(pipe)?.parent ?? 0;
    const started = parent > 0 ? processStarted(parent) : null;
    return started === null ? null : { pid: parent, started, proven: process.platform === 'linux', via: 'mcp' };
  }

  private forget(proof: string): void {
    const entry = this.asked.get(proof);
    if (!entry) return;
    clearTimeout(entry.timer);
    this.asked.delete(proof);
    try {
      unlinkSync(entry.file);
    } catch {
      // Gone already: the folder was cleaned.
    }
  }
}
