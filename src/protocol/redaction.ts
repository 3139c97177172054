// How a secret that was taken out of a text is marked in what is recorded.

export const REDACTED_START = '[redacted:';

/** Whether something was removed from this text: then it is not the original, such as a file's name. */
export const isRedacted = (text: string): boolean => text.includes(REDACTED_START);
