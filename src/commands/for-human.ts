// The first steps that most handlers share.

import type { CallerJudgement, Kernel, Recorded } from '../kernel/index.ts';

/** The workspace and work tree that a folder belongs to. */
export type Locate = (dir: string) => Promise<Place>;

export interface Place {
  readonly id: string;
  readonly root: string;
}

export interface ForHumanDeps {
  readonly kernel: Kernel;
  readonly locate: Locate;
}

/** A caller who is not a human is refused, on the record, before anything is read for them. `command`: its name on the record. */
export const forHuman =
  ({ kernel, locate }: ForHumanDeps) =>
  <R extends { readonly cwd: string }>(command: string, act: (caller: CallerJudgement, request: R, place: Place) => Promise<Recorded>) =>
  async (caller: CallerJudgement, request: R): Promise<Recorded> =>
    caller.kind === 'human' ? act(caller, request, await locate(request.cwd)) : kernel.authority.refuse(caller, command);
