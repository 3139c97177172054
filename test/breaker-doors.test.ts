// The breaker counts how often an agent continued after it had got the answer: calls that a model makes in one turn, side by side, are one
// round. The clock is stopped within a round, so that no machine is too slow for it.

import { afterAll, beforeAll, expect } from 'vitest';
import { startTestDaemon, type TestDaemon } from './lab/daemon.ts';
import { connectOverHttp } from './lab/mcp-http.ts';
import { verifies } from './verifies.ts';

let daemon: TestDaemon;
const clock = { ms: Date.parse('2026-01-02T03:04:05Z') };
beforeAll(async () => {
  daemon = await startTestDaemon(() => new Date(clock.ms));
  await daemon.beginWork('src/**');
});
afterAll(() => daemon.dispose());

/** What each of five calls in each of three turns got. */
async function threeTurns(call: (number: number) => Promise<string>): Promise<string[]> {
  const heard: string[] = [];
  for (let turn = 0; turn < 3; turn++) {
    clock.ms += 1_000;
    const answers = await Promise.all([1, 2, 3, 4, 5].map((each) => call(turn * 10 + each)));
    heard.push([...new Set(answers)].join(' '));
  }
  return heard;
}

const codeIn = (answer: unknown): string => /SCOPE_VIOLATION(?! for)|NEEDS_HUMAN/.exec(JSON.stringify(answer))?.[0] ?? 'none';

verifies('I16', 'through hooks: five calls at once are one round, and the third round asks for a human', async () => {
  const call = async (number: number) =>
    codeIn(
      await daemon.hook('PreToolUse', {
        tool_name: 'Write',
        tool_input: { file_path: 'docs/out.md', content: 'x\n' },
        tool_use_id: `toolu_${number}`,
      }),
    );
  expect(await threeTurns(call)).toEqual(['SCOPE_VIOLATION', 'SCOPE_VIOLATION', 'NEEDS_HUMAN']);
});

verifies('I16', 'through MCP: five calls at once are one round, and the third round asks for a human', async () => {
  const client = await connectOverHttp(daemon);
  await client.callTool({ name: 'begin_work', arguments: {} });
  const call = async () => {
    const { structuredContent } = await client.callTool({ name: 'write_file', arguments: { path: 'docs/out.md', content: 'x\n' } });
    return (structuredContent as { error_code?: string }).error_code ?? 'none';
  };
  expect(await threeTurns(call)).toEqual(['SCOPE_VIOLATION', 'SCOPE_VIOLATION', 'NEEDS_HUMAN']);
  await client.close();
});
