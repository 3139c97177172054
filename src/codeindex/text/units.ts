// The UTF-16 units of a text as numbers in a row: walking those is several times faster than asking a string for each.

export function unitsOf(text: string): Uint16Array {
  const bytes = Buffer.from(text, 'utf16le');
  return new Uint16Array(bytes.buffer, bytes.byteOffset, bytes.byteLength / 2);
}
