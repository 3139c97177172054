// An agent with both doors, without the agent: its hooks report each call before and after, and its calls of our own tools come over
// MCP, joined to the hook by the agent's own id for the call.

import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Client } from '@modelcontextprotocol/client';
import type { Place } from './installation.ts';

export type Answer = Readonly<Record<string, unknown>> & { readonly isError: boolean };

export interface HookedAgent {
  /** A human's prompt: a new turn. */
  readonly prompt: (text: string) => Promise<void>;
  /** One of our own tools, announced by the hook. */
  readonly call: (tool: string, args?: Record<string, unknown>) => Promise<Answer>;
  /** One of the agent's own tools: null when it may run, else what the hook says. */
  readonly before: (tool: string, input: Record<string, unknown>) => Promise<string | null>;
  /** Writes a file as the agent would: asks, writes, reports. Null when it passed, else why not. */
  readonly write: (path: string, content: string) => Promise<string | null>;
  /** The same for one exact replacement. */
  readonly edit: (path: string, from: string, to: string) => Promise<string | null>;
  /** Asks for a command, and reports that it ended well. */
  readonly bash: (command: string) => Promise<string | null>;
}

export async function hookedAgent(place: Place, client: Client, conversation = place.conversation): Promise<HookedAgent> {
  let calls = 0;
  let prompts = 0;
  const id = () => `toolu_${conversation}_${++calls}`;
  const tell = (event: string, payload: object) =>
    place.hook(event, { session_id: conversation, hook_event_name: event, ...payload }) as Promise<{
      hookSpecificOutput?: { permissionDecision?: string; permissionDecisionReason?: string };
    }>;
  const ask = async (tool_name: string, tool_input: Record<string, unknown>, tool_use_id: string): Promise<string | null> => {
    const { hookSpecificOutput: said } = await tell('PreToolUse', { tool_name, tool_input, tool_use_id });
    return said?.permissionDecision === 'deny' ? (said.permissionDecisionReason ?? 'denied') : null;
  };
  const did = async (tool_name: string, tool_input: Record<string, unknown>, tool_response: object, act: () => Promise<void>) => {
    const tool_use_id = id();
    const refused = await ask(tool_name, tool_input, tool_use_id);
    if (refused !== null) return refused;
    await act();
    await tell('PostToolUse', { tool_name, tool_input, tool_use_id, tool_response });
    return null;
  };
  await tell('SessionStart', { source: 'startup' });
  return {
    prompt: async (prompt) => {
      await tell('UserPromptSubmit', { prompt, prompt_id: `${conversation}-${++prompts}` });
    },
    call: async (tool, args = {}) => {
      const callId = id();
      await ask(`mcp__countersign__${tool}`, args, callId);
      const { isError, structuredContent } = await client.callTool({
        name: tool,
        arguments: args,
        _meta: { 'claudecode/toolUseId': callId },
      });
      return { ...(structuredContent as object), isError: isError === true };
    },
    before: (tool, input) => ask(tool, input, id()),
    edit: (path, old_string, new_string) => {
      const file_path = join(place.repo.path, path);
      return did('Edit', { file_path, old_string, new_string }, { filePath: file_path }, async () =>
        writeFile(
          file_path,
          (await readFile(file_path, 'utf8')).replace(old_string, () => new_string),
        ),
      );
    },
    bash: (command) => did('Bash', { command }, { stdout: '', stderr: '', interrupted: false }, async () => {}),
    write: async (path, content) => {
      const callId = id();
      const input = { file_path: join(place.repo.path, path), content };
      const refused = await ask('Write', input, callId);
      if (refused !== null) return refused;
      await writeFile(input.file_path, content);
      await tell('PostToolUse', {
        tool_name: 'Write',
        tool_input: input,
        tool_use_id: callId,
        tool_response: { filePath: input.file_path },
      });
      return null;
    },
  };
}
