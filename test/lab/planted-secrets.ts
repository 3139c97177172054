// Secrets of every kind that the gate knows, rebuilt from a seed. None of them was ever real: any scanner alarm about this repository is
// false.

export interface PlantedSecret {
  readonly kind: string;
  /** What must be found nowhere. */
  readonly secret: string;
  /** The secret as a person would write it. */
  readonly text: string;
}

const LOWER = 'abcdefghijklmnopqrstuvwxyz';
const DIGITS = '0123456789';
const HEX = `${DIGITS}abcdef`;
const WORD = `${LOWER}${LOWER.toUpperCase()}${DIGITS}`;
const UPPER = `${LOWER.toUpperCase()}${DIGITS}`;
const BASE32 = `${LOWER.toUpperCase()}234567`;

/** Small, fast and the same everywhere. */
export function randomFrom(seed: number): (below: number) => number {
  let state = seed >>> 0;
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

type Make = (of: (alphabet: string, length: number) => string) => string;
const after =
  (start: string, alphabet: string, length: number): Make =>
  (of) =>
    start + of(alphabet, length);

/** By the kind that their mark names. */
const TOKENS: readonly (readonly [kind: string, make: Make])[] = [
  ['aws-key', after('AKIA', BASE32, 16)],
  ['aws-key', after('ASIA', BASE32, 16)],
  ['github-token', after('ghp_', WORD, 36)],
  ['github-token', after('ghs_', WORD, 36)],
  ['github-token', (of) => `github_pat_${of(WORD, 22)}_${of(WORD, 59)}`],
  ['gitlab-token', after('glpat-', WORD, 20)],
  ['gitlab-token', after('glrt-', WORD, 20)],
  ['slack-token', (of) => `xoxb-${of(DIGITS, 12)}-${of(DIGITS, 12)}-${of(WORD, 24)}`],
  ['slack-token', (of) => `xapp-1-A${of(UPPER, 10)}-${of(DIGITS, 13)}-${of(HEX, 64)}`],
  ['stripe-key', after('sk_live_', WORD, 24)],
  ['stripe-key', after('rk_test_', WORD, 24)],
  ['webhook-key', after('whsec_', WORD, 32)],
  ['anthropic-key', (of) => `sk-ant-api03-${of(`${WORD}_-`, 93)}AA`],
  ['openai-key', after('sk-proj-', WORD, 48)],
  ['openai-key', after('sk-', WORD, 48)],
  ['google-key', after('AIza', WORD, 35)],
  ['google-token', after('ya29.', WORD, 60)],
  ['google-secret', after('GOCSPX-', WORD, 28)],
  ['npm-token', after('npm_', WORD, 36)],
  ['pypi-token', after('pypi-AgE', WORD, 90)],
  ['huggingface-token', after('hf_', LOWER, 34)],
  ['sendgrid-key', (of) => `SG.${of(WORD, 22)}.${of(WORD, 43)}`],
  ['twilio-key', after('SK', HEX, 32)],
  ['mailgun-key', after('key-', HEX, 32)],
  ['digitalocean-token', after('dop_v1_', HEX, 64)],
  ['shopify-token', after('shpat_', HEX, 32)],
  ['jwt', (of) => `eyJ${of(WORD, 33)}.eyJ${of(WORD, 60)}.${of(WORD, 43)}`],
  ['discord-token', (of) => `M${of(WORD, 23)}.${of(WORD, 6)}.${of(WORD, 27)}`],
  ['vault-token', after('hvs.', WORD, 90)],
  ['doppler-token', after('dp.pt.', WORD, 43)],
  ['linear-key', after('lin_api_', WORD, 40)],
  ['notion-token', after('ntn_', WORD, 46)],
  ['postman-key', (of) => `PMAK-${of(HEX, 24)}-${of(HEX, 34)}`],
  ['databricks-token', after('dapi', HEX, 32)],
  ['figma-token', after('figd_', WORD, 40)],
  ['newrelic-key', after('NRAK-', UPPER, 27)],
  ['grafana-token', (of) => `glsa_${of(WORD, 32)}_${of(HEX, 8)}`],
  ['atlassian-token', after('ATATT3', WORD, 180)],
  ['docker-token', after('dckr_pat_', WORD, 27)],
  ['age-key', after('AGE-SECRET-KEY-1', UPPER, 58)],
  ['terraform-token', (of) => `${of(WORD, 14)}.atlasv1.${of(WORD, 67)}`],
  ['square-token', after('sq0csp-', WORD, 43)],
  ['rubygems-key', after('rubygems_', HEX, 48)],
  ['supabase-key', after('sbp_', HEX, 40)],
  ['planetscale-token', after('pscale_tkn_', WORD, 43)],
  ['groq-key', after('gsk_', WORD, 52)],
];

/** How a value is written so that its name shows what it is. */
const NAMED: readonly ((value: string) => string)[] = [
  (value) => `DB_PASSWORD=${value}`,
  (value) => `{"client_secret": "${value}"}`,
  (value) => `aws_secret_access_key = "${value}"`,
  (value) => `mysql --password ${value} shop`,
  (value) => `curl -H 'Authorization: Bearer ${value}' http://127.0.0.1`,
  (value) => `https://example.org/?access_token=${value}&page=2`,
  (value) => `export API_KEY='${value}'`,
  (value) => `AccountKey=${value};EndpointSuffix=example`,
];
const SCHEMES = ['postgres', 'https', 'amqp', 'redis', 'mongodb+srv'];

/** `count` different ones, of all kinds in turn. */
export function plantedSecrets(count: number, seed: number): readonly PlantedSecret[] {
  const random = randomFrom(seed);
  const of = (alphabet: string, length: number) => Array.from({ length }, () => alphabet[random(alphabet.length)]).join('');
  /** A password that a machine made: digits and letters take turns. */
  const password = () => Array.from({ length: 6 }, () => of(LOWER, 2) + of(DIGITS, 1) + of(LOWER.toUpperCase(), 1)).join('');
  const body = () => Array.from({ length: 4 }, () => of(`${WORD}+/`, 64)).join('\n');
  const makers: readonly (() => PlantedSecret)[] = [
    ...TOKENS.map(([kind, make]) => () => {
      const secret = make(of);
      return { kind, secret, text: secret };
    }),
    ...NAMED.map((write) => () => {
      const secret = password();
      return { kind: 'named', secret, text: write(secret) };
    }),
    ...SCHEMES.map((scheme) => () => {
      const secret = password();
      return { kind: 'url-password', secret, text: `${scheme}://ada:${secret}@db.example.org/shop` };
    }),
    ...['RSA ', 'EC ', 'OPENSSH ', ''].map((type) => () => {
      const secret = body();
      const edge = (word: string) => `-----${word} ${type}${'PRIVATE'} KEY-----`;
      return { kind: 'private-key', secret, text: `${edge('BEGIN')}\n${secret}\n${edge('END')}` };
    }),
    () => {
      const secret = `AA${of(WORD, 33)}`;
      return { kind: 'telegram-token', secret, text: `${of('123456789', 9)}:${secret}` };
    },
    () => {
      const secret = of(WORD, 24);
      return { kind: 'webhook', secret, text: `https://hooks.slack.com/services/T${of(UPPER, 8)}/B${of(UPPER, 8)}/${secret}` };
    },
  ];
  return Array.from({ length: count }, (_, number) => makers[number % makers.length]!());
}
