// Times as a person reads them: their own zone, a date only when it is not today, and then no seconds.

const CLOCK = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', second: '2-digit' });
const DAY = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit' });

export function clockTime(at: string, now: Date): string {
  const time = new Date(at);
  return time.toDateString() === now.toDateString() ? CLOCK.format(time) : DAY.format(time).replace(',', '');
}

export const timeZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone;
