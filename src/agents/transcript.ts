// The model that an agent's transcript names last. Agents do not send their model to hooks, but they write it there.

import { open } from 'node:fs/promises';

const TAIL_BYTES = 64 * 1024;

export async function modelInTranscript(file: string): Promise<string | null> {
  try {
    await using handle = await open(file, 'r');
    const { size } = await handle.stat();
    const start = Math.max(0, size - TAIL_BYTES);
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(Math.min(size, TAIL_BYTES)), 0, Math.min(size, TAIL_BYTES), start);
    const lines = buffer.subarray(0, bytesRead).toString('utf8').split('\n').reverse();
    for (const line of lines) {
      const model = modelOf(line);
      if (model !== null) return model;
    }
  } catch {
    // No transcript, no model: the record leaves it out rather than inventing one.
  }
  return null;
}

/** The first line of the tail may be cut: it does not parse and names no model. */
function modelOf(line: string): string | null {
  if (!line.includes('"model"')) return null;
  try {
    const { message } = JSON.parse(line) as { message?: { model?: unknown } };
    return typeof message?.model === 'string' && !message.model.startsWith('<') ? message.model : null;
  } catch {
    return null;
  }
}
