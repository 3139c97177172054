// A turn of the controller without MCP around it. Whoever is logged in, the caller acts as an agent: nothing here is a human's decision.

import { Fault, FIRST_DOORS } from '../../protocol/index.ts';
import type { DoorServices } from '../services.ts';
import { connectionIdOverHttp, folderNamed, ownPrincipal } from '../mcp/connection.ts';
import { outputOf, refusalIn } from '../mcp/results.ts';

export interface HttpTurn {
  /** As the header carries it. */
  readonly cwd: string | null;
  readonly body: unknown;
  readonly signal: AbortSignal;
}

const AGENT = 'http-client';

export async function takeTurn(services: DoorServices, identity: string, { cwd: header, body, signal }: HttpTurn): Promise<object> {
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    throw new Fault('BAD_REQUEST', 'The body of a turn is a JSON object.', { fix: 'Send {"verb": "list_available_verbs"}' });
  const cwd = folderNamed(header);
  const principal = await ownPrincipal(
    services,
    { id: connectionIdOverHttp(identity), cwd, reporter: null },
    await services.locate(cwd),
    AGENT,
  );
  const recorded = await services.kernel.spine.pass({
    ...principal,
    door: FIRST_DOORS.http,
    tool: 'controller_turn',
    input: { ...body },
    waitTimeoutMs: 0,
    signal,
  });
  const { outcome } = recorded;
  const receipt = 'receipt' in outcome ? (outcome.receipt?.receipt_id ?? null) : null;
  return { ...((refusalIn(recorded) ?? outputOf(recorded)) as object), receipt_id: receipt };
}
