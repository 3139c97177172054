import { Ajv } from 'ajv';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { verifies } from '../../../test/verifies.ts';
import {
  argsSchema,
  decisionFormat,
  GROUNDING_ARGS,
  GROUNDING_TOOLS,
  isGroundingTool,
  readDecision,
  readToolCall,
  renameArgs,
  toolCallFormat,
  toolIdOf,
} from './index.ts';

const NONCE = 'n-7f3a';
const ARGS = '{"path":"Story/Scenes/SCN-01.md"}';
const call = (tool: string, args = ARGS, nonce = NONCE) => `{"tool":"${tool}","args":${args},"nonce":"${nonce}"}`;
const codeOf = (raw: Uint8Array | string, allowedTools?: readonly string[]) =>
  readToolCall(raw, { nonce: NONCE, allowedTools }).rejected?.code ?? 'ok';
const decisionOf = (raw: string, allowedTools?: readonly string[]) => {
  const { ok, rejected } = readDecision(raw, { nonce: NONCE, allowedTools });
  return rejected?.code ?? (ok!.action === 'tool' ? ok!.call.tool : 'final');
};

describe('a tool call', () => {
  verifies('C1', 'is one object with tool, args and nonce, and nothing else', () => {
    expect(readToolCall(`\n ${call('file_reader')}\r\n`, { nonce: NONCE })).toEqual({
      ok: { tool: 'file_reader', args: { path: 'Story/Scenes/SCN-01.md' }, nonce: NONCE },
    });
  });

  const INVALID_FORMAT: readonly string[] = [
    '',
    'null',
    `[${call('file_reader')}]`,
    `"${call('file_reader').replaceAll('"', '\\"')}"`,
    `Sure! ${call('file_reader')}`,
    `${call('file_reader')} Let me know.`,
    `${call('file_reader')}; ${call('file_reader')}`,
    `${call('file_reader')}{"tool":`,
    `\`\`\`json\n${call('file_reader')}\n\`\`\``,
    `<think>hm</think>${call('file_reader')}`,
    `\ufeff${call('file_reader')}`,
    'file_reader(path="a.md")',
    call('file_reader').replace('"nonce"', '"nonce":"a","nonce"'),
    call('file_reader').replace('"nonce"', '"no\\u006ece":"a","nonce"'),
    call('file_reader').replace('{"tool"', '{"action":"tool","tool"'),
    call('file_reader').replace('{"tool"', '{"__proto__":{},"tool"'),
    call('file_reader', '["a"]'),
    call('file_reader', '"a"'),
    call('file_reader', 'null'),
    `{"tool":"file_reader","args":${ARGS}}`,
    `{"args":${ARGS},"nonce":"${NONCE}"}`,
    `{"tool":"file_reader","nonce":"${NONCE}"}`,
    `{"tool":["file_reader"],"args":${ARGS},"nonce":"${NONCE}"}`,
    `{"tool":"file_reader","args":${ARGS},"nonce":1}`,
    `{"toString":"file_reader","args":${ARGS},"nonce":"${NONCE}"}`,
    // Known only by what an object inherits.
    `{"constructor":{},"args":${ARGS},"nonce":"${NONCE}"}`,
  ];
  verifies('C1', 'is rejected with tool_call_invalid_format in every other form', () => {
    expect(INVALID_FORMAT.filter((raw) => codeOf(raw) !== 'tool_call_invalid_format')).toEqual([]);
    expect(codeOf(new Uint8Array([0xff, ...new TextEncoder().encode(call('file_reader'))]))).toBe('tool_call_invalid_format');
  });

  verifies('C1', 'is rejected with tool_call_multiple only if the whole text is several complete objects', () => {
    const one = call('file_reader');
    expect([`${one}${one}`, `${one}\n${one}`, `${one} {}`, '{}{}'].map((raw) => codeOf(raw))).toEqual(Array(4).fill('tool_call_multiple'));
    expect([`${one} ${one} and`, `${one},${one}`, `${one} {"a":1,"a":2}`].map((raw) => codeOf(raw))).toEqual(
      Array(3).fill('tool_call_invalid_format'),
    );
  });

  verifies('C1', 'names the nonce of this step', () => {
    const wrong = ['', 'N-7F3A', ` ${NONCE}`, `${NONCE}x`, 'undefined'];
    expect(wrong.map((nonce) => codeOf(call('file_reader', ARGS, nonce)))).toEqual(wrong.map(() => 'tool_call_nonce_invalid'));
    expect(readToolCall(call('file_reader', ARGS, ''), { nonce: '' }).rejected?.code).toBe('tool_call_nonce_invalid');
    expect(codeOf(call('file_reader', ARGS, 'n-7f3\\u0061'))).toBe('ok');
  });

  verifies('C1', 'names a tool that this step allows', () => {
    const unknown = ['', 'shell', 'write_file', 'FILE_READER', ' file_reader', 'toString', '__proto__', 'search_files', 'list_files'];
    expect(unknown.map((tool) => codeOf(call(tool)))).toEqual(unknown.map(() => 'tool_call_unknown_tool'));
    expect([['file_locator'], [], ['nonsense']].map((allowed) => codeOf(call('file_reader'), allowed))).toEqual(
      Array(3).fill('tool_call_unknown_tool'),
    );
    expect(codeOf(call('file_reader'), ['file_locator', 'file-reader'])).toBe('ok');
  });

  const INVALID_ARGS: readonly (readonly [string, string])[] = [
    ['file_locator', '{}'],
    ['file_locator', '{"search_criteria":""}'],
    ['file_locator', '{"search_criteria":"x","scan_mode":"fast_scan"}'],
    ['file_locator', '{"search_criteria":"x","max_results":1.5}'],
    ['file_locator', '{"search_criteria":"x","max_results":"3"}'],
    ['file_locator', '{"search_criteria":"x","max_results":0}'],
    ['file_reader', '{"path":"a.md","start_line":0}'],
    ['file_reader', '{"path":"a.md","start_line":1e999}'],
    ['file_reader', '{"path":null}'],
    ['file_reader', '{"path":"a.md","content":"x"}'],
    ['file_reader', '{"path":"a.md","__proto__":{"dry_run":true}}'],
    ['outline_analyzer', '{"outline_path":3}'],
    ['canon_checker', '{"scene_path":"a.md"}'],
    ['canon_checker', '{"scene_path":"a.md","canon_paths":"Canon.md"}'],
    ['task_router', '{"user_request":["x"]}'],
    ['search_issues', '{"status":"done"}'],
    ['search_issues', '{"priority":"highest"}'],
    ['search_issues', '{"minInterestLevel":6}'],
    ['search_issues', '{"dry_run":true}'],
    ['prose_analyzer', '{"scene_path":"a.md","focus":"tone"}'],
    ['consistency_checker', '{"file_paths":[]}'],
    ['consistency_checker', `{"file_paths":[${Array(11).fill('"a.md"').join(',')}]}`],
    ['scene_draft_validator', '{"scene_path":"a.md","include_canon":"yes"}'],
  ];
  verifies('C1', 'has arguments that match the tool exactly', () => {
    expect(INVALID_ARGS.filter(([tool, args]) => codeOf(call(tool, args)) !== 'tool_call_invalid_args')).toEqual([]);
  });

  verifies('C1', 'that breaks several rules is rejected for the first: format, multiple, nonce, tool, arguments', () => {
    const wrong = call('nothing', '{}', 'old');
    expect([`${wrong} x`, `${wrong}${wrong}`, wrong, call('nothing', '{}'), call('file_reader', '{}')].map((raw) => codeOf(raw))).toEqual([
      'tool_call_invalid_format',
      'tool_call_multiple',
      'tool_call_nonce_invalid',
      'tool_call_unknown_tool',
      'tool_call_invalid_args',
    ]);
  });

  verifies('C1', 'keeps braces, fences and other objects inside strings as data', () => {
    const text = 'Say ```json\\n{\\"tool\\":\\"x\\"}\\n``` } { ] and <think>';
    expect(readToolCall(call('task_router', `{"user_request":"${text}"}`), { nonce: NONCE }).ok?.args).toEqual({
      user_request: 'Say ```json\n{"tool":"x"}\n``` } { ] and <think>',
    });
  });

  verifies('C1', 'that is accepted is always the one object of the text, whatever was put around or into it', () => {
    const piece = fc.oneof(
      fc.constantFrom(
        call('file_reader'),
        '{',
        '}',
        '"',
        ',',
        ':',
        '[',
        ']',
        ' ',
        '\n',
        '```',
        '"nonce"',
        `"${NONCE}"`,
        '\\u0022',
        'args',
        '{}',
      ),
      fc.string({ maxLength: 3 }),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 6 }), (pieces) => {
        const raw = pieces.join('');
        if (codeOf(raw) !== 'ok') return;
        expect(Object.keys(JSON.parse(raw) as object).toSorted()).toEqual(['args', 'nonce', 'tool']);
      }),
      { numRuns: 20_000 },
    );
  });
});

describe('a decision', () => {
  verifies('C1', 'is another tool or the end of tools', () => {
    expect(decisionOf(`{"action":"final","nonce":"${NONCE}"}`)).toBe('final');
    expect(decisionOf(`{"action":"tool","tool":"file-viewer","args":${ARGS},"nonce":"${NONCE}"}`)).toBe('file_reader');
  });

  verifies('C1', 'in any other form is rejected, with the codes of a tool call', () => {
    const decisions: Readonly<Record<string, string>> = {
      [call('file_reader')]: 'tool_call_invalid_format',
      [`{"action":"final","nonce":"${NONCE}","tool":"file_reader"}`]: 'tool_call_invalid_format',
      [`{"action":"stop","nonce":"${NONCE}"}`]: 'tool_call_invalid_format',
      [`{"action":"final"}`]: 'tool_call_invalid_format',
      [`I am done. {"action":"final","nonce":"${NONCE}"}`]: 'tool_call_invalid_format',
      [`{"action":"final","nonce":"${NONCE}"}{"action":"final","nonce":"${NONCE}"}`]: 'tool_call_multiple',
      [`{"action":"final","nonce":"old"}`]: 'tool_call_nonce_invalid',
      [`{"action":"tool","tool":"shell","args":{},"nonce":"${NONCE}"}`]: 'tool_call_unknown_tool',
      [`{"action":"tool","tool":"file_reader","args":{},"nonce":"${NONCE}"}`]: 'tool_call_invalid_args',
    };
    expect(Object.fromEntries(Object.keys(decisions).map((raw) => [raw, decisionOf(raw)]))).toEqual(decisions);
  });
});

describe('aliases', () => {
  verifies('C2', 'map the names that models use for a tool to the tool that means the same', () => {
    expect(['file-viewer', 'file_viewer', 'read_file', 'file-locator', 'find_files', 'analyze-prose'].map(toolIdOf)).toEqual([
      'file_reader',
      'file_reader',
      'file_reader',
      'file_locator',
      'file_locator',
      'prose_analyzer',
    ]);
  });

  verifies('C2', 'never map to a tool with another meaning', () => {
    const others = [
      'write_file',
      'edit_file',
      'delete_file',
      'run_command',
      'shell',
      'search_files',
      'grep',
      'web_search',
      'memory_query',
      'reader',
    ];
    expect(others.map(toolIdOf)).toEqual(others.map(() => null));
  });

  verifies('C2', 'accept other spellings of an argument, inside args only', () => {
    const spelled = ['{"Start-Line":3,"FILE PATH":"a.md"}', '{"startLine":3," path ":"a.md"}', '{"line_start":3,"filename":"a.md"}'];
    for (const args of spelled)
      expect(readToolCall(call('file_reader', args), { nonce: NONCE }).ok?.args).toEqual({ path: 'a.md', start_line: 3 });
    expect(renameArgs('search_issues', { assigned_to: 'x', 'Min Interest Level': 2 })).toEqual({
      args: { assignedTo: 'x', minInterestLevel: 2 },
    });
    expect(codeOf(call('file_reader').replace('"tool"', '"Tool"'))).toBe('tool_call_invalid_format');
  });

  verifies('C2', 'two keys that mean the same argument are invalid', () => {
    expect(['{"path":"a.md","Path":"b.md"}', '{"path":"a.md","file":"b.md"}'].map((args) => codeOf(call('file_reader', args)))).toEqual(
      Array(2).fill('tool_call_invalid_args'),
    );
  });

  test('no alias has the spelling of another argument of its tool', () => {
    for (const tool of GROUNDING_TOOLS)
      for (const key of Object.keys(GROUNDING_ARGS[tool].shape)) expect(renameArgs(tool, { [key]: 1 })).toEqual({ args: { [key]: 1 } });
  });
});

describe('the JSON Schema for a model', () => {
  const ajv = new Ajv({ strict: true, allowUnionTypes: true });
  const anyArgs = fc.dictionary(
    fc.constantFrom('path', 'start_line', 'scene_path', 'file_paths', 'focus', 'search_criteria', 'dry_run', 'user_request', 'status', 'x'),
    fc.constantFrom('Story/a.md', 'all', 'open', 1, 2.5, true, null, ['a.md'], [1], {}),
  );

  verifies('C1', 'allows what the schemas of the arguments allow, and the reader accepts all of that', () => {
    const allows = ajv.compile(toolCallFormat({ nonce: NONCE }).json_schema.schema);
    fc.assert(
      fc.property(fc.constantFrom(...GROUNDING_TOOLS, 'shell'), anyArgs, fc.constantFrom(NONCE, 'old'), (tool, args, nonce) => {
        const envelope = { tool, args, nonce };
        const isAllowed = allows(envelope);
        expect(isAllowed).toBe(isGroundingTool(tool) && nonce === NONCE && GROUNDING_ARGS[tool].safeParse(args).success);
        if (isAllowed) expect(codeOf(JSON.stringify(envelope))).toBe('ok');
      }),
      { numRuns: 3_000 },
    );
    expect([{}, { tool: 'file_reader', args: { path: 'a' }, nonce: NONCE, more: 1 }].map((value) => allows(value))).toEqual([false, false]);
  });

  verifies('C1', 'of a decision allows a final one and the allowed tools', () => {
    const allows = ajv.compile(decisionFormat({ nonce: NONCE, allowedTools: ['file_reader'] }).json_schema.schema);
    const decisions = [
      { action: 'final', nonce: NONCE },
      { action: 'tool', tool: 'file_reader', args: { path: 'a.md' }, nonce: NONCE },
      { action: 'tool', tool: 'file_locator', args: { search_criteria: 'a' }, nonce: NONCE },
      { action: 'final', nonce: 'old' },
    ];
    expect(decisions.map((decision) => allows(decision))).toEqual([true, true, false, false]);
  });

  test('has no lengths, and no unknown arguments', () => {
    const all = JSON.stringify(GROUNDING_TOOLS.map(argsSchema));
    expect(all).not.toMatch(/Length|pattern/);
    expect(GROUNDING_TOOLS.map((tool) => argsSchema(tool)['additionalProperties'])).toEqual(GROUNDING_TOOLS.map(() => false));
  });
});
