// For clients that keep hooks and servers in one settings file, with groups of named hooks: Gemini CLI and what descends from it.

import type { Json, WiredFile, WirePaths } from './adapter.ts';
import { hasHook, hookLine, ownServer, type HookTiming, PLAIN_BASH, withHooks, withoutHooks, withoutServer, withServer } from './wire.ts';

/** The name of our hooks in the client's `/hooks` command and in its settings. */
export const HOOK_NAME = 'countersign';

export interface SettingsFile {
  readonly file: string;
  /** The adapter's name. */
  readonly agent: string;
  readonly events: Readonly<Record<string, HookTiming>>;
  readonly readTools: readonly string[];
  /** Converts seconds to the client's unit. */
  readonly timeout: (seconds: number) => number;
  /** What the client needs to know of our server besides how to start it. */
  readonly server: Json;
  readonly switchesHooksOff: (settings: unknown) => boolean;
  /** Called when our part has been removed. `wasWired`: there was such a part. */
  readonly afterUnwire?: (rest: Json, wasWired: boolean) => Json;
}

export interface SettingsWiring {
  readonly wire: (settings: Json, paths: WirePaths) => Json;
  readonly unwire: (settings: Json) => Json;
  readonly isWired: (settings: unknown) => boolean;
  readonly wiring: readonly WiredFile[];
}

export function settingsFile(described: SettingsFile): SettingsWiring {
  const { file, agent, events, readTools, timeout, server, switchesHooksOff, afterUnwire = (rest) => rest } = described;
  const decidesAt = Object.keys(events).find((event) => events[event]?.decides) ?? '';
  const isWired = (settings: unknown): boolean => !switchesHooksOff(settings) && hasHook(settings, decidesAt);
  const unwire = (settings: Json): Json => afterUnwire(withoutServer(file, withoutHooks(file, settings)), isWired(settings));
  const groupAt = (event: string, timing: HookTiming, paths: WirePaths): Json => {
    const command = hookLine({ agent, event, timing, readTools }, paths);
    // No matcher: every tool, those of servers included.
    return { hooks: [{ type: 'command', name: HOOK_NAME, command, env: PLAIN_BASH, timeout: timeout(timing.timeout) }] };
  };
  const wire = (settings: Json, paths: WirePaths): Json => {
    const ours = Object.fromEntries(Object.entries(events).map(([event, timing]) => [event, groupAt(event, timing, paths)]));
    return withServer(file, withHooks(file, unwire(settings), ours), { ...ownServer(paths), ...server });
  };
  return {
    wire,
    unwire,
    isWired,
    wiring: [
      {
        file,
        audience: 'both',
        place: 'workspace',
        holds: ['hooks', 'mcp'],
        form: 'json',
        comments: true,
        wire,
        unwire,
        isWired,
        isSwitchedOffBy: switchesHooksOff,
      },
    ],
  };
}
