import { statSync } from 'node:fs';

/** Whether the folder is still the one that was there when this was called: not removed, and not another one under its name. */
export function homePresence(dir: string): () => boolean {
  const inode = () => statSync(dir, { throwIfNoEntry: false })?.ino;
  const then = inode();
  return () => inode() === then;
}
