// What a change of each setting grants. The settings' files are the editable form; the accepted values are in the ledger. Each key has one
// rule, `meet`: the most that both values allow. It holds at once, whoever wrote the file; what it leaves out grants more and needs a human.

import { strongerProof } from '../policy/index.ts';
import { Config, DEFAULT_CONFIG } from '../protocol/index.ts';
import { higher } from './mode-limits.ts';

/** The most that both values of one setting allow. */
type Meet<T> = (accepted: T, said: T) => T;
/** `memory` is one setting: its keys belong together, and records of earlier versions have it whole. */
type Rules = {
  readonly [S in Exclude<keyof Config, 'memory'>]: { readonly [K in keyof Config[S]]: Meet<Config[S][K]> };
} & { readonly memory: Meet<Config['memory']> };

/** Any other value may grant more: a command that is run, a place that data is sent to. */
const onlyAccepted = <T>(accepted: T): T => accepted;
const inBoth: Meet<string[]> = (accepted, said) => said.filter((each) => accepted.includes(each));

/** The stricter comes last. */
const WALL_LEVELS: readonly Config['walls']['level'][] = ['off', 'on', 'required'];

export const SETTING_RULES: Rules = {
  mode: {
    minimum: (accepted, said) => higher(accepted, said) as Config['mode']['minimum'],
    pin: (accepted, said) => accepted ?? said,
  },
  approvals: {
    // A question can be answered, and a yes be used, for longer.
    ttlSeconds: Math.min,
    destructiveProof: (accepted, said) => (accepted === null ? said : said === null ? accepted : strongerProof(accepted, said)),
  },
  commands: { network: (accepted, said) => accepted && said, allow: inBoth },
  walls: {
    level: (accepted, said) => (WALL_LEVELS.indexOf(accepted) > WALL_LEVELS.indexOf(said) ? accepted : said),
    readable: inBoth,
    writable: inBoth,
    hosts: inBoth,
  },
  // Silence hides that an agent asks.
  notify: { desktop: (accepted, said) => accepted || said, bell: (accepted, said) => accepted || said },
  // A check that is removed lets more pass, and one that is added is a command that the gate runs.
  quality: { format: onlyAccepted, lint: onlyAccepted, typecheck: onlyAccepted, test: onlyAccepted },
  paths: {
    derived: inBoth,
    companions: (accepted, said) =>
      Object.fromEntries(
        Object.entries(said)
          .filter(([manifest]) => Object.hasOwn(accepted, manifest))
          .map(([manifest, globs]) => [manifest, inBoth(accepted[manifest] ?? [], globs)]),
      ),
  },
  // Less time removes what undo and blame need.
  ledger: { retentionDays: (accepted, said) => (accepted === null || said === null ? null : Math.max(accepted, said)) },
  // Fewer sources let more plans pass.
  evidencePolicy: {
    minRequirementSources: Math.max,
    minCodeEvidenceSources: Math.max,
    minPolicySources: Math.max,
    allowSingleSourceWithGuard: (accepted, said) => accepted && said,
    distinctSourceDefinition: (accepted, said) => (accepted === 'file' ? accepted : said),
  },
  budget: { maxTokens: Math.min },
  memory: onlyAccepted,
  graph: { neo4j: (accepted, said) => (said === null ? null : accepted) },
  // What is looked at, by what, and with which credentials: another value may show more.
  roots: { worktree: onlyAccepted },
  ingestion: { include: onlyAccepted, exclude: onlyAccepted },
  angular: { projects: onlyAccepted },
  federation: { manifests: onlyAccepted },
  parsers: { disabled: onlyAccepted },
  auth: { jira: onlyAccepted, swagger: onlyAccepted },
  connectors: {
    jira: (accepted, said) => (said === null ? null : accepted),
    specHosts: inBoth,
    specTokenHost: (accepted, said) => (said === null ? null : accepted),
    localHosts: inBoth,
    requestsPerMinute: Math.min,
  },
  recipes: { manifest: onlyAccepted },
  dashboard: { port: onlyAccepted },
  features: { browserAutomation: (accepted, said) => accepted && said },
};

/** Values by key, such as `commands.network`: the form in which the ledger has them. */
export type SettingValues = Readonly<Record<string, unknown>>;

interface Setting {
  readonly key: string;
  readonly meet: Meet<unknown>;
}

const SETTINGS: readonly Setting[] = Object.entries(SETTING_RULES).flatMap(([section, rules]) =>
  typeof rules === 'function'
    ? [{ key: section, meet: rules as Meet<unknown> }]
    : Object.entries(rules as Readonly<Record<string, Meet<unknown>>>).map(([key, meet]) => ({ key: `${section}.${key}`, meet })),
);

export const settingValues = (config: Config): SettingValues =>
  Object.fromEntries(SETTINGS.map(({ key }) => [key, valueIn(config as unknown as Tree, key)]));

/** What the ledger has, completed: a setting that it does not know, or has in a form that is no longer valid, has its default. */
export function configOf(values: SettingValues): Config {
  const tree = structuredClone(DEFAULT_CONFIG) as unknown as Tree;
  for (const { key } of SETTINGS) {
    if (!Object.hasOwn(values, key)) continue;
    const [section = key, name] = key.split('.');
    const whole = name === undefined ? values[key] : { [name]: values[key] };
    const next = { ...tree, [section]: { ...(tree[section] as Tree), ...(whole as Tree) } };
    const parsed = Config.safeParse(next);
    if (parsed.success) tree[section] = (parsed.data as unknown as Tree)[section];
  }
  return tree as unknown as Config;
}

/** What holds: of each setting, the most that both the accepted value and the files allow. */
export const inForce = (accepted: Config, said: Config): Config =>
  configOf(meetOf(settingValues(accepted), settingValues(said), () => true));

/** `isDoubtful`: for these keys only what both allow is taken over, for the others what the files say. */
export const meetOf = (accepted: SettingValues, said: SettingValues, isDoubtful: (key: string) => boolean): SettingValues =>
  Object.fromEntries(
    SETTINGS.map(({ key, meet }) => {
      const [before, after] = [accepted[key], said[key]];
      return [key, sameValue(before, after) || !isDoubtful(key) ? after : meet(before, after)];
    }),
  );

/** What the second says and the first does not. */
export const differing = (held: SettingValues, said: SettingValues): SettingValues =>
  Object.fromEntries(Object.entries(said).filter(([key, value]) => !sameValue(held[key], value)));

/** Neither the order of keys nor that of a list says anything. */
export const sameValue = (one: unknown, other: unknown): boolean => JSON.stringify(ordered(one)) === JSON.stringify(ordered(other));

type Tree = Record<string, unknown>;

function valueIn(tree: Tree, key: string): unknown {
  const [section = key, name] = key.split('.');
  return name === undefined ? tree[section] : (tree[section] as Tree)[name];
}

function ordered(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(ordered).toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
  if (typeof value !== 'object' || value === null) return value;
  return Object.entries(value)
    .map(([key, each]): [string, unknown] => [key, ordered(each)])
    .toSorted(([a], [b]) => (a < b ? -1 : 1));
}
