// Why a model's tool call is not executed, in the words of the contract, and what is shown for it.
// Without schemas: the page and the command line show these words too.

/** In order of precedence: a call that breaks several rules is rejected for the first. `tool_call_output_limit` is the loop's own. */
export const REJECTIONS = [
  'tool_call_invalid_format',
  'tool_call_multiple',
  'tool_call_nonce_invalid',
  'tool_call_unknown_tool',
  'tool_call_invalid_args',
  'tool_call_output_limit',
] as const;
export type Rejection = (typeof REJECTIONS)[number];

/** What a turn answers whose tool call was rejected. The page shows it as a warning. */
export const STOP_HOOK = 'STOP_HOOK: tool_call_rejected';

export interface StopHook {
  readonly type: 'tool_call_rejected';
  readonly reason: Rejection;
}

/** The text that a person is shown, with the reason code. */
export const stopHookText = (reason: Rejection): string => `${STOP_HOOK} (${reason})`;

/** What telemetry counts refused turns by. */
export const BUCKETS = ['evidence_invalid', 'quote_not_found', 'tool_syntax', 'cot_leak', 'format_error'] as const;
export type Bucket = (typeof BUCKETS)[number];

export const BUCKET_OF_REJECTION: Readonly<Record<Rejection, Bucket>> = {
  tool_call_invalid_format: 'format_error',
  tool_call_multiple: 'format_error',
  tool_call_nonce_invalid: 'tool_syntax',
  tool_call_unknown_tool: 'tool_syntax',
  tool_call_invalid_args: 'tool_syntax',
  tool_call_output_limit: 'format_error',
};
