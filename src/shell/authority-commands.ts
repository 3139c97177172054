// Finds a command of a human's, such as `countersign approve`, in the text of an agent's command, where the text would be run: alone, in
// a wrapper, in a string that another program runs, or piped into one. In a message, a search or a file it is only text. What the text
// does not show (a script, a variable from elsewhere) is judged by the process that gives the command.

import { parse } from 'unbash';

/** Without a second word these are a human's; the others only with one of these. */
const OF_HUMANS: Readonly<Record<string, readonly string[] | true>> = {
  ...{ intent: true, approve: true, reject: true, pause: true, ack: true, open: true, stop: true, init: true, undo: true, import: true },
  ...{ approver: ['enroll', 'remove'], service: ['install', 'uninstall', 'remove'] },
  intents: ['activate', 'pause', 'done', 'abandon', 'confirm', 'discard'],
  grants: ['end', 'revoke'],
  rules: ['activate', 'confirm', 'end', 'revoke'],
  mode: ['pin', 'min'],
  settings: ['confirm'],
  tasks: ['confirm'],
  memory: ['add', 'approve', 'retire', 'import'],
  ...{ watch: true, port: ['open', 'close'], plan: ['grant-budget'], config: ['set'], run: ['merge', 'discard'] },
  endpoints: ['add', 'confirm', 'remove'],
};
/** The program, by any path, as a package, or as the file that it runs. */
const PROGRAM = /(?:^|\/)(?:countersign(?:@[\w.^~-]*)?(?:\.(?:cmd|js|mjs|ps1))?|app\/main\.[jt]s)$/;
const APPROVAL = /^apr_[0-9A-Z]{8,}/i;

/** Programs whose arguments are text, names or patterns: nothing in them is run. */
const TEXT_ONLY = new Set([
  ...[
    'echo',
    'printf',
    'grep',
    'egrep',
    'fgrep',
    'zgrep',
    'rg',
    'ag',
    'ugrep',
    'gh',
    'glab',
    'cat',
    'bat',
    'less',
    'more',
    'head',
    'tail',
    'wc',
    'ls',
  ],
  ...[
    'diff',
    'cmp',
    'jq',
    'yq',
    'sort',
    'uniq',
    'tr',
    'cut',
    'sed',
    'test',
    '[',
    '[[',
    ':',
    'true',
    'false',
    'touch',
    'mkdir',
    'cp',
    'mv',
    'rm',
    'ln',
  ],
  ...[
    'chmod',
    'tee',
    'which',
    'type',
    'whereis',
    'man',
    'file',
    'stat',
    'basename',
    'dirname',
    'realpath',
    'export',
    'unset',
    'cd',
    'pushd',
    'tree',
    'fd',
  ],
]);
/** Options with which such a program, or git with a command that only looks, runs what it is given. */
const RUNNING_OPTION: Readonly<Record<string, RegExp>> = {
  fd: /^-[xX]|^--exec/,
  rg: /^--(?:pre|hostname-bin)(?:=|$)/,
  sort: /^--compress-program/,
  ...{ ag: /^--pager/, bat: /^--pager/, man: /^-P|^--pager/, less: /^\+*!/, more: /^\+*!/ },
  ...{ gh: /^!/, glab: /^!/ },
  sed: /(?:^|[\s;{}/\d$,!])e\s/,
  git: /^-O|^--(?:open-files-in-pager|exec|upload-pack|receive-pack)(?:=|$)/,
};
/** Variables whose value is a command that other programs run. */
const NAMES_PROGRAM = /(?:EDITOR|VISUAL|PAGER|BROWSER|ASKPASS|_COMMAND|GIT_SSH|GIT_EXTERNAL_DIFF|LESSOPEN|LESSCLOSE|SHELL|BASH_ENV)$/;
/** They run what they read behind the words that they are given. */
const APPENDS_WORDS = /^(?:xargs|parallel)$/;
/** Of these the text reaches the next program of a pipe as it was written. */
const PRODUCERS = new Set(['echo', 'printf', 'cat', 'tee']);
const GIT_TEXT =
  /^(?:add|blame|branch|checkout|cherry-pick|commit|diff|grep|log|merge|notes|push|pull|restore|show|stash|status|switch|tag)$/;

/** Programs that run what they are given apart from the agent's own processes, or on a terminal of their own. */
const DETACHING = new Set([
  ...[
    'tmux',
    'screen',
    'script',
    'setsid',
    'at',
    'batch',
    'ssh',
    'socat',
    'expect',
    'systemd-run',
    'crontab',
    'dtach',
    'abduco',
    'zellij',
    'unshare',
  ],
  ...['nsenter', 'daemonize', 'start-stop-daemon', 'machinectl', 'xdotool', 'wtype', 'ydotool', 'osascript', 'unbuffer', 'empty', 'reptyr'],
]);
const OWN_TERMINAL = /\b(?:forkpty|openpty|pty\.(?:spawn|fork)|TIOCSTI|setsid|daemon)\b/;
/** Of programs that are not known to run their arguments, the value behind one of these is text: a test's title, a message. */
const TEXT_OPTION =
  /^(?:-[tgkmF]|--(?:grep|testNamePattern|test-name-pattern|filter|message|title|body|name|description|reason|pattern|text)=?)$/;
const RUNS_ARGUMENTS =
  /^(?:(?:ba|z|da|k|fi|c|tc|a)?sh|eval|exec|env|nohup|sudo|doas|su|xargs|find|parallel|watch|timeout|nice|time|command|builtin|busybox|node|deno|bun|python[\d.]*|perl|ruby|php|lua|awk|gawk|docker|podman|flatpak-spawn|toolbox)$/;
const UNKNOWN_VERB = '$@';
const LONGEST = 65_536;

/** The words of a human's command that this command would run; null: there are none. */
export function authorityCommandIn(command: string): string | null {
  // Most commands do not name it.
  if (command.length > LONGEST || !mayName(command)) return null;
  try {
    const runs: string[] = [];
    // Parts of the tree are made when they are first asked for; as JSON it has all of them.
    collect(JSON.parse(JSON.stringify(parse(command))), command, runs);
    return runs.map((text) => authorityWords(tokensOf(text))).find((found) => found !== null) ?? null;
  } catch {
    return authorityWords(tokensOf(command)) ?? anywhereIn(command);
  }
}

/** Quotes and backslashes inside the name do not hide it. */
const bare = (text: string): string => text.replaceAll(/["'\\]/g, '');
const mayName = (text: string): boolean => /countersign|apr_|app\/main\.[jt]s/i.test(bare(text));

interface Node {
  readonly type?: string;
  readonly [key: string]: unknown;
}

/** Adds every text that would be run: the words of each command, and strings in them. */
function collect(node: unknown, source: string, runs: string[]): void {
  if (typeof node !== 'object' || node === null) return;
  if (Array.isArray(node)) {
    for (const each of node) collect(each, source, runs);
    return;
  }
  const { type, commands } = node as Node;
  if (type === 'Pipeline' && Array.isArray(commands)) {
    const parts = commands.map((each) => commandOf(each as Node));
    parts.forEach((part, at) => {
      if (!part || part.isText) return;
      const fed = parts.slice(0, at).flatMap((each) => (each && PRODUCERS.has(each.name) ? [each.text] : []));
      for (const text of fed) runs.push(text, `${part.text} ${text}`);
    });
  }
  const command = type === 'Command' ? commandOf(node as Node) : null;
  if (command && !command.isText) {
    runs.push(command.text);
    // The name comes from a variable, or the program runs things out of sight: the whole text counts.
    if ((command.isUnknown || command.isDetaching) && anywhereIn(source) !== null) runs.push(anywhereIn(source) ?? '');
  }
  const { name, value } = node as { readonly name?: unknown; readonly value?: { readonly value?: string } };
  if (type === 'Assignment' && typeof name === 'string' && NAMES_PROGRAM.test(name)) runs.push(value?.value ?? '');
  for (const each of Object.values(node)) collect(each, source, runs);
}

interface ReadCommand {
  readonly name: string;
  readonly text: string;
  readonly isText: boolean;
  readonly isUnknown: boolean;
  readonly isDetaching: boolean;
}

function commandOf(node: Node): ReadCommand | null {
  const name = node['name'] as { readonly value?: string; readonly text?: string } | undefined;
  if (node.type !== 'Command' || !name) return null;
  const written = name.value ?? '';
  const program = written.split('/').at(-1) ?? written;
  const words = ((node['suffix'] ?? []) as Node[]).flatMap((word) => textsOf(word));
  const isGitText =
    program === 'git' && GIT_TEXT.test(words.find((word) => !word.startsWith('-')) ?? '') && !/^-c$|^--exec/.test(words[0] ?? '');
  const given = words.filter((word) => RUNNING_OPTION[program]?.test(word)).map((word) => word.replace(/^--[\w-]+=|^-[A-Za-z]/, ''));
  const appends = APPENDS_WORDS.test(program) && words.some((word, at) => PROGRAM.test(word) && (words[at + 1] ?? ':::').startsWith(':::'));
  // A module that an interpreter runs takes options of its own.
  const isRunner = (RUNS_ARGUMENTS.test(program) && words[0] !== '-m') || DETACHING.has(program);
  const kept = isRunner ? words : words.filter((_, at) => !TEXT_OPTION.test(words[at - 1] ?? ''));
  const text = [written, ...kept, ...given, ...(appends ? [`countersign ${UNKNOWN_VERB}`] : [])].join(' ');
  return {
    ...{ name: program, text },
    isText: (TEXT_ONLY.has(program === 'xargs' ? ranByXargs(words) : program) || isGitText) && given.length === 0,
    isUnknown: /[$`]/.test(name.text ?? '') || program === 'alias',
    isDetaching: [program, ...kept].some((word) => DETACHING.has(word.split('/').at(-1) ?? word)) || OWN_TERMINAL.test(text),
  };
}

/** The first word that is neither an option nor the value of one. */
const ranByXargs = (words: readonly string[]): string =>
  words.find((word, at) => !word.startsWith('-') && !/^-[InPLdasE]$/.test(words[at - 1] ?? '')) ?? '';

/** A word's value, or what a here-document holds. */
function textsOf(word: Node): string[] {
  const { type, value, text = '', body, target } = word as Node & { value?: unknown; text?: string; body?: Node; target?: Node };
  if (type === 'HereDocBody') return [text];
  return [...(typeof value === 'string' ? [value] : []), ...[body, target].flatMap((each) => (each ? textsOf(each) : []))];
}

/** Words as a shell, a list in another language or a path would separate them. */
const tokensOf = (text: string): string[] =>
  bare(text)
    .split(/[\s`,:;()[\]{}+=|&<>!]+/)
    .filter((token) => token !== '');

function authorityWords(tokens: readonly string[]): string | null {
  for (const [at, token] of tokens.entries()) {
    if ((token === 'approve' || token === 'reject') && tokens.slice(at + 1, at + 3).some((next) => APPROVAL.test(next)))
      return `${token} ${tokens[at + 1]}`;
    if (!PROGRAM.test(token)) continue;
    // Options, and the values of some, may stand between.
    const next = tokens.slice(at + 1, at + 7);
    const first = next.find((word) => !word.startsWith('-')) ?? '';
    // Which command it would be is only known when it runs.
    if (first.startsWith('$')) return 'countersign with a command that is not in the text';
    const verb = next.findIndex((word) => Object.hasOwn(OF_HUMANS, word));
    if (verb < 0 || !next.slice(0, verb).every((word, place) => word.startsWith('-') || next[place - 1]?.startsWith('-'))) continue;
    const found = isOfHumans(next, verb);
    if (found !== null) return `countersign ${found}`;
  }
  return null;
}

function isOfHumans(words: readonly string[], at: number): string | null {
  const [verb = '', second = ''] = words.slice(at);
  const needs = OF_HUMANS[verb];
  if (needs === undefined) return null;
  return needs === true ? verb : needs.includes(second) ? `${verb} ${second}` : null;
}

/** The name and a human's verb, in any order and at any distance. */
function anywhereIn(text: string): string | null {
  const tokens = tokensOf(text);
  if (!tokens.some((token) => PROGRAM.test(token))) return null;
  const found = tokens.map((_, at) => isOfHumans(tokens, at)).find((each) => each !== null);
  return found === undefined || found === null ? null : `countersign ${found}`;
}
