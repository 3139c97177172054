// sandbox: starting programs: walls, limits and output; running code that an agent wrote; the process tree and who is calling.
// Invariant: a program that the gate runs sees only the places that it was given, and leaves no process behind; code sees only its inputs.
// Refuses: to run anything without limits of time and output.

export { isPlaceholder, ReturnShape, shapeMismatch } from './code/check-return.ts';
export { CODE_LIMITS, type CodeEnd } from './code/code-limits.ts';
export { CodeSandbox } from './code/code-sandbox.ts';
export { GIT_REDIRECTION, readOnlyAccess, mayWrite, type CommandAccess, watchedPlaces, writingAccess } from './access.ts';
export { type GrantedHosts, type HostFilter, openHostFilter } from './host-filter.ts';
export { allProcesses, descentOf, holdsOpen, isHeldByChildOf, processEntry, processStarted, processStartedWith } from './process-tree.ts';
export { type CommandRun, type Survivor, Survivors } from './survivors.ts';
export type { ProcessEnd } from './run-process.ts';
export { findSandbox, type Sandbox } from './sandbox.ts';
export { connectInside, openPort, type OpenedPort, type Passage, portsInside, proxyEnvironment, relayCommand } from './session-net.ts';
export { canBuildWalls, findWalls, type FoundWalls } from './find-walls.ts';
export { profileWalls } from './profile-walls.ts';
export { type ShellSeam, type WallDeps, WallSessions } from './wall-sessions.ts';
export { isWithin, programPlaces, sealedCommand, type SealOrder } from './seal.ts';
export { callFilter } from './seccomp.ts';
export { makeSealedTree } from './seal-tree.ts';
