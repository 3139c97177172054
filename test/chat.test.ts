// The 1:1 chat: every acceptance and smoke test of its contract, over HTTP, with a real daemon, real files and a model server of the tests' own.

import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { callTool, decideFinal, decideTool, receiptIn } from './lab/chat-model.ts';
import { conversationForThisFile, ofType, QUOTE, SCENE } from './lab/conversation.ts';
import { verifies } from './verifies.ts';

const here = conversationForThisFile();
const QUESTION = 'What colour are her eyes?';
const READS = callTool('file_reader', { path: SCENE });
const GREY = `Her eyes are grey.\nEvidence: "${QUOTE}" (${SCENE}:3)`;
const withReceipt = (call: { readonly prompt: string }) => `${GREY}; receipt ${receiptIn(call)}`;

describe('a tool call', () => {
  verifies('C19', 'JSON only: a receipt is minted, and the Evidence line refers to it', async () => {
    const { modelThat, chat, page } = here();
    const { id, model } = await modelThat(READS, decideFinal, withReceipt);
    const answer = await chat({ message: QUESTION, endpointId: id });
    const [step] = answer.steps;
    expect(answer).toMatchObject({
      status: 'answered',
      grounded: true,
      stopHook: null,
      steps: [{ tool: 'file_reader', status: 'done', receipt_id: expect.stringMatching(/^rcp_/) as string }],
      evidence: { status: 'accepted', form: 'content', receipts: [step?.receipt_id] },
      tokens: { input: 300, output: 30 },
      modelCalls: 3,
    });
    expect(answer.text).toContain('Her eyes are grey.');
    expect(model.calls[2]?.prompt).toContain(`receipt_id: ${step?.receipt_id}`);
    expect(model.calls[2]?.prompt).toContain(QUOTE);
    const listed = JSON.parse((await page('GET', `/api/audit/sessions/${answer.sessionId}/receipts`)).text) as object[];
    expect(listed).toMatchObject([{ receipt_id: step?.receipt_id, tool_id: 'file_reader', agent_id: 'chief', turn_id: answer.turnId }]);
  });

  const rejected: readonly (readonly [title: string, reply: (nonce: string) => string, reason: string])[] = [
    ['a wrong nonce', () => JSON.stringify({ tool: 'file_reader', args: { path: SCENE }, nonce: 'wrong' }), 'tool_call_nonce_invalid'],
    [
      'extra text before it',
      (nonce) => `Sure! ${JSON.stringify({ tool: 'file_reader', args: { path: SCENE }, nonce })}`,
      'tool_call_invalid_format',
    ],
    [
      'a code fence around it',
      (nonce) => `\`\`\`json\n${JSON.stringify({ tool: 'file_reader', args: { path: SCENE }, nonce })}\n\`\`\``,
      'tool_call_invalid_format',
    ],
    [
      'an unknown field',
      (nonce) => JSON.stringify({ tool: 'file_reader', args: { path: SCENE }, nonce, why: 'x' }),
      'tool_call_invalid_format',
    ],
    ['two objects', (nonce) => JSON.stringify({ tool: 'file_reader', args: { path: SCENE }, nonce }).repeat(2), 'tool_call_multiple'],
    ['an unknown tool', (nonce) => JSON.stringify({ tool: 'rm_rf', args: {}, nonce }), 'tool_call_unknown_tool'],
    ['wrong arguments', (nonce) => JSON.stringify({ tool: 'file_reader', args: { path: 7 }, nonce }), 'tool_call_invalid_args'],
    ['the syntax of a call in plain text', () => `file_reader(path="${SCENE}")`, 'tool_call_invalid_format'],
  ];
  for (const [title, reply, reason] of rejected)
    verifies('C19', `${title}: rejected with ${reason}, and no tool executes`, async () => {
      const { modelThat, chat, recordedIn } = here();
      const { id, model } = await modelThat(({ nonce }) => reply(nonce), 'never asked again');
      const { result, events } = await recordedIn(() => chat({ message: QUESTION, endpointId: id }));
      expect(result).toMatchObject({
        status: 'stopped',
        text: `STOP_HOOK: tool_call_rejected (${reason})`,
        stopHook: { type: 'tool_call_rejected', reason },
        steps: [],
      });
      expect(model.calls.length).toBe(1);
      const [rejection] = ofType(events, 'tool_call_rejected');
      expect(rejection).toMatchObject({ reason, agent: 'chief' });
      // What was observed is that the call failed: it reached no file.
      const actions = events.filter(({ type }) => type.startsWith('action_'));
      expect([actions.map(({ type }) => type), ofType(events, 'action_observed').map(({ receipt }) => receipt?.receipt_id)]).toEqual(
        rejection?.receipt === undefined ? [[], []] : [['action_observed'], [rejection.receipt]],
      );
      expect(
        ofType(events, 'action_observed').every(
          ({ action: { resources }, receipt }) => resources.length === 0 && receipt?.status === 'failed',
        ),
      ).toBe(true);
    });

  verifies('C4', 'a nonce counts for one model call: a decision with the one before is rejected', async () => {
    const { modelThat, chat } = here();
    let first = '';
    const { id } = await modelThat(
      (call) => {
        first = call.nonce;
        return READS(call);
      },
      () => JSON.stringify({ action: 'final', nonce: first }),
    );
    expect(await chat({ message: QUESTION, endpointId: id })).toMatchObject({
      status: 'stopped',
      stopHook: { reason: 'tool_call_nonce_invalid' },
    });
  });

  verifies('C4', 'after a tool result only decision JSON is accepted', async () => {
    const { modelThat, chat } = here();
    const { id, model } = await modelThat(READS, 'I think her eyes are grey.');
    expect(await chat({ message: QUESTION, endpointId: id })).toMatchObject({
      status: 'stopped',
      stopHook: { reason: 'tool_call_invalid_format' },
      steps: [{ tool: 'file_reader' }],
    });
    expect(model.calls.map(({ response_format }) => response_format?.json_schema?.name)).toEqual([undefined, 'tool_decision']);
  });

  verifies('C4', 'a tool outside allowedTools is unknown, and the schema names only those that are allowed', async () => {
    const { modelThat, chat } = here();
    const { id, model } = await modelThat(callTool('file_locator', { search_criteria: 'x' }));
    const toolPolicy = { allowedTools: ['file_reader'], requireTool: true };
    expect(await chat({ message: QUESTION, endpointId: id, toolPolicy })).toMatchObject({ stopHook: { reason: 'tool_call_unknown_tool' } });
    const [call] = model.calls;
    expect(JSON.stringify(call?.response_format)).toContain('file_reader');
    expect(JSON.stringify(call?.response_format)).not.toContain('file_locator');
    expect(call?.prompt).not.toContain('### file_locator');
  });
});

describe('what requires a tool', () => {
  verifies('C4', 'requireTool and the phrases of the contract in the person’s message, and nothing else', async () => {
    const { modelThat, chat } = here();
    const asked = async (message: string, more: object = {}) => {
      const { id, model } = await modelThat(({ nonce }) => JSON.stringify({ tool: 'nope', args: {}, nonce }));
      await chat({ message, endpointId: id, ...more });
      const [call] = model.calls;
      return [call?.prompt.includes('TOOL_CALL_REQUIRED: true'), call?.response_format?.json_schema?.name];
    };
    expect(await asked(QUESTION)).toEqual([false, undefined]);
    const yes = [true, 'tool_call'];
    expect(await asked(QUESTION, { toolPolicy: { requireTool: true } })).toEqual(yes);
    expect(await asked('Use the file_locator tool first. Where is she?')).toEqual(yes);
    expect(await asked('Return ONLY the JSON tool call object.')).toEqual(yes);
    expect(await asked('respond with exactly one JSON object')).toEqual(yes);
  });

  verifies('C4', 'the protocol section has its title, the nonce of the step and a schema for each tool', async () => {
    const { modelThat, chat } = here();
    const { id, model } = await modelThat(READS, decideFinal, withReceipt);
    await chat({ message: QUESTION, endpointId: id });
    const [first, second, last] = model.calls;
    for (const call of [first, second]) {
      expect(call?.prompt).toContain('Tool Call Protocol (STRICT JSON ONLY)');
      expect(call?.prompt).toContain(`TOOL_NONCE: ${call?.nonce}`);
    }
    expect(first?.nonce).not.toBe(second?.nonce);
    expect(first?.prompt).toContain('### consistency_checker');
    // The final reply is written without any.
    expect(last?.messages.at(-1)?.content).not.toContain('TOOL_NONCE');
  });
});

describe('budgets', () => {
  verifies('C4', 'after the last tool that the tier allows, the reply is forced', async () => {
    const { modelThat, chat, page, cwd } = here();
    const agent = { cwd, id: 'small', name: 'Small', role: 'chief', instructions: '', tier: 1, endpoint: null };
    expect((await page('POST', '/api/agents', { body: agent })).status).toBe(200);
    const { id, model } = await modelThat(READS, decideTool('file_reader', { path: SCENE, start_line: 3 }), withReceipt);
    const answer = await chat({ message: QUESTION, endpointId: id, agentId: 'small' });
    expect(answer).toMatchObject({ status: 'answered', forcedFinal: 'steps', steps: [{}, {}] });
    expect(model.calls[1]?.prompt).toContain('You may call one more tool.');
  });

  verifies(
    'C4',
    'an output over the step’s limit is cut and hashed; a turn whose bytes are spent ends with tool_call_output_limit',
    async () => {
      const { modelThat, chat, recordedIn, daemon } = here();
      const line = 'The harbour lay quiet under a low grey sky while gulls walked along the wall.\n';
      await writeFile(join(daemon.repo.path, 'Story/Scenes/SCN-long.md'), line.repeat(400));
      const long = { path: 'Story/Scenes/SCN-long.md' };
      const quote = (call: { readonly prompt: string }) =>
        `It is quiet.\nEvidence: "The harbour lay quiet under a low grey sky" (${long.path}:1); receipt ${receiptIn(call)}`;
      const { id, model } = await modelThat(callTool('file_reader', long), decideTool('file_reader', long), quote);
      const { result, events } = await recordedIn(() => chat({ message: 'Is it quiet?', endpointId: id }));
      expect(result).toMatchObject({ status: 'answered', forcedFinal: 'tool_call_output_limit' });
      const [first, second] = result.steps;
      expect([first!.shown <= 8_000, first!.shown + second!.shown]).toEqual([true, 16_000]);
      expect(model.calls[1]?.prompt).toContain(`sha256: ${first?.sha256}`);
      expect(model.calls[1]?.prompt).toMatch(/The output was cut: \d+ of \d+ bytes are shown\./);
      expect(ofType(events, 'tool_call_rejected')).toMatchObject([{ reason: 'tool_call_output_limit', bucket: 'format_error' }]);
    },
  );
});

describe('evidence', () => {
  const refusals: readonly (readonly [title: string, reply: string, reason: string])[] = [
    ['a quote that is not in the file', `Green.\nEvidence: "Her green eyes were tired" (${SCENE}:3)`, 'quote_not_found'],
    ['a structural claim without line or section', `It begins at the harbour.\nEvidence: ${SCENE}`, 'claim_unsupported'],
    ['no Evidence line', 'Her eyes are grey.', 'evidence_missing'],
    ['two Evidence lines', `${GREY}\nEvidence: "${QUOTE}" (${SCENE}:3)`, 'evidence_multiple'],
    ['a receipt that does not exist', `${GREY}; receipt rcp_00000000000000000000000000`, 'receipt_unknown'],
    ['a tool that was used, without its receipt', `I used the file_reader tool. ${GREY}`, 'tool_claim_without_receipt'],
    ['reasoning before the answer', `Okay, let me think about this. ${GREY}`, 'reasoning_preface'],
  ];
  for (const [title, reply, reason] of refusals)
    verifies('C19', `${title}: refused after one repair, and not shown`, async () => {
      const { modelThat, chat, recordedIn } = here();
      const { id, model } = await modelThat(reply, reply);
      const { result, events } = await recordedIn(() => chat({ message: QUESTION, endpointId: id }));
      expect(result).toMatchObject({ status: 'refused', evidence: null, text: expect.stringContaining('is not shown') as string });
      expect(result.refusedAttempts.map(([first]) => first?.reason)).toEqual([reason, reason]);
      expect(result.text).not.toContain('eyes are grey');
      expect(model.calls.length).toBe(2);
      const [answered] = ofType(events, 'chat_answered');
      expect(answered).toMatchObject({ status: 'refused', versions: [{ text: reply }, { text: reply }] });
    });

  verifies('C19', '**Evidence:** is accepted', async () => {
    const { modelThat, chat } = here();
    const { id } = await modelThat(`Her eyes are grey.\n**Evidence:** "${QUOTE}" (${SCENE}:3)`);
    expect(await chat({ message: QUESTION, endpointId: id })).toMatchObject({ status: 'answered', evidence: { status: 'accepted' } });
  });

  verifies('C19', 'one repair, with quotes that the file really has: both versions are kept', async () => {
    const { modelThat, chat, recordedIn } = here();
    const wrong = `Grey.\nEvidence: "Her grey eyes were very tired" (${SCENE}:3)`;
    const { id, model } = await modelThat(wrong, GREY);
    const { result, events } = await recordedIn(() => chat({ message: QUESTION, endpointId: id }));
    expect(result).toMatchObject({ status: 'answered', refusedAttempts: [[{ reason: 'quote_not_found' }]] });
    expect(model.calls[1]?.messages.at(-1)?.content).toContain(QUOTE);
    const [answered] = ofType(events, 'chat_answered');
    expect(answered?.versions.map(({ text, verdict }) => [text, verdict?.status])).toEqual([
      [wrong, 'refused'],
      [GREY, 'accepted'],
    ]);
  });
});

describe('around a turn', () => {
  verifies('C4', 'skipTools sends the message as it is; what comes back is not an answer, and conferences refuse it', async () => {
    const { modelThat, chat, page, cwd } = here();
    const { id, model } = await modelThat('Names: Mara.');
    expect(await chat({ message: 'List the names.', endpointId: id, skipTools: true })).toMatchObject({
      ...{ status: 'raw', grounded: false, raw: 'Names: Mara.', evidence: null },
      text: expect.not.stringContaining('Mara') as string,
    });
    expect(model.calls.map(({ messages }) => messages)).toEqual([[{ role: 'user', content: 'List the names.' }]]);
    const body = { cwd, message: 'x', endpointId: id, skipTools: true, conferenceId: 'conf-1' };
    expect((await page('POST', '/api/ai/chat', { body })).status).toBe(400);
  });

  verifies('C4', 'turns in a workspace run one after the other', async () => {
    const { modelThat, chat } = here();
    const { id, model } = await modelThat(READS, decideFinal, withReceipt, READS, decideFinal, withReceipt);
    const [one, two] = await Promise.all([1, 2].map(() => chat({ message: QUESTION, endpointId: id })));
    expect([one?.status, two?.status]).toEqual(['answered', 'answered']);
    // Were they mixed, the script would have been played out of order.
    expect(model.calls.map(({ messages }) => messages.length)).toEqual([2, 4, 6, 2, 4, 6]);
  });

  test('a conversation goes on: the model sees what was asked and answered before', async () => {
    const { modelThat, chat } = here();
    const { id, model } = await modelThat(GREY, `Yes.\nEvidence: "${QUOTE}" (${SCENE}:3)`);
    const { sessionId } = await chat({ message: QUESTION, endpointId: id });
    expect(await chat({ message: 'Are you sure?', endpointId: id, sessionId })).toMatchObject({ status: 'answered', sessionId });
    expect(model.calls[1]?.messages.map(({ role }) => role)).toEqual(['system', 'user', 'assistant', 'user']);
    expect(model.calls[1]?.messages[2]?.content).toBe(GREY);
  });

  test('a caller that goes away cancels the turn, and the next one runs', async () => {
    const { modelThat, page, cwd, chat, daemon } = here();
    const { id, model } = await modelThat({ stalls: true }, GREY);
    const before = await daemon.ledgerSize();
    const gone = new AbortController();
    const body = { cwd, message: QUESTION, endpointId: id };
    const left = page('POST', '/api/ai/chat', { body, signal: gone.signal }).catch(() => null);
    while (model.calls.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    gone.abort();
    await left;
    expect(await chat({ message: QUESTION, endpointId: id })).toMatchObject({ status: 'answered' });
    const answered = ofType(await daemon.recordedSince(before), 'chat_answered');
    expect(answered.map(({ status }) => status)).toEqual(['cancelled', 'answered']);
  });

  test('an endpoint that fails is a fault that says what to do, on the record', async () => {
    const { modelThat, page, cwd, recordedIn } = here();
    const { id } = await modelThat({ status: 500 });
    const { result, events } = await recordedIn(() => page('POST', '/api/ai/chat', { body: { cwd, message: QUESTION, endpointId: id } }));
    expect([result.status, JSON.parse(result.text)]).toEqual([
      502,
      {
        error: {
          code: 'MODEL_UNAVAILABLE',
          message: expect.stringContaining('answered HTTP 500') as string,
          fix: expect.any(String) as string,
        },
      },
    ]);
    expect(ofType(events, 'chat_answered')).toMatchObject([{ status: 'failed' }]);
    expect(ofType(events, 'model_called')).toMatchObject([{ trouble: 'MODEL_UNAVAILABLE' }]);
  });

  verifies('C5', 'progress is sent while a turn runs, without a word of the reply that is not checked yet', async () => {
    const { modelThat, page, cwd } = here();
    const { id } = await modelThat(READS, decideFinal, withReceipt);
    const body = { cwd, message: QUESTION, endpointId: id };
    const { text, headers } = await page('POST', '/api/ai/chat', { body, headers: { accept: 'text/event-stream' } });
    expect(headers['content-type']).toBe('text/event-stream');
    const events = text.trim().split('\n\n');
    expect(events.at(-1)).toMatch(/^event: answer\ndata: \{"status":200,"body":\{/);
    expect(events.slice(0, -1).join('\n')).not.toContain('eyes are grey');
    expect(events.filter((event) => event.includes('"kind":"tool_done"')).length).toBe(1);
  });

  verifies('C5', 'a key is in no answer, no record and no file but its own, and goes to its host alone', async () => {
    const { modelThat, page, cwd, daemon, chat } = here();
    const { model } = await modelThat(GREY);
    const key = 'sk-countersign-test-9f8e7d6c5b4a';
    const body = { cwd, id: 'keyed', provider: 'openai-compatible', address: model.url, model: 'scripted', key };
    const added = await page('POST', '/api/endpoints', { body });
    expect(JSON.parse(added.text)).toMatchObject({ id: 'keyed', has_key: true, network: 'loopback' });
    await chat({ message: QUESTION, endpointId: 'keyed' });
    expect(model.calls[0]?.authorization).toBe(`Bearer ${key}`);
    const shown = await page('GET', '/api/endpoints');
    const ledger = await readFile(join(daemon.home.dir, 'ledger/00000001.jsonl'), 'utf8');
    expect([added.text, shown.text, ledger].some((text) => text.includes(key))).toBe(false);
    // Under another host the key of the same endpoint is not used.
    const other = await modelThat(GREY);
    const moved = { ...body, address: other.model.url, key: null };
    expect(JSON.parse((await page('POST', '/api/endpoints', { body: moved })).text)).toMatchObject({ has_key: false });
    await chat({ message: QUESTION, endpointId: 'keyed' });
    expect(other.model.calls[0]?.authorization).toBe(undefined);
  });

  test('what a model does makes no command of a human uncertain', async () => {
    const { modelThat, chat, daemon, cwd } = here();
    const { id } = await modelThat(GREY);
    await chat({ message: QUESTION, endpointId: id });
    expect((await daemon.services().ask('sessions', { cwd })).some(({ level }) => level === 'contained')).toBe(true);
    expect(daemon.services().isAgents(null)).toBe(false);
  });
});
