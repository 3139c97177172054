// Server-sent events out of text that comes in pieces.

/** Returns a function that takes the pieces. `onEvent` gets the fields of each whole event. */
export function eventPieces(onEvent: (fields: ReadonlyMap<string, string>) => void): (piece: string) => void {
  let text = '';
  return (piece) => {
    text += piece;
    for (let end = text.indexOf('\n\n'); end >= 0; end = text.indexOf('\n\n')) {
      const lines = text.slice(0, end).split('\n');
      text = text.slice(end + 2);
      onEvent(new Map(lines.map((line) => line.split(/: (.*)/s, 2) as [string, string])));
    }
  };
}
