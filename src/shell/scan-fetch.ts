// curl and wget: where they put what they fetch.

import { hasAny, type KnownOptions, readLeniently, valuesOf } from './lenient-options.ts';
import { type Argument, lastName, literal, within } from './words.ts';
import type { WriteScan, WriteTarget } from './write-target.ts';

const words = (text: string): string[] => text.split(' ');

export const scanFetch: WriteScan = (args, command) => {
  const read = command === 'wget' ? wget(args) : curl(args);
  // Both read a settings file of the user's that can name other files.
  return { targets: read.filter(({ path }) => path.value !== '-'), complete: false };
};

const CURL_WRITES = words(
  '-o --output -D --dump-header -c --cookie-jar --trace --trace-ascii --stderr --etag-save --hsts --alt-svc --libcurl',
);
/** Each of these takes a value in curl itself: otherwise an address could hide behind one. */
const CURL: KnownOptions = {
  values: 'AbCcDdEeFHKmoPQrTtUuwXxYyz',
  longValues: [
    ...CURL_WRITES.filter((name) => name.startsWith('--')),
    ...words(
      '--output-dir --url --header --data --data-raw --data-binary --data-urlencode --json --form --user --user-agent --request --proxy --max-time --connect-timeout --retry --upload-file --cookie --cert --key --cacert --referer --range --write-out --config --resolve',
    ),
  ],
  long: ['--remote-name', '--remote-name-all', '--location', '--location-trusted', '--proxy1.0', '--preproxy', '--connect-to'],
};
/** With these, the address does not decide where the request goes. */
const CURL_DIVERTS = words('-L --location --location-trusted -x --proxy --proxy1.0 --preproxy --connect-to --resolve -K --config');
const THIS_MACHINE = /^(?:https?:\/\/)?(?:localhost|127(?:\.\d{1,3}){3}|0\.0\.0\.0|\[::1\])(?::\d{1,5})?(?:[/?#][^\\]*)?$/i;

/** A curl request that certainly goes to this machine. */
export function asksOnlyThisMachine(args: readonly Argument[]): boolean {
  const read = readLeniently(args, CURL);
  const addresses = [...read.operands, ...valuesOf(read, ['--url'])];
  if (read.unsure || addresses.length === 0 || hasAny(read, CURL_DIVERTS)) return false;
  return addresses.every(({ value, pattern, text }) => THIS_MACHINE.test(value ?? (pattern ? text : '')));
}

function curl(args: readonly Argument[]): WriteTarget[] {
  const read = readLeniently(args, CURL);
  const [folder] = valuesOf(read, ['--output-dir']);
  const written = valuesOf(read, CURL_WRITES);
  if (hasAny(read, ['-O', '--remote-name', '--remote-name-all'])) {
    const addresses = [...read.operands, ...valuesOf(read, ['--url'])];
    written.push(...addresses.flatMap(fetchedName));
  }
  return written.map((path) => ({ path: folder === undefined || path.value === null ? path : within(folder, path.value), kind: 'file' }));
}

function wget(args: readonly Argument[]): WriteTarget[] {
  const into = words('-O --output-document -o --output-file -a --append-output --save-cookies --rejected-log');
  const read = readLeniently(args, {
    values: 'aABDeIiloOPQRtTUwX',
    longValues: [
      ...into.filter((name) => name.startsWith('--')),
      ...words(
        '--directory-prefix --header --user-agent --post-data --post-file --user --password --tries --timeout --wait --input-file --execute',
      ),
    ],
    long: words('--recursive --mirror --spider --input-file'),
  });
  const named = valuesOf(read, into).map((path): WriteTarget => ({ path, kind: 'file' }));
  if (hasAny(read, ['-O', '--output-document', '--spider'])) return named;
  const folder = valuesOf(read, ['-P', '--directory-prefix'])[0] ?? literal('');
  if (hasAny(read, ['-r', '--recursive', '-m', '--mirror', '-i', '--input-file']))
    return [...named, { path: folder.value === '' ? literal('.') : folder, kind: 'below' }];
  return [...named, ...read.operands.flatMap(fetchedName).map((name): WriteTarget => ({ path: within(folder, name.text), kind: 'file' }))];
}

/** The last name of an address, which names the fetched file. */
function fetchedName(address: Argument): Argument[] {
  // A question mark of the query is no pattern here.
  if (address.value === null && !address.pattern) return [address];
  const name = lastName(literal(address.text.replace(/[?#].*$/s, '').replace(/^[a-z]+:\/\/[^/]*/i, '')));
  return [literal(name === null || name === '' ? 'index.html' : name)];
}
