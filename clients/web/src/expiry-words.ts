// The remaining time, in words. Rounded down, so that it never shows more time than there is.

export interface Expiry {
  readonly words: string;
  readonly pressing: boolean;
  readonly over: boolean;
}

const counted = (count: number, unit: string): string => `${count} ${unit}${count === 1 ? '' : 's'}`;

export function expiryWords(expiresAt: string, now: number): Expiry {
  const seconds = Math.floor((Date.parse(expiresAt) - now) / 1000);
  // An unreadable time counts as over: uncertain means no.
  if (!(seconds >= 1)) return { words: 'expired', pressing: false, over: true };
  const pressing = seconds < 60;
  if (seconds < 120) return { words: `expires in ${counted(seconds, 'second')}`, pressing, over: false };
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return { words: `expires in ${counted(minutes, 'minute')}`, pressing, over: false };
  const hours = Math.floor(minutes / 60);
  if (hours < 48) {
    const rest = minutes % 60;
    return { words: `expires in ${counted(hours, 'hour')}${rest > 0 ? ` ${counted(rest, 'minute')}` : ''}`, pressing, over: false };
  }
  return { words: `expires in ${counted(Math.floor(hours / 24), 'day')}`, pressing, over: false };
}
