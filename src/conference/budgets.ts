// How much a turn may use, as data. The constants are the contract's.

const MAX_TOOL_STEPS = 6;
const MAX_TOOL_BYTES_PER_STEP = 8_000;
const MAX_TOOL_BYTES_PER_TURN = 16_000;
const MAX_TOOL_BYTES_PER_STEP_CONFERENCE = 12_000;
const MAX_TOOL_BYTES_PER_TURN_CONFERENCE = 48_000;

/** Tools in a turn, by tier; bytes grow in proportion. */
const TIER_CAPS: Readonly<Record<number, number>> = { 1: 2, 2: 4, 3: 6, 4: 9, 5: 12 };
/** A conference gathers its evidence in one phase, which takes several steps even with the smallest model. */
const CONFERENCE_FLOOR = 3;

export interface ToolBudget {
  readonly steps: number;
  readonly bytesPerStep: number;
  readonly bytesPerTurn: number;
}

/** `tier` null: not known. */
export function budgetFor(tier: number | null, isConference: boolean): ToolBudget {
  const cap = tier === null ? MAX_TOOL_STEPS : (TIER_CAPS[tier] ?? MAX_TOOL_STEPS);
  const [perStep, perTurn] = isConference
    ? [MAX_TOOL_BYTES_PER_STEP_CONFERENCE, MAX_TOOL_BYTES_PER_TURN_CONFERENCE]
    : [MAX_TOOL_BYTES_PER_STEP, MAX_TOOL_BYTES_PER_TURN];
  const steps = isConference ? Math.max(cap, CONFERENCE_FLOOR) : cap;
  const bytesPerTurn = Math.floor((perTurn * steps) / MAX_TOOL_STEPS);
  return { steps, bytesPerStep: Math.min(perStep, bytesPerTurn), bytesPerTurn };
}
