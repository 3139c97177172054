// What was read lately, so that an agent with an outdated version can be shown what changed. In memory only, and bounded: contents that
// were only read must not be stored.

const MAX_BYTES = 32 * 1024 * 1024;
const LARGEST_BYTES = 512 * 1024;

export class RecentContents {
  private readonly contents = new Map<string, Uint8Array>();
  private bytes = 0;

  keep(sha256: string, content: Uint8Array): void {
    if (content.length > LARGEST_BYTES) return;
    const known = this.contents.get(sha256);
    this.contents.delete(sha256);
    this.contents.set(sha256, content);
    if (!known) this.bytes += content.length;
    for (const [oldest, { length }] of this.contents) {
      if (this.bytes <= MAX_BYTES) return;
      this.contents.delete(oldest);
      this.bytes -= length;
    }
  }

  get(sha256: string): Uint8Array | null {
    return this.contents.get(sha256) ?? null;
  }
}
