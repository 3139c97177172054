// Answers to open questions, grants in advance, and the keys that sign.

import type { CommandHandlers, Kernel } from '../kernel/index.ts';
import type { Ask } from '../protocol/index.ts';

export function approvalHandlers({ kernel, ask }: { readonly kernel: Kernel; readonly ask: Ask }) {
  const { approvals, approvers, authority } = kernel;
  return {
    answer_approval: {
      act: (caller, { id, answer, reason, signed }) => approvals.answer(caller, id, answer, reason?.trim() || null, signed),
      show: async ({ id }) => (await ask('approvals', { id }))[0],
    },
    make_grant: { act: (caller, { id, pattern, seconds, signed }) => approvals.grant(caller, id, { pattern, seconds }, signed) },
    end_grant: { act: (caller, { id }) => approvals.endGrant(caller, id) },
    decide_command_rule: { act: (caller, { id, state }) => authority.decideCommandRule(caller, id, state) },
    enroll_approver: { act: (caller, { signed, ...request }) => approvers.enroll(caller, request, signed) },
    remove_approver: { act: (caller, { id, signed }) => approvers.remove(caller, id, signed) },
  } satisfies Partial<CommandHandlers>;
}
