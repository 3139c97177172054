// Answers to open questions, and grants in advance.

import { z } from 'zod';
import { Grant } from '../events.ts';
import { ApprovalId, ApproverKeyId, CommandRuleId, GrantId } from '../ids.ts';
import { KeyProof } from '../intent.ts';
import { ApprovalRow, CommandRuleRow } from '../rows.ts';
import { ANY_HUMAN, ANY_HUMAN_OR_CLIENT, AT_TERMINAL, type CommandDeclaration, None, Signed } from './command.ts';
import { commandStatements } from './statements.ts';

/** Longer than a week is a setting, not a grant. */
const GRANT_SECONDS = { least: 60, most: 7 * 24 * 3600 } as const;

export const approvalCommands = {
  answer_approval: {
    who: ANY_HUMAN_OR_CLIENT,
    input: z.strictObject({
      id: ApprovalId,
      answer: z.enum(['approved', 'rejected']),
      reason: z.string().max(500).optional(),
      signed: Signed,
    }),
    output: ApprovalRow,
    statement: commandStatements.answer_approval,
  },
  /** Answers the question too. */
  make_grant: {
    who: ANY_HUMAN,
    input: z.strictObject({
      id: ApprovalId,
      pattern: Grant.shape.pattern,
      seconds: z.int().min(GRANT_SECONDS.least).max(GRANT_SECONDS.most),
      signed: Signed,
    }),
    output: Grant,
    statement: commandStatements.make_grant,
  },
  end_grant: {
    who: ANY_HUMAN,
    input: None.extend({ id: GrantId }),
    output: z.strictObject({ id: GrantId, state: z.literal('ended') }),
  },
  decide_command_rule: {
    who: ANY_HUMAN,
    input: z.strictObject({ id: CommandRuleId, state: z.enum(['active', 'ended']) }),
    output: CommandRuleRow,
  },
  enroll_approver: {
    who: AT_TERMINAL,
    input: z.strictObject({
      public_key: z.string().max(200),
      name: z.string().trim().min(1).max(100),
      /** What its signatures will prove: `dialog` for a client's key. */
      proof: KeyProof.default('passphrase'),
      signed: Signed,
    }),
    output: z.strictObject({ key: ApproverKeyId }),
    statement: commandStatements.enroll_approver,
  },
  remove_approver: {
    who: AT_TERMINAL,
    input: z.strictObject({ id: ApproverKeyId, signed: Signed }),
    output: z.strictObject({ key: ApproverKeyId }),
    statement: commandStatements.remove_approver,
  },
} as const satisfies Record<string, CommandDeclaration>;
