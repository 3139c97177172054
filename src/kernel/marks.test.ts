// Small folds of the record that decisions depend on: constraints, dials, grants. Each gets events and is asked for the result.

import { expect, test } from 'vitest';
import { verifies } from '../../test/verifies.ts';
import { type EventOf, type LedgerRecord, newId } from '../protocol/index.ts';
import { Grants, isGrantOpen } from './grants.ts';
import { MemoryMarks } from './memory-marks.ts';
import { effectiveMode, higher, ModeLimits } from './mode-limits.ts';

const [workspace, other] = [newId('wsp'), newId('wsp')];
const human = { proof: 'login', via: 'cli' } as const;
const sha = (digit: string) => digit.repeat(64);

const kept = (id: string, kind: string, scope: readonly string[], of = workspace): LedgerRecord =>
  ({ event: { type: 'claim_kept', data: { workspace: of, claim: { id, kind, scope } } } }) as unknown as LedgerRecord;
const merged = (into: string, scope: readonly string[]): LedgerRecord =>
  ({
    event: { type: 'claim_merged', data: { workspace, into, addition: { id: 'x', kind: 'constraint', scope } } },
  }) as unknown as LedgerRecord;

test('a constraint that a human approved is new to whoever recalled before, where their paths may meet', () => {
  const marks = new MemoryMarks();
  marks.kept(kept('auth', 'constraint', ['src/auth/**']));
  marks.kept(kept('fact', 'fact', ['src/auth/**']));
  const isNew = (seq: number, ...globs: string[]) => marks.isNewConstraint(workspace, seq, globs);
  marks.approved(workspace, 'fact', 5);
  marks.approved(other, 'auth', 5);
  expect(isNew(1, 'src/**')).toBe(false);
  marks.approved(workspace, 'auth', 7);
  expect([isNew(6, 'src/**'), isNew(7, 'src/**'), isNew(8, 'src/**')]).toEqual([true, false, false]);
  expect([isNew(1, 'src/auth/login.ts'), isNew(1, 'docs/**'), isNew(1, 'docs/**', 'src/a*'), isNew(1)]).toEqual([true, false, true, false]);
  expect(marks.isNewConstraint(other, 1, ['src/**'])).toBe(false);
});

test('what is joined to a constraint widens it, and no scope is everything', () => {
  const marks = new MemoryMarks();
  marks.kept(kept('a', 'constraint', ['src/**']));
  marks.kept(merged('a', ['docs/**']));
  marks.approved(workspace, 'a', 2);
  expect([marks.isNewConstraint(workspace, 1, ['docs/x.md']), marks.isNewConstraint(workspace, 1, ['lib/x.ts'])]).toEqual([true, false]);
  marks.kept(merged('a', []));
  marks.approved(workspace, 'a', 3);
  expect([marks.isNewConstraint(workspace, 2, ['lib/x.ts']), marks.isNewConstraint(workspace, 2, [])]).toEqual([true, true]);
  // One that began with everything cannot be widened.
  marks.kept(kept('b', 'constraint', []));
  marks.kept(merged('b', ['src/**']));
  marks.approved(workspace, 'b', 5);
  expect(marks.isNewConstraint(workspace, 4, ['lib/x.ts'])).toBe(true);
});

test('when a tree was last changed is known for each', () => {
  const marks = new MemoryMarks();
  marks.changed(workspace, 'then');
  expect([marks.lastChange(workspace), marks.lastChange(other)]).toEqual(['then', null]);
});

verifies('T5', 'the strictest of file, workspace and intent counts, and a pin beats all', () => {
  const limits = new ModeLimits();
  const set = (intent: string | null, minimum: 'GUARDED' | 'STRICT' | null, pin: 'PASSIVE' | null = null) =>
    limits.set({ workspace, intent, pin, minimum, human });
  const over = (intent: string | null, minimumMode: 'GUARDED' | 'STRICT' | null = null, of = workspace) => {
    const settings = limits.applyTo({ minimumMode, pinnedMode: null }, of, intent, null);
    return [settings.pinnedMode, settings.minimumMode];
  };
  expect([over(null), over(null, 'GUARDED')]).toEqual([
    [null, null],
    [null, 'GUARDED'],
  ]);
  set(null, 'GUARDED');
  set('INT-001', 'STRICT');
  expect([over(null), over('INT-001'), over('INT-002'), over(null, 'STRICT'), over('INT-001', null, other)]).toEqual([
    ...[
      [null, 'GUARDED'],
      [null, 'STRICT'],
      [null, 'GUARDED'],
      [null, 'STRICT'],
      [null, null],
    ],
  ]);
  expect(limits.of(workspace, 'INT-001')).toEqual({ pin: null, minimum: 'STRICT' });
  set('INT-001', null, 'PASSIVE');
  expect([over('INT-001'), over(null)]).toEqual([
    ['PASSIVE', 'GUARDED'],
    [null, 'GUARDED'],
  ]);
  expect(limits.applyTo({ minimumMode: null, pinnedMode: null }, other, null, { pin: 'PASSIVE', minimum: 'STRICT' })).toEqual({
    ...{ pinnedMode: 'PASSIVE', minimumMode: 'STRICT' },
  });
  expect([higher('STRICT', null), higher(null, 'GUARDED'), higher('GUARDED', 'STRICT'), higher('STRICT', 'GUARDED')]).toEqual([
    ...['STRICT', 'GUARDED', 'STRICT', 'STRICT'],
  ]);
  expect([
    effectiveMode('GUARDED', 'STRICT', null),
    effectiveMode('PASSIVE', 'STRICT', null),
    effectiveMode('STRICT', null, 'PASSIVE'),
  ]).toEqual([...['STRICT', 'PASSIVE', 'PASSIVE']]);
});

const AT = '2026-01-02T03:04:05.000Z';
const LATER = '2026-01-02T03:05:05.000Z';
const made = (more: Partial<EventOf<'grant_made'>['data']['grant']> = {}): EventOf<'grant_made'>['data'] => ({
  grant: { id: newId('grt'), workspace, intent: 'INT-001', pattern: 'npm *', made_at: AT, expires_at: LATER, ...more },
  human,
});
const tool = (name: string, shape: string, agent = 'claude'): EventOf<'tool_remembered'>['data'] => ({
  ...{ approval: newId('apr'), human },
  grant: { id: newId('grt'), workspace, agent, tool: name, shape_sha256: sha(shape), made_at: LATER },
});

verifies('I13', 'a grant is open for its workspace, its intent and its time, until it is ended; what it let pass is counted', () => {
  const grants = new Grants();
  const [mine, foreign, others] = [made(), made({ workspace: other }), made({ intent: 'INT-002' })];
  for (const each of [mine, foreign, others]) grants.make(each);
  const open = (at: string) => grants.openFor(workspace, 'INT-001', new Date(at)).map(({ id }) => id);
  expect([open(AT), open(LATER)]).toEqual([[mine.grant.id], []]);
  grants.use([mine.grant.id, 'grt_0'], LATER);
  grants.use([mine.grant.id], LATER);
  expect(grants.get(mine.grant.id)).toEqual({ ...mine, ended: false, uses: 2, lastUsedAt: LATER });
  expect(grants.get(foreign.grant.id)).toMatchObject({ uses: 0, lastUsedAt: null });
  grants.end(mine.grant.id);
  grants.end('grt_0');
  expect([open(AT), isGrantOpen(grants.get(mine.grant.id)!, new Date(AT))]).toEqual([[], false]);
});

test('grants are listed as they were made, and of ended ones two hundred are kept', () => {
  const grants = new Grants();
  const late = tool('mcp__a', '1');
  grants.remember(late);
  const early = made();
  grants.make(early);
  expect(grants.all().map(({ grant }) => grant.id)).toEqual([early.grant.id, late.grant.id]);
  const many = Array.from({ length: 205 }, () => made());
  for (const each of many) grants.make(each);
  expect(grants.all().length).toBe(207);
  for (const { grant } of many.slice(0, 50)) grants.end(grant.id);
  grants.make(made());
  expect([grants.all().length, grants.get(early.grant.id)?.ended]).toEqual([201, false]);
});

test('an unknown tool is remembered by agent, name and form; each that an action uses needs its own yes', () => {
  const grants = new Grants();
  const yes = tool('mcp__a', '1');
  grants.remember(yes);
  const resource = (name: string, shape: string) => ({ kind: 'other', name, shape_sha256: sha(shape) }) as const;
  type Asked = Parameters<Grants['remembered']>[0];
  const asked = (resources: readonly object[], agent = 'claude', of = workspace): unknown =>
    grants.remembered({ workspace: of, actor: { agent }, resources } as unknown as Asked);
  expect(asked([resource('mcp__a', '1')])).toEqual([yes.grant]);
  for (const no of [
    asked([resource('mcp__a', '2')]),
    asked([resource('mcp__b', '1')]),
    asked([resource('mcp__a', '1')], 'codex'),
    asked([resource('mcp__a', '1')], 'claude', other),
    asked([resource('mcp__a', '1'), resource('mcp__b', '1')]),
    asked([]),
    asked([{ kind: 'other', name: 'mcp__a' }]),
    asked([{ kind: 'file', path: 'a', shape_sha256: sha('1') }]),
  ])
    expect(no).toBe(null);
  grants.end(yes.grant.id);
  expect(asked([resource('mcp__a', '1')])).toBe(null);
});
