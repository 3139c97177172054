// Whether walls are where they were ordered. A process that still runs behind older walls can replace a folder with a link while new ones
// are made: the mount would follow it, and open another place. So the finished mounts are compared with the order.

export interface Mount {
  readonly point: string;
  /** Which folder of its disk is shown. */
  readonly shows: string;
  readonly isWritable: boolean;
}

export interface OrderedMount {
  readonly point: string;
  /** The folder that is shown there. */
  readonly of: string;
}

/** Mounts that show nothing of the disk. */
export interface FreeMounts {
  /** The box's own, with all that is below. */
  readonly own: readonly string[];
  readonly empty: readonly string[];
}

/** The text of `/proc/PID/mountinfo`. */
export function readMounts(text: string): Mount[] {
  return text.split('\n').flatMap((line) => {
    const [, , , shows, point, options] = line.split(' ');
    if (shows === undefined || point === undefined || options === undefined) return [];
    return [{ point: decoded(point), shows: decoded(shows), isWritable: options.split(',').includes('rw') }];
  });
}

const decoded = (text: string): string =>
  text.replaceAll(/\\([0-7]{3})/g, (_, code: string) => String.fromCodePoint(Number.parseInt(code, 8)));

/** A writable mount that was not ordered, or shows something else than ordered; null: there is none. `outside`: the daemon's own mounts. */
export function misplacedMount(
  within: readonly Mount[],
  outside: readonly Mount[],
  ordered: readonly OrderedMount[],
  free: FreeMounts,
): string | null {
  // Of several on one place, the last one counts.
  const last = new Map(within.map((mount) => [mount.point, mount]));
  const expected = new Map(ordered.map(({ point, of }) => [point, of]));
  for (const { point, shows, isWritable } of last.values()) {
    if (!isWritable || free.empty.includes(point) || free.own.some((place) => isAt(point, place))) continue;
    const of = expected.get(point) ?? movedWith(point, outside, ordered);
    if (of === null || shownAt(of, outside) !== shows) return point;
  }
  return null;
}

/** A disk that is mounted below an ordered place comes along with it. */
function movedWith(point: string, outside: readonly Mount[], ordered: readonly OrderedMount[]): string | null {
  for (const each of ordered) {
    const of = each.of + point.slice(each.point.length);
    if (point.startsWith(`${each.point}/`) && outside.some((mount) => mount.point === of)) return of;
  }
  return null;
}

/** Which folder of its disk a place is. */
function shownAt(place: string, outside: readonly Mount[]): string {
  let best: Mount = { point: '/', shows: '/', isWritable: false };
  for (const mount of outside) if (isAt(place, mount.point) && mount.point.length >= best.point.length) best = mount;
  const rest = best.point === '/' ? place : place.slice(best.point.length);
  return best.shows === '/' ? rest || '/' : best.shows + (rest === '/' ? '' : rest);
}

const isAt = (place: string, folder: string): boolean => folder === '/' || place === folder || place.startsWith(`${folder}/`);
