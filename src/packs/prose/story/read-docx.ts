// A .docx as lines of Markdown: headings and paragraphs, nothing else. The same bytes give the same lines, so a line can be cited.

import { Fault } from '../../../protocol/index.ts';

/** A small file can unpack to more than memory takes. */
const UNPACKED_MAX_BYTES = 200 * 1024 * 1024;

export async function readDocx(path: string, bytes: Uint8Array): Promise<readonly string[]> {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const unpacked = unpackedSize(buffer);
  if (unpacked === null) throw unreadable(path, 'it is not a .docx file');
  if (unpacked > UNPACKED_MAX_BYTES) throw unreadable(path, `it unpacks to more than ${UNPACKED_MAX_BYTES} bytes`);
  const { default: mammoth } = await import('mammoth');
  let html: string;
  try {
    ({ value: html } = await mammoth.convertToHtml(
      { buffer },
      { convertImage: mammoth.images.imgElement(() => Promise.resolve({ src: '' })) },
    ));
  } catch (error) {
    throw unreadable(path, error instanceof Error ? error.message : String(error));
  }
  return linesOf(html);
}

const unreadable = (path: string, why: string): Fault =>
  new Fault('BAD_REQUEST', `${path} cannot be read: ${why}`, { fix: 'Save it again as .docx, or as Markdown' });

function linesOf(html: string): readonly string[] {
  const lines: string[] = [];
  for (const { 1: tag, 2: inner } of html.matchAll(/<(h[1-6]|p|li)\b[^>]*>(.*?)<\/\1>/gs)) {
    const text = plain(inner!);
    if (text === '') continue;
    if (lines.length > 0) lines.push('');
    lines.push(tag!.startsWith('h') ? `${'#'.repeat(Number(tag!.charAt(1)))} ${text}` : text);
  }
  return lines;
}

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'", nbsp: ' ' };
const plain = (html: string): string =>
  html
    .replace(/<br\s*\/?>/g, ' ')
    .replace(/<[^>]*>/g, '')
    .replace(/&(amp|lt|gt|quot|#39|nbsp);/g, (_, name: string) => ENTITIES[name]!)
    .replace(/\s+/g, ' ')
    .trim();

/** What the directory of the archive says; null: there is none. */
function unpackedSize(buffer: Buffer): number | null {
  const end = buffer.lastIndexOf(Buffer.from('PK\x05\x06', 'latin1'));
  if (end < 0 || end + 20 > buffer.length) return null;
  const count = buffer.readUInt16LE(end + 10);
  let at = buffer.readUInt32LE(end + 16);
  let sum = 0;
  for (let entry = 0; entry < count; entry++) {
    if (at + 46 > buffer.length || buffer.readUInt32LE(at) !== 0x02014b50) return null;
    sum += buffer.readUInt32LE(at + 24);
    at += 46 + buffer.readUInt16LE(at + 28) + buffer.readUInt16LE(at + 30) + buffer.readUInt16LE(at + 32);
  }
  return sum;
}
