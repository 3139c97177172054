// What an agent is answered when a server could not be asked, or gave no usable answer.

import { ConnectorFailure } from '../../connectors/index.ts';
import type { ToolResult } from '../../protocol/index.ts';
import { refuse } from '../tool.ts';

/** `instead`: what helps where only a human can set it up. */
export async function unlessItFails(fetch: () => Promise<ToolResult>, instead: string): Promise<ToolResult> {
  try {
    return await fetch();
  } catch (error) {
    if (!(error instanceof ConnectorFailure)) throw error;
    const { kind, message, fix, trace } = error;
    const isMissing = kind === 'not_set_up';
    const { refusal } = refuse(isMissing ? 'CONNECTOR_NOT_SET_UP' : 'CONNECTOR_FAILED', message, isMissing ? `${fix}. ${instead}` : fix, {
      tool: 'list_available_verbs',
      args: {},
    });
    return { output: { ...refusal!, failure: kind, trace }, refusal: refusal! };
  }
}
