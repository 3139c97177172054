// An id or a hash, short enough for a row. The end of an id is unique; its beginning is only the time.

export const shortId = (id: string): string => (id.length <= 14 ? id : `${id.slice(0, id.indexOf('_') + 1)}…${id.slice(-6)}`);

export const shortHash = (hash: string): string => `${hash.slice(0, 8)}…`;
