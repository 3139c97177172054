// What a call from inside a sealed run counts as. Whoever reaches the door of a seal is in it, and acts for that run's sessions alone: what
// it says about its place, its process or another session's calls does not count.

import path from 'node:path';
import type { Reporter } from '../kernel/index.ts';
import type { Seal } from '../protocol/index.ts';

export const placeIn = ({ workspace, root }: Seal): { readonly id: string; readonly root: string } => ({ id: workspace, root });

/** The folder that the caller names, if it is in the run's own tree. */
export function folderIn({ root }: Seal, folder: string): string {
  const named = path.resolve(root, folder);
  return named === root || named.startsWith(`${root}/`) ? named : root;
}

/** The process around the run is known; those inside have numbers of their own. */
export function sealedSender(seal: Seal): { readonly reporter: Reporter | null; readonly isOwn: boolean } {
  return { reporter: reporterIn(seal, 'hook'), isOwn: true };
}

export function reporterIn({ process: around }: Seal, via: Reporter['via']): Reporter | null {
  const link = around();
  return link && { ...link, proven: true, via };
}

/** No run can claim a call that somebody else announced. */
export const callIdIn = (seal: Seal | null, callId: string): string => (seal ? `${seal.run} ${callId}` : callId);
