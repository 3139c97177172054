// Codex, the real client.

import { codexClient } from '../lab/clients/codex.ts';
import { tellClientStory } from './client-story.ts';

tellClientStory({
  client: codexClient,
  agent: 'codex',
  // It refuses `rm -rf` by itself.
  destroy: (path) => `find ${path} -delete`,
  editTool: 'apply_patch',
  denied: 'Countersign',
  own: (tool, args = {}) => ({ tool, namespace: 'mcp__countersign', args }),
  edit: (path, before, after) => ({ tool: 'apply_patch', input: patch(path, before, after) }),
  read: (path) => ({ tool: 'exec_command', args: { cmd: `cat ${path}` } }),
  shell: (command) => ({ tool: 'exec_command', args: { cmd: command } }),
  subAgentHears: 'Message Type: NEW_TASK',
  subAgent: (task) => [
    { tool: 'spawn_agent', namespace: 'collaboration', args: { task_name: 'other', message: task, fork_turns: 'none' } },
    { tool: 'wait_agent', namespace: 'collaboration', args: { timeout_ms: 10_000 } },
  ],
});

/** A patch speaks of whole lines: those of the scratch repository that hold the words. */
function patch(path: string, before: string, after: string): string {
  const line = [
    '  if (user === undefined || user.password !== password) return null;',
    '  if (user === undefined || user.password !== password) return undefined as never;',
    '  return payments.reduce((sum, payment) => sum + payment.cents, 0);',
  ].find((each) => each.includes(before));
  if (line === undefined) throw new Error(`no line holds ${before}`);
  return `*** Begin Patch\n*** Update File: ${path}\n@@\n-${line}\n+${line.replace(before, after)}\n*** End Patch\n`;
}
