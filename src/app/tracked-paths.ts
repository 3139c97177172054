// The settings with what git tracks: a file that was committed is never derived, whatever folder it is in.

import type { SettingsInForce } from '../kernel/index.ts';
import type { Config } from '../protocol/index.ts';
import { TrackedFiles } from '../workspace/index.ts';

export function withTrackedFiles(settings: SettingsInForce): SettingsInForce {
  const known = new Map<string, Promise<TrackedFiles>>();
  const trackedIn = (root: string): Promise<TrackedFiles> => {
    const tracked = known.get(root) ?? TrackedFiles.at(root);
    known.set(root, tracked);
    return tracked;
  };
  const knowing = async (root: string, config: Config): Promise<Config> => {
    const tracked = await trackedIn(root);
    const more = { isTracked: (path: string) => tracked.has(path), hasTrackedBelow: (folder: string) => tracked.hasBelow(folder) };
    return { ...config, paths: { ...config.paths, ...more } };
  };
  return {
    of: async (root) => knowing(root, await settings.of(root)),
    orAccepted: async (root) => knowing(root, await settings.orAccepted(root)),
  };
}
