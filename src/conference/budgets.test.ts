import { describe, expect } from 'vitest';
import { verifies } from '../../test/verifies.ts';
import { budgetFor } from './budgets.ts';

describe('what a turn may use', () => {
  verifies('C4', 'without a tier: 6 tools, 8,000 bytes a step, 16,000 a turn', async () => {
    expect(budgetFor(null, false)).toEqual({ steps: 6, bytesPerStep: 8_000, bytesPerTurn: 16_000 });
  });
  verifies('C4', 'in a conference: 12,000 bytes a step, 48,000 a turn', async () => {
    expect(budgetFor(null, true)).toEqual({ steps: 6, bytesPerStep: 12_000, bytesPerTurn: 48_000 });
  });
  verifies('C4', 'tiers 1 to 5 allow 2, 4, 6, 9 and 12 tools, and bytes in proportion', async () => {
    expect([1, 2, 3, 4, 5].map((tier) => budgetFor(tier, false))).toEqual([
      { steps: 2, bytesPerStep: 5_333, bytesPerTurn: 5_333 },
      { steps: 4, bytesPerStep: 8_000, bytesPerTurn: 10_666 },
      { steps: 6, bytesPerStep: 8_000, bytesPerTurn: 16_000 },
      { steps: 9, bytesPerStep: 8_000, bytesPerTurn: 24_000 },
      { steps: 12, bytesPerStep: 8_000, bytesPerTurn: 32_000 },
    ]);
  });
  verifies('C4', 'a conference has at least 3 tools, whatever the tier', async () => {
    expect([1, 2, 5].map((tier) => budgetFor(tier, true).steps)).toEqual([3, 4, 12]);
  });
});
