// Code of another language in a command's own text: what it certainly writes, the commands that it runs, and why it should be asked about.
// Only strings that are written out are found. It proves nothing: such code is never SAFE.

/** Programs that take code as the value of an option, by the letters of these options. */
const CODE_OPTIONS: readonly (readonly [name: RegExp, options: RegExp])[] = [
  [/^(?:python|pypy)[\d.]*$/, /^-[a-zA-Z]*c$/],
  [/^(?:node|nodejs|bun|tsx|ts-node)$/, /^(?:-[ep]{1,2}|--eval|--print)$/],
  [/^deno$/, /^eval$/],
  [/^(?:perl|ruby)[\d.]*$/, /^-\w*[eE]$/],
  [/^php[\d.]*$/, /^-[rRB]$/],
  [/^expect$/, /^-c$/],
  [/^(?:lua|luajit|Rscript|osascript|groovy|scala|elixir|julia)[\d.]*$/, /^-e$/],
];

export const takesCode = (program: string): RegExp | null => CODE_OPTIONS.find(([name]) => name.test(program))?.[1] ?? null;

const TEXT = String.raw`(?:[rbuf]{0,2}'((?:[^'\\\n]|\\.)*)'|[rbuf]{0,2}"((?:[^"\\\n]|\\.)*)"|${'`'}([^${'`'}\\$\n]*)${'`'})`;
const MODE = String.raw`(?:mode\s*=\s*)?[rbu]{0,2}['"](?:[wax][bt+]{0,2}|[rb]{1,2}\+)['"]`;
const text = (source: string): RegExp => new RegExp(source, 'g');

/** Calls whose text argument names a file that is written, removed or made. */
const WRITES: readonly RegExp[] = [
  text(String.raw`\b(?:open|fopen|File\.open|File\.new|io\.open|codecs\.open)\s*\(?\s*${TEXT}\s*,\s*${MODE}`),
  text(
    String.raw`\bPath\s*\(\s*${TEXT}\s*\)\s*\.\s*(?:write_\w+|touch|unlink|mkdir|rename|replace|rmdir|symlink_to|open\s*\(\s*['"][wax])`,
  ),
  text(
    String.raw`\b(?:writeFile|appendFile|createWriteStream|rm|rmdir|unlink|mkdir|truncate|chmod|open|utimes)(?:Sync)?\s*\(\s*${TEXT}(?=\s*[,)])`,
  ),
  text(String.raw`\b(?:copyFile|cp|rename|symlink|link)(?:Sync)?\s*\([^,()\n]{1,200},\s*${TEXT}`),
  text(String.raw`\b(?:Bun\.write|Deno\.(?:writeTextFile|writeFile|remove|mkdir)(?:Sync)?)\s*\(\s*${TEXT}`),
  text(String.raw`\b(?:os\.(?:remove|unlink|rmdir|mkdir|makedirs|truncate|chmod)|shutil\.rmtree|unlink|rmdir|mkdir)\s*\(?\s*${TEXT}`),
  text(String.raw`\b(?:os\.(?:rename|replace|symlink|link)|shutil\.(?:copy\w*|move))\s*\([^,()\n]{1,200},\s*${TEXT}`),
  text(String.raw`\b(?:File|IO|FileUtils|Pathname)\.(?:write|binwrite|delete|unlink|touch|rm\w*|mkdir\w*)\s*\(?\s*${TEXT}`),
  text(String.raw`\b(?:FileUtils\.(?:cp\w*|mv|copy)|File\.rename|copy|rename)\s*\(?\s*[^,()\n]{1,200},\s*${TEXT}`),
  text(String.raw`\b(?:file_put_contents|touch|fopen|os\.remove|writeLines|write\.csv)\s*\(\s*${TEXT}`),
  // Perl: open(F, '>x'), open(my $f, '>', 'x').
  text(String.raw`\bopen\s*\(?\s*(?:my\s+)?[\w$]+\s*,\s*['"]\s*(?:>>?|\+<)\s*['"]\s*,\s*${TEXT}`),
];
const PERL_OPEN = /\bopen\s*\(?\s*(?:my\s+)?[\w$]+\s*,\s*['"]\s*(?:>>?|\+[<>])\s*([^'"]+)['"]/g;

/** Calls that hand a text to a shell, or a list of words to a program. */
const RUNS: readonly RegExp[] = [
  text(
    String.raw`\b(?:os\.system|os\.popen|subprocess\.\w+|system|exec|execSync|spawnSync|spawn|execFileSync|execFile|popen|passthru|shell_exec|os\.execute|io\.popen|do shell script|qx|Popen|run|call|check_call|check_output)\s*\(?\s*${TEXT}`,
  ),
];
/** Expect and Tcl: the rest of the line. */
const SPAWNS = /(?:^|[;{\n])\s*(?:spawn|exec)\s+(?:-\w+\s+)*([\w./~-][^;}\n]*)/g;
const RUNS_LIST =
  /\b(?:subprocess\.\w+|Popen|run|call|check_\w+|spawn(?:Sync)?|execFile(?:Sync)?)\s*\(\s*(?:['"]([^'"]+)['"]\s*,\s*)?\[([^\]]{0,500})\]/g;

const found = (pattern: RegExp, code: string): string[] =>
  [...code.matchAll(pattern)].flatMap((match) => match.slice(1).find((group) => group !== undefined) ?? []);

export interface CodeReading {
  readonly writes: readonly string[];
  readonly scripts: readonly string[];
  /** Completes a sentence about the program: "… code that …"; null: nothing to ask about. */
  readonly asks: { readonly code: 'RUNS_DECODED' | 'NETWORK' | 'READS_SECRET' | 'OUTSIDE_CODE'; readonly detail: string } | null;
}

/** Longer, and only the beginning is looked at. */
const LONGEST = 16_384;

export function readCode(given: string): CodeReading {
  const code = given.slice(0, LONGEST);
  const writes = [...WRITES.flatMap((pattern) => found(pattern, code)), ...found(PERL_OPEN, code)].filter((path) => path !== '');
  const lists = [...code.matchAll(RUNS_LIST)].map(([, first, list]) =>
    [first ?? '', ...(list!.match(/(?<=['"])[^'"]*(?=['"](?:\s*,|\s*$))/g) ?? [])].join(' '),
  );
  return {
    writes: [...new Set(writes)].slice(0, 50),
    scripts: [...[...RUNS, SPAWNS].flatMap((pattern) => found(pattern, code)), ...lists],
    asks: whyAsked(code),
  };
}

const DECODES =
  /\b(?:b(?:64|32|16|85)decode|a85decode|atob|fromhex|unhexlify|decode_base64|Base64\.decode64|base64_decode|marshal\.loads|zlib\.decompress|codecs\.decode|pack\s*\(\s*['"][Hm])|['"](?:base64|hex)['"]\s*\)/;
const EVALUATES =
  /\b(?:exec|eval|compile|__import__|Function|vm\.run\w*|runInThisContext|instance_eval|class_eval|load|assert|create_function|system)\s*\(|\beval\b/;
const CONNECTS =
  /\b(?:urllib|urlopen|requests\.|httpx\.|aiohttp|http\.client|HTTPS?Connection|socket\.(?:socket|create_connection)|ftplib|smtplib|paramiko|fetch\s*\(|XMLHttpRequest|WebSocket|https?\.(?:get|request)\s*\(|net\.(?:connect|createConnection|Socket)|dgram\.|tls\.connect|dns\.(?:lookup|resolve)|axios|LWP::|IO::Socket|HTTP::Tiny|Net::HTTP|open-uri|URI\.open|TCPSocket|fsockopen|curl_init|file_get_contents\s*\(\s*['"]https?:|socket\.http)/;
const LOCAL_ADDRESS = /(?:https?:\/\/|['"])(?:localhost|127\.0\.0\.1|\[::1\]|0\.0\.0\.0)\b/;
const WHOLE_ENVIRONMENT =
  /\bos\.environ(?!\s*(?:\[|\.(?:get|setdefault|pop|copy|update)\b))|\bprocess\.env\b(?!\s*(?:\.\s*\w|\[|\?\.))|%ENV\b|\bENV\.(?:to_h|each|inspect|map)|\bgetenv\s*\(\s*\)/;
const SECRET_FROM_ENVIRONMENT =
  /(?:environ(?:\.get\s*\(\s*|\s*\[\s*)|getenv\s*\(\s*|process\.env\s*(?:\?\.|\.|\[\s*)|\bENV\s*(?:\[\s*|\{\s*|\.fetch\s*\(?\s*))['"]?\w*(?:TOKEN|SECRET|PASSWORD|PASSWD|API_?KEY|PRIVATE_?KEY|ACCESS_?KEY|CREDENTIAL)/i;
/** A name that is put together at run time may be any. */
const SOME_FROM_ENVIRONMENT =
  /(?:environ(?:\.get\s*\(\s*|\s*\[\s*)|getenv\s*\(\s*|process\.env\s*\[\s*|\bENV\s*\[\s*)(?:['"][^'"\n]*['"]\s*[+%.&]|[^'"\s\])])/;
const AT_HOME = /\bexpanduser\s*\(|\bhomedir\s*\(|\bPath\.home\s*\(|\bDir\.home\b|['"]~\/|\$HOME\b|process\.env\.HOME\b|\$ENV\{HOME\}/;
const SYSTEM_PLACE = /['"`]\/(?:etc|root|var\/(?:lib|spool|log)|boot|home|Users|usr\/local|opt)\//;

function whyAsked(code: string): CodeReading['asks'] {
  if (DECODES.test(code) && EVALUATES.test(code)) return { code: 'RUNS_DECODED', detail: 'decodes a text and runs it' };
  if (SECRET_FROM_ENVIRONMENT.test(code)) return { code: 'READS_SECRET', detail: 'a variable that is named after a secret' };
  if (WHOLE_ENVIRONMENT.test(code) || SOME_FROM_ENVIRONMENT.test(code))
    return { code: 'READS_SECRET', detail: 'variables of the environment that its text does not name' };
  if (CONNECTS.test(code) && !(LOCAL_ADDRESS.test(code) && !/https?:\/\/(?!localhost|127\.0\.0\.1|\[::1\]|0\.0\.0\.0)/.test(code)))
    return { code: 'NETWORK', detail: 'opens a connection' };
  if (AT_HOME.test(code) || SYSTEM_PLACE.test(code)) return { code: 'OUTSIDE_CODE', detail: 'names places outside the workspace' };
  return null;
}

/** The files that a patch changes. `strip`: how many folders are cut off its names; null: by trying. */
export function filesOfPatch(patch: string, strip: number | null): string[] {
  const names = [...patch.slice(0, LONGEST * 2).matchAll(/^(?:\+\+\+|---|rename (?:from|to)|copy to|Index:) ([^\t\n]+)/gm)].map(
    ([line, name]) => ({
      name: name!.trim().replace(/^"|"$/g, ''),
      whole: /^(?:rename|copy|Index)/.test(line),
    }),
  );
  const files = names
    .filter(({ name }) => name !== '/dev/null')
    .flatMap(({ name, whole }) => {
      const cut = (count: number) => name.split('/').slice(count).join('/');
      if (whole) return [name];
      return strip === null ? [name, cut(/^[ab]\//.test(name) ? 1 : 0)] : [cut(strip)];
    });
  return [...new Set(files)].filter((name) => name !== '').slice(0, 50);
}

/** Lines of an editor's commands that write another file: `w a`, `:saveas a`. */
export const filesOfEditor = (script: string): string[] =>
  [...script.slice(0, LONGEST).matchAll(/(?:^|[|:\n])\s*(?:[\d,%$.]*)(?:wq?|write|sav(?:eas)?|W)!?\s+(?:>>\s*)?([^\s|!][^\s|]*)/g)].map(
    ([, file]) => file!,
  );
