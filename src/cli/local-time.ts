// Times as people read them: local, and with the day only where it is not today. JSON keeps ISO.

/** Today only the time, otherwise the day too. */
export function localTime(at: string, now = new Date()): string {
  const then = new Date(at);
  // Not by Intl, which takes longer to load than all else that a list needs.
  const time = [then.getHours(), then.getMinutes(), then.getSeconds()].map(twoDigits).join(':');
  const day = (date: Date) => [date.getFullYear(), ...[date.getMonth() + 1, date.getDate()].map(twoDigits)].join('-');
  return day(then) === day(now) ? time : `${day(then)} ${time}`;
}

const twoDigits = (part: number): string => String(part).padStart(2, '0');
