// Times as people read them: local, and with the day only where it is not today. JSON keeps ISO.

/** Today only the time, otherwise the day too. */
export function localTime(at: string, now = new Date()): string {
  const then = new Date(at);
  const time = then.toLocaleTimeString('en-GB');
  const day = (date: Date) =>
    `${date.getFullYear()}-${String(date.getMonth() + 1).padStart(2, '0')}-${String(date.getDate()).padStart(2, '0')}`;
  return day(then) === day(now) ? time : `${day(then)} ${time}`;
}
