// fetch_jira_ticket: a ticket of the Jira server that a human set up. What it says is text from outside: it counts as a source, not as an order.

import { z } from 'zod';
import { defineTool } from '../tool.ts';
import { unlessItFails } from './connector-failure.ts';

export const fetchJiraTicket = defineTool({
  name: 'fetch_jira_ticket',
  description: 'Fetches a Jira ticket.',
  input: z.strictObject({ ticketKey: z.string().min(1).max(256) }),
  declare: ({ ticketKey }) => ({ effects: ['observe'], resources: [{ kind: 'url', url: `jira:${ticketKey}` }] }),
  surfaces: [],
  run: async ({ ticketKey }, { place: { root }, session: { workspace }, signal }, { connectors }) =>
    unlessItFails(async () => {
      const { value, ref, sha256, trace } = await connectors.ticket(ticketKey, { root, workspace, signal });
      return { output: { ticket: value, ref, sha256, trace } };
    }, 'Ask the person to put what the ticket says into the prompt or into a file of the work tree'),
});
