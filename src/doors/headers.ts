// Values of headers; one that does not fit counts as absent.

type Header = string | string[] | undefined;

export const textOf = (header: Header): string | null => (typeof header === 'string' ? header : null);

export const positive = (header: Header): number | null =>
  typeof header === 'string' && /^[1-9][0-9]{0,9}$/.test(header) ? Number(header) : null;
