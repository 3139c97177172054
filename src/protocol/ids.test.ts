import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  ActionId,
  ApprovalId,
  base32,
  ClaimId,
  CommandRuleId,
  GrantId,
  type IdPrefix,
  IntentId,
  newId,
  ReceiptId,
  SessionId,
  StampId,
  WorkspaceId,
} from './index.ts';

const SCHEMAS = {
  act: ActionId,
  apr: ApprovalId,
  clm: ClaimId,
  grt: GrantId,
  rcp: ReceiptId,
  rul: CommandRuleId,
  ses: SessionId,
  stp: StampId,
  wsp: WorkspaceId,
} as const;
const prefixes = Object.keys(SCHEMAS) as IdPrefix[];

test('a new id is one of its own kind and of no other', () => {
  for (const prefix of prefixes) {
    const id = newId(prefix);
    expect(prefixes.filter((other) => SCHEMAS[other].safeParse(id).success)).toEqual([prefix]);
  }
});

test('ids do not repeat, and sort by the time they were made at', () => {
  const ids = Array.from({ length: 2_000 }, () => newId('act'));
  expect(new Set(ids).size).toBe(ids.length);
  const times = ids.map((id) => id.slice(4, 14));
  expect(times).toEqual(times.toSorted());
});

test('letters that are read as others, wrong lengths and lower case are no ids', () => {
  const rest = '0'.repeat(25);
  const wrong = ['I', 'L', 'O', 'U', 'a', '-', 'é'].map((letter) => `act_${letter}${rest}`);
  const all = [...wrong, `act_${rest}`, `act_${rest}00`, `act_${rest}0\n`, ` act_${rest}0`, `ACT_${rest}0`, rest];
  expect(all.filter((id) => ActionId.safeParse(id).success)).toEqual([]);
  expect(ActionId.safeParse(`act_${rest}Z`).success).toBe(true);
});

test('base-32 text is the bits five by five, in an alphabet that keeps the order of equal lengths', () => {
  expect(base32(new Uint8Array([0xff, 0, 0xff, 0, 0xff]), 8)).toBe('ZW0FY07Z');
  expect(base32(new Uint8Array([0b00001_000, 0b10_00011_0, 0b0100_0010, 0b1_00110_00, 0b111_01000]), 8)).toBe('12345678');
  const bytes = fc.uint8Array({ minLength: 10, maxLength: 10 });
  fc.assert(
    fc.property(bytes, bytes, (a, b) => {
      const order = Math.sign(Buffer.compare(a, b));
      const texts = [base32(a, 16), base32(b, 16)] as const;
      expect(texts.map((each) => each.length)).toEqual([16, 16]);
      expect(texts[0] < texts[1] ? -1 : texts[0] > texts[1] ? 1 : 0).toBe(order);
    }),
  );
});

test('an intent is named as documents name it', () => {
  const names = ['INT-001', 'A-1', 'JIRA2-12345', 'int-001', 'INT-', 'INT-1234567890', '1NT-1', 'INT-001\n', 'INT_001', '../INT-1'];
  expect(names.filter((name) => IntentId.safeParse(name).success)).toEqual(['INT-001', 'A-1', 'JIRA2-12345']);
});
