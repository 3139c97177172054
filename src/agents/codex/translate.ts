// Codex's tools in the registry's words. Edits come as patch text; what the shell tools do comes as `Bash`, whichever of them it was.

import { z } from 'zod';
import type { TranslatedCall } from '../adapter.ts';
import { call, type Dialect, type Input, OWN_SERVER, ownByPrefix, stepList, text, translateBy, withinAgent } from '../dialect.ts';

const OWN_PREFIX = `mcp__${OWN_SERVER}__`;

/** Our tool's name as this agent knows it. */
export const ownToolName = (tool: string): string => `${OWN_PREFIX}${tool}`;

/** Its plan, its goals, its sub-agents: hooks name a tool of a namespace without anything in between. */
const WITHIN_AGENT = [
  'update_plan',
  'get_goal',
  'create_goal',
  'update_goal',
  'request_user_input',
  'tool_search',
  'sleep',
  'list_mcp_resources',
  'list_mcp_resource_templates',
  ...['', 'collaboration'].flatMap((namespace) =>
    [
      'spawn_agent',
      'wait_agent',
      'send_message',
      'send_input',
      'followup_task',
      'list_agents',
      'close_agent',
      'resume_agent',
      'interrupt_agent',
    ].map((name) => `${namespace}${name}`),
  ),
];

const dialect: Dialect = {
  ...withinAgent(WITHIN_AGENT),
  Bash: ({ command }) => shell(text(command)),
  apply_patch: ({ command }) => call('apply_patch', { patch: text(command) }),
  view_image: ({ path }) => call('read_file', { path: text(path) }),
  update_plan: ({ plan }) => stepList('update_plan', plan, 'step'),
  web_search: ({ query }) => call('fetch_url', { url: `search:${z.string().catch('').parse(query)}` }),
};

/** The client reads this one command itself and applies the patch in it: it is an edit, whatever it looks like. */
const PATCH_BY_SHELL = /^\s*(?:apply_patch|applypatch)\s+<<\s*(['"]?)([A-Za-z_][\w-]*)\1\s*\n([^]*?)\n\2\s*$/;

function shell(command: string): TranslatedCall {
  const patch = PATCH_BY_SHELL.exec(command)?.[3];
  return patch === undefined ? call('run_command', { command }) : call('apply_patch', { patch });
}

export const translate = (tool: string, input: Input): TranslatedCall => translateBy(dialect, ownByPrefix(OWN_PREFIX), tool, input);

/** Read-only tools: the hook client lets them pass when no daemon is reachable. Files are only read through the shell. */
export const READ_TOOLS = ['view_image', ...WITHIN_AGENT];
