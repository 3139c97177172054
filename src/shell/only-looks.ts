// Commands of programs that change things, with which they only look: at the machine, at a forge, at a cluster, at a configured remote.

import { readLeniently } from './lenient-options.ts';
import type { Argument } from './words.ts';

const words = (text: string): readonly string[] => text.split(' ');
type Test = (args: readonly Argument[]) => boolean;

const operandsOf = (args: readonly Argument[], values = ''): readonly Argument[] => readLeniently(args, { values }).operands;
const isLiteral: Test = (args) => args.every(({ value }) => value !== null);

/** One of these is the first word that is not an option. */
const first =
  (list: string, bare = false): Test =>
  (args) => {
    const [operand] = operandsOf(args, 'HnpM');
    return operand === undefined ? bare : words(list).includes(operand.value ?? '');
  };
/** One of these options is the first word. */
const begins =
  (form: RegExp): Test =>
  (args) =>
    form.test(args[0]?.value ?? '');

const PACKAGES =
  'list search show info policy query outdated deps leaves why depends rdepends madison check-update repolist repoquery --version';

/** By program: whether these arguments only look. */
const LOOKS: Readonly<Record<string, Test>> = {
  systemctl: first(
    'status is-active is-enabled is-failed list-units list-unit-files list-timers list-jobs list-sockets show cat list-dependencies get-default',
    true,
  ),
  service: (args) => args[1]?.value === 'status' || args[0]?.value === '--status-all',
  crontab: (args) =>
    isLiteral(args) &&
    args.some(({ value }) => value === '-l') &&
    !args.some(({ value }) => /^-\w*[re]/.test(value ?? '')) &&
    operandsOf(args, 'u').length === 0,
  at: begins(/^-l$/),
  launchctl: first('list print blame print-disabled'),
  mount: (args) => args.length === 0 || (args.length === 1 && args[0]!.value === '-l'),
  swapon: begins(/^(?:--show|-s)$/),
  sysctl: (args) => isLiteral(args) && !args.some(({ value }) => /^-\w*[wpf]|^--(?:write|load|system)|=/.test(value ?? '')),
  iptables: begins(/^-[LS]/),
  ip6tables: begins(/^-[LS]/),
  nft: first('list'),
  ufw: first('status show version'),
  passwd: begins(/^-S$/),
  hostnamectl: first('status', true),
  timedatectl: first('status show list-timezones', true),
  defaults: first('read domains find'),
  dpkg: begins(/^(?:-[lLsSp]|--(?:list|listfiles|status|search|get-selections|print-architecture|version))/),
  pacman: begins(/^-(?:Q|Ss|Si)/),
  apt: first(PACKAGES),
  'apt-get': begins(/^--(?:version|simulate|dry-run)$|^-s$/),
  yum: first(PACKAGES),
  dnf: first(PACKAGES),
  apk: first(PACKAGES),
  brew: first(`${PACKAGES} --prefix config doctor`),
  snap: first(PACKAGES),
  flatpak: first(PACKAGES),
  kubectl: first('get describe logs top explain version api-resources api-versions cluster-info diff wait rollout-status'),
  oc: first('get describe logs explain version api-resources status whoami project projects'),
  helm: first('list ls status history search show template lint version env'),
  terraform: (args) =>
    first('fmt validate version graph providers')(args) ||
    /^(?:state|workspace) list$/.test(
      operandsOf(args)
        .slice(0, 2)
        .map(({ text }) => text)
        .join(' '),
    ),
  tofu: first('fmt validate version graph providers'),
  pulumi: first('version about whoami'),
  ansible: begins(/^--version$/),
  'ansible-playbook': begins(/^--(?:version|syntax-check|list-tasks|list-hosts)$/),
};

export const onlyLooks =
  (program: string): Test =>
  (args) =>
    LOOKS[program]?.(args) ?? false;

export const LOOKING_PROGRAMS: readonly string[] = Object.keys(LOOKS);

/** Secrets that a cluster would show. */
export const asksForSecrets: Test = (args) => args.some(({ text }) => /^(?:[\w,]*,)?secrets?(?:[,/.]|$)|^--raw$/i.test(text));

const FORGE_READS: Readonly<Record<string, string>> = {
  pr: 'view list status diff checks',
  mr: 'view list diff',
  issue: 'view list status',
  run: 'view list watch',
  workflow: 'view list',
  repo: 'view list',
  release: 'view list',
  label: 'list',
  search: 'issues prs repos code commits',
  auth: 'status',
  ci: 'view list status',
  pipeline: 'view list status',
};

/** `gh pr view 1`: asks the forge that one is logged in to, with words that are all written out. */
export const onlyReadsForge: Test = (args) => {
  if (!isLiteral(args) || args.some(({ value }) => /^(?:-w|--web|-t|--show-token|--hostname)/.test(value ?? ''))) return false;
  const [topic, verb] = operandsOf(args, 'R').map(({ text }) => text);
  if (topic === 'status' && verb === undefined) return true;
  if (topic === 'api') return !args.some(({ value }) => /^(?:-[XfFH]|--(?:method|field|raw-field|input|header))/.test(value ?? ''));
  return topic !== undefined && words(FORGE_READS[topic] ?? '').includes(verb ?? '-');
};

/** `git fetch origin main`: from a remote that the settings name, and with words that are all written out. */
export const onlyConfiguredRemote: Test = (args) => {
  if (!isLiteral(args) || args.some(({ value }) => /^(?:-c|--config-env|--upload-pack|--exec|-u|--server-option|-o)/.test(value ?? '')))
    return false;
  const [command, ...rest] = readLeniently(args, {
    values: 'CjsX',
    longValues: ['--depth', '--jobs', '--strategy', '--strategy-option', '--shallow-since', '--filter'],
  }).operands.map(({ text }) => text);
  const [remote, ...refs] = command === 'remote' ? rest.slice(1) : rest;
  return (remote === undefined || /^[\w-][\w.-]*$/.test(remote)) && refs.every((ref) => /^\+?[\w][\w./*-]*(?::[\w][\w./*-]*)?$/.test(ref));
};

const LOCAL = /^(?:https?:\/\/)?(?:localhost|127(?:\.\d{1,3}){3}|\[::1\]|::1)(?::\d{1,5})?(?:[/?#][^\\]*)?$/i;

/** wget: no redirect is followed to elsewhere without a word of its own, so an address of this machine is one. */
export const fetchesOnlyHere: Test = (args) => {
  const read = readLeniently(args, {
    values: 'OoPTtwUaQ',
    longValues: ['--output-document', '--timeout', '--tries', '--header', '--user-agent'],
  });
  const diverts = read.options.some(({ name }) =>
    /^(?:-i|-e|-r|-m|--(?:input-file|execute|recursive|mirror|config|use-proxy|post-file|body-file))$/.test(name),
  );
  return (
    !read.unsure &&
    !diverts &&
    read.operands.length > 0 &&
    read.operands.every(({ value, text, pattern }) => LOCAL.test(value ?? (pattern ? text : '')))
  );
};

/** `nc -z localhost 80` only tries whether something listens. */
export const triesOnlyHere: Test = (args) =>
  isLiteral(args) &&
  args.some(({ value }) => /^-\w*z/.test(value ?? '')) &&
  !args.some(({ value }) => /^-\w*[elcx]/.test(value ?? '')) &&
  LOCAL.test(operandsOf(args, 'wiq')[0]?.text ?? '');

/** Written out and not taken back: `--dry-run=false` is not a dry run. */
export const isDryRun: Test = (args) => args.some(({ value }) => value === '--dry-run' || value === '--dry-run=true');

/** Only asks whether a process is there, or names signals. */
export const onlyAsksProcesses: Test = (args) => /^-(?:0|l|L)$/.test(args[0]?.value ?? '');

/** Children of this very shell. */
export const onlyOwnChildren: Test = (args) =>
  args.some(({ value, text }, i) => value === '-P' && /^\$\$$/.test(args[i + 1]?.text ?? text));
