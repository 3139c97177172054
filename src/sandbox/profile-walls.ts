// Walls in the words of an agent that puts them up itself: what is writable, closed within that, and hidden. It has no session of ours: caches
// are the human's own, and other temporary files are not shown empty.

import { existsSync, lstatSync } from 'node:fs';
import type { CommandAccess } from './access.ts';
import { agentWalls, realOf } from './agent-walls.ts';
import { sharedCaches } from './private-caches.ts';
import type { WallPolicy } from './walls.ts';

export interface ProfileOrder {
  readonly access: CommandAccess;
  readonly temp: string;
  readonly userHome: string;
  readonly privateFolders: readonly string[];
  readonly agentSettings: readonly string[];
  readonly readable: readonly string[];
  readonly writable: readonly string[];
}

export function profileWalls(order: ProfileOrder): Pick<WallPolicy, 'writable' | 'closed' | 'hidden'> {
  const userHome = realOf(order.userHome);
  const { writable, closed, hidden } = agentWalls({
    ...order,
    ...{ otherHome: userHome, tempPlaces: [], shown: [], more: [], looks: false, showSecrets: false },
    caches: { layered: [], shared: sharedCaches(userHome) },
  });
  const isBelow = (place: string) => writable.some((each) => place === each || place.startsWith(`${each}/`));
  return {
    writable: [...new Set([...writable, order.temp])].filter((place) => !closed.includes(place)),
    closed: [...new Set(closed)].filter((place) => isBelow(place) && existsSync(place)),
    // Sockets cannot be connected to without a network.
    hidden: hidden.filter((place) => existsSync(place) && !lstatSync(place).isSocket()),
  };
}
