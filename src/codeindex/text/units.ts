// The UTF-16 units of a text as numbers in a row: walking those is several times faster than asking a string for each.

let shared = Buffer.allocUnsafeSlow(256 * 1024);

/** The same for a text that is no longer used when the next one is requested: nothing is allocated for it. */
export function passingUnitsOf(text: string): Uint16Array {
  if (2 * text.length > shared.length) shared = Buffer.allocUnsafeSlow(4 * text.length);
  shared.write(text, 'utf16le');
  return new Uint16Array(shared.buffer, 0, text.length);
}

export function unitsOf(text: string): Uint16Array {
  const bytes = Buffer.from(text, 'utf16le');
  return new Uint16Array(bytes.buffer, bytes.byteOffset, bytes.byteLength / 2);
}
