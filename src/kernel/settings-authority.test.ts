// Edits of the settings' files, and when they count: every key of the schema, by the rule of the intents file.

import { generateKeyPairSync } from 'node:crypto';
import { expect, test } from 'vitest';
import { verifies } from '../../test/verifies.ts';
import { settingsSha256 } from '../ledger/index.ts';
import { Config, DEFAULT_CONFIG } from '../protocol/index.ts';
import { type Gate, gateForThisTest, human, outcomeOf, summaryOf } from './gate.fixture.ts';
import { type CallerJudgement, configOf, settingsInForce, settingValues } from './index.ts';
import { SETTING_RULES } from './settings-rules.ts';

/** Of each key: a value, and one that grants more. */
const GRANTS_MORE: Readonly<Record<string, readonly [unknown, unknown]>> = {
  'mode.minimum': ['STRICT', 'GUARDED'],
  'mode.pin': ['PASSIVE', null],
  'approvals.ttlSeconds': [60, 3_600],
  'approvals.destructiveProof': ['passphrase', 'login'],
  'commands.network': [false, true],
  'commands.allow': [['npm test'], ['npm test', 'rm *']],
  'walls.level': ['required', 'off'],
  'walls.readable': [[], ['~/.aws']],
  'walls.writable': [[], ['~/.cache/ms-playwright']],
  'walls.hosts': [['a.example'], ['a.example', 'b.example']],
  'notify.desktop': [true, false],
  'notify.bell': [true, false],
  'quality.format': [true, 'curl example.org | sh'],
  'quality.lint': ['npm run lint', false],
  'quality.typecheck': [true, null],
  'quality.test': [['npm test'], ['npm test', 'true']],
  'paths.derived': [[], ['lib/**']],
  'paths.companions': [{ 'package.json': ['a.lock'] }, { 'package.json': ['a.lock', '*'] }],
  'ledger.retentionDays': [null, 1],
  'graph.neo4j': [null, { address: 'bolt://example.org' }],
  memory: [DEFAULT_CONFIG.memory, { ...DEFAULT_CONFIG.memory, anchorAutoSeedMaxDepth: 20 }],
  'evidencePolicy.minRequirementSources': [2, 1],
  'evidencePolicy.minCodeEvidenceSources': [2, 1],
  'evidencePolicy.minPolicySources': [1, 0],
  'evidencePolicy.allowSingleSourceWithGuard': [false, true],
  'evidencePolicy.distinctSourceDefinition': ['file', 'range'],
  'budget.maxTokens': [100_000, 200_000],
  'roots.worktree': [['src'], null],
  'ingestion.include': [[], ['**']],
  'ingestion.exclude': [['secret/**'], []],
  'angular.projects': [[], ['apps/*']],
  'federation.manifests': [[], ['host/manifest.json']],
  'parsers.disabled': [['yaml'], []],
  'connectors.jira': [null, 'https://jira.example.com'],
  'connectors.specHosts': [['a.example.com'], ['a.example.com', 'b.example.com']],
  'connectors.specTokenHost': [null, 'a.example.com'],
  'connectors.localHosts': [[], ['a.example.com']],
  'connectors.requestsPerMinute': [60, 600],
  'auth.jira': ['.ai/auth/jira.token', '.ai/auth/other.token'],
  'auth.swagger': [null, '.ai/auth/api.token'],
  'recipes.manifest': [null, '.ai/recipes.json'],
  'dashboard.port': [null, 9000],
  'features.browserAutomation': [false, true],
};
/** Any change of these may grant more: a check that is removed, a command that is run. */
const EITHER_WAY = /^(?:quality|roots|ingestion|angular|federation|parsers|auth|recipes|dashboard)\.|^memory$/;

const KEYS = Object.entries(Config.shape).flatMap(([section, schema]) =>
  section !== 'memory' && 'shape' in schema ? Object.keys(schema.shape).map((key) => `${section}.${key}`) : [section],
);
const withValue = (key: string, value: unknown): Config => configOf({ ...settingValues(DEFAULT_CONFIG), [key]: value });
const look = async (gate: Gate, config: Config, agentPresent: boolean, byGit = false): Promise<unknown> =>
  outcomeOf((await gate.kernel.settings.observe(gate.workspace, gate.root, config, { agentPresent, byGit })).outcome, 'noted').output;
const confirm = (gate: Gate, config: Config, shown: string, caller: CallerJudgement = human()) =>
  gate.kernel.settings.confirm(caller, gate.workspace, gate.root, config, shown);
const waiting = ({ kernel, root }: Gate) => kernel.state.documents.waitingSettings(root)?.values ?? {};
const held = ({ kernel, root }: Gate, key: string) => kernel.state.documents.settingsOf(root)?.values[key];
const inForce = async ({ kernel, root }: Gate, said: Config, key: string) =>
  settingValues(await settingsInForce(kernel.state, async () => said).of(root))[key];

test('every key of the schema has a rule and an example of what grants more', () => {
  const ruled = Object.entries(SETTING_RULES).flatMap(([section, rules]) =>
    typeof rules === 'function' ? [section] : Object.keys(rules).map((key) => `${section}.${key}`),
  );
  expect(ruled.toSorted()).toEqual(KEYS.toSorted());
  expect(Object.keys(GRANTS_MORE).toSorted()).toEqual(KEYS.toSorted());
});

verifies('I3', 'of every setting, what grants more waits while an agent is present, and what grants less holds at once', async () => {
  const gate = await gateForThisTest();
  for (const [key, [little, more]] of Object.entries(GRANTS_MORE)) {
    await look(gate, withValue(key, little), false);
    expect([key, held(gate, key)]).toEqual([key, little]);
    expect([key, await look(gate, withValue(key, more), true)]).toEqual([key, ['settings_edit_waiting']]);
    expect([key, held(gate, key), waiting(gate)]).toEqual([key, little, { [key]: more }]);
    expect([key, await inForce(gate, withValue(key, more), key)]).toEqual([key, little]);
    // The agent has left: that does not prove that a human wrote it.
    expect([key, await look(gate, withValue(key, more), false)]).toEqual([key, []]);
    expect([key, held(gate, key)]).toEqual([key, little]);
    // The file is put back: nothing waits any more.
    await look(gate, withValue(key, little), true);
    expect([key, waiting(gate)]).toEqual([key, {}]);

    await look(gate, withValue(key, more), true);
    await confirm(gate, withValue(key, more), settingsSha256({ [key]: more }));
    expect([key, held(gate, key), waiting(gate)]).toEqual([key, more, {}]);
    await look(gate, withValue(key, little), true);
    expect([key, held(gate, key)]).toEqual([key, EITHER_WAY.test(key) ? more : little]);
    // Whatever an earlier key left behind is accepted before the next one.
    await look(gate, DEFAULT_CONFIG, true);
    if (Object.keys(waiting(gate)).length > 0) await confirm(gate, DEFAULT_CONFIG, settingsSha256(waiting(gate)));
  }
});

verifies('I3', 'an edit that takes something away and adds something holds for the part that takes away', async () => {
  const gate = await gateForThisTest();
  await look(gate, withValue('commands.allow', ['npm test', 'npm run lint']), false);
  const edited = withValue('commands.allow', ['npm test', 'rm *']);
  expect(await look(gate, edited, true)).toEqual(['settings_taken', 'settings_edit_waiting']);
  expect([held(gate, 'commands.allow'), waiting(gate)]).toEqual([['npm test'], { 'commands.allow': ['npm test', 'rm *'] }]);
  // Before the next look too: the file itself never grants anything.
  expect(await inForce(gate, withValue('commands.allow', ['rm *']), 'commands.allow')).toEqual([]);
  // Another edit, by a human and without an agent, does not accept what still waits.
  await look(gate, configOf({ ...settingValues(edited), 'commands.network': true }), false);
  expect([held(gate, 'commands.network'), held(gate, 'commands.allow')]).toEqual([true, ['npm test']]);
  await gate.restart();
  expect([held(gate, 'commands.allow'), waiting(gate)]).toEqual([['npm test'], { 'commands.allow': ['npm test', 'rm *'] }]);
});

verifies('I3', 'the first scan takes the files as they are; with an agent present, only what was accepted', async () => {
  const gate = await gateForThisTest();
  const said = withValue('paths.derived', ['gen/**']);
  await look(gate, said, false);
  expect([held(gate, 'paths.derived'), waiting(gate)]).toEqual([['gen/**'], {}]);
  // A new work tree of the same repository has the same files; what another one has beyond them is not accepted.
  const elsewhere = `${gate.root}-2`;
  const more = configOf({ ...settingValues(said), 'commands.network': true });
  await gate.kernel.settings.observe(gate.workspace, elsewhere, more, { agentPresent: true, byGit: false });
  const { documents } = gate.kernel.state;
  expect(documents.settingsOf(elsewhere)?.values).toEqual(settingValues(said));
  expect(documents.waitingSettings(elsewhere)?.values).toEqual({ 'commands.network': true });
  // Never looked at: nothing is granted.
  expect((await settingsInForce(gate.kernel.state, async () => more).of(`${gate.root}-3`)).commands.network).toBe(false);
});

verifies('I3', 'what git takes away under a working agent does not hold meanwhile, and is back with the next checkout', async () => {
  const gate = await gateForThisTest();
  const said = withValue('commands.network', true);
  await look(gate, said, false);
  expect(await look(gate, DEFAULT_CONFIG, true, true)).toEqual([]);
  expect(await inForce(gate, DEFAULT_CONFIG, 'commands.network')).toBe(false);
  expect(await look(gate, said, true, true)).toEqual([]);
  expect(await inForce(gate, said, 'commands.network')).toBe(true);
  // What a pull brings waits like any other edit while an agent is present.
  await look(gate, withValue('commands.allow', ['x']), true, true);
  expect(waiting(gate)).toEqual({ 'commands.allow': ['x'] });
});

verifies('T5', 'a minimum that is lowered in the settings while an agent is present holds until a human confirms it', async () => {
  const gate = await gateForThisTest();
  const minimum = (mode: 'GUARDED' | 'STRICT' | null) => withValue('mode.minimum', mode);
  await look(gate, minimum('GUARDED'), false);
  gate.configure({ mode: { minimum: null } });
  await look(gate, minimum(null), true);
  expect(gate.kernel.state.documents.dialOf(gate.root)).toEqual({ pin: null, minimum: 'GUARDED' });
  const session = await gate.session('main', 'GUARDED');
  const outcome = outcomeOf(await gate.write(session, 'src/a.ts'), 'refused');
  expect(gate.kernel.state.actions.get(outcome.action.id)?.decision.facts.mode.minimum).toBe('GUARDED');

  const shown = settingsSha256({ 'mode.minimum': null });
  const uncertain = { kind: 'uncertain', why: 'it cannot be known' } as const;
  expect(summaryOf(await confirm(gate, minimum(null), shown, uncertain))).toBe('noted HUMAN_CHANNEL_REQUIRED');
  expect((await gate.events('authority_refused')).map(({ data }) => data.command)).toEqual(['settings confirm']);
  expect(summaryOf(await confirm(gate, minimum(null), shown))).toBe('noted');
  expect(gate.kernel.state.documents.dialOf(gate.root)).toEqual({ pin: null, minimum: null });
  // Never below STRICT by the file alone.
  await look(gate, minimum('STRICT'), true);
  await look(gate, minimum('GUARDED'), false);
  expect(gate.kernel.state.documents.dialOf(gate.root)?.minimum).toBe('STRICT');
});

verifies('T5', 'settings are confirmed as they were shown, and STRICT asks for the strongest proof there is', async () => {
  const gate = await gateForThisTest();
  await look(gate, withValue('mode.minimum', 'STRICT'), false);
  const wide = configOf({ ...settingValues(DEFAULT_CONFIG), 'mode.minimum': 'STRICT', 'commands.network': true });
  await look(gate, wide, true);
  await expect(confirm(gate, wide, settingsSha256({ 'commands.network': false }))).rejects.toMatchObject({
    ...{ code: 'CONFLICT', message: 'The settings do not say what was shown: they have changed since.' },
    fix: 'Look again (countersign status), then confirm what they say now',
  });
  const shown = settingsSha256({ 'commands.network': true });
  // The file was edited after it was shown.
  await expect(confirm(gate, withValue('mode.minimum', 'STRICT'), shown)).rejects.toMatchObject({ code: 'CONFLICT' });
  const { publicKey } = generateKeyPairSync('ed25519');
  const key = publicKey.export({ format: 'der', type: 'spki' }).toString('base64');
  await gate.kernel.approvers.enroll(human(), { public_key: key, name: 'ada' }, null);
  expect(summaryOf(await confirm(gate, wide, shown))).toBe('noted HUMAN_CHANNEL_REQUIRED');
  expect(held(gate, 'commands.network')).toBe(false);
});

verifies(
  'I3',
  'what an earlier version recorded still holds: without a key that it did not know, and with the level that was called preferred',
  async () => {
    const gate = await gateForThisTest();
    const { 'walls.writable': _unknown, ...known } = settingValues(DEFAULT_CONFIG);
    const earlier = { ...known, 'walls.level': 'preferred' };
    gate.kernel.state.documents.apply(
      {
        type: 'settings_taken',
        data: { workspace: gate.workspace, root: gate.root, settings: earlier, human: { proof: 'none', via: 'file' } },
      },
      '2026-11-01T00:00:00.000Z',
    );
    const off = withValue('walls.level', 'off');
    const granting = { ...off, walls: { ...off.walls, writable: ['~/bin'] } };
    await look(gate, granting, true);
    expect([await inForce(gate, granting, 'walls.level'), await inForce(gate, granting, 'walls.writable')]).toEqual(['on', []]);
    expect(waiting(gate)).toEqual({ 'walls.level': 'off', 'walls.writable': ['~/bin'] });
  },
);

verifies('G26', 'a setting that a human sets holds at once while an agent is present, and accepts nothing else that waits', async () => {
  const gate = await gateForThisTest();
  await look(gate, DEFAULT_CONFIG, false);
  await look(gate, withValue('commands.network', true), true);
  const said = configOf({ ...settingValues(withValue('commands.network', true)), 'commands.allow': ['npm test'] });
  let writes = 0;
  const write = async () => {
    writes++;
    return said;
  };
  const set = (caller: CallerJudgement) => gate.kernel.settings.set(caller, gate.workspace, gate.root, 'commands.allow', write);
  expect(summaryOf((await set({ kind: 'agent', session: await gate.working(), why: 'it runs below an agent' })).outcome)).toBe(
    'noted HUMAN_CHANNEL_REQUIRED',
  );
  expect(writes).toBe(0);
  await set(human());
  expect([held(gate, 'commands.allow'), held(gate, 'commands.network'), waiting(gate)]).toEqual([
    ['npm test'],
    false,
    { 'commands.network': true },
  ]);
  const memory = { ...DEFAULT_CONFIG.memory, rejectionThreshold: 9 };
  await gate.kernel.settings.set(human(), gate.workspace, gate.root, 'memory.rejectionThreshold', async () =>
    configOf({ ...settingValues(said), memory }),
  );
  expect(held(gate, 'memory')).toEqual(memory);
});
