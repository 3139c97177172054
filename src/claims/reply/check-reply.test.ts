import { describe, expect, test } from 'vitest';
import { verifies } from '../../../test/verifies.ts';
import type { EvidenceReason, EvidenceVerdict, ReplyReceipt, ReplySources } from '../../protocol/index.ts';
import { checkReply, looksLikeToolCall } from '../index.ts';

const RECEIPT = `rcp_${'0'.repeat(25)}1`;
const DRY = `rcp_${'0'.repeat(25)}2`;
const FAILED = `rcp_${'0'.repeat(25)}3`;

const FILES: Readonly<Record<string, readonly string[]>> = {
  'Story/Scenes/SCN-01-arrival.md': [
    '# Arrival',
    '',
    'Mara stepped off the ferry.',
    '“You’re late,” said Tomas; he did not smile.',
    '',
    'The harbour',
    'was   empty.',
  ],
  'Story/Scenes/SCN-02-the-letter.md': ['# The letter', '', 'She left before dawn.'],
  'Story/Scenes/SCN-03-the-storm.md': ['# The storm', '', 'Rain.'],
  'Story/SCN-outline.md': ['# Outline', '', '## Act one', '', '- Scene 1: Arrival', '- Scene 2: The letter'],
  'Canon.md': ['# Canon', '', 'Mara has green eyes.'],
  'src/call.ts': ['const call = {"tool":"file_reader","args":{}};', 'file_locator(path);'],
};

/** Its first two lines are made; its third is line 9 of the manuscript. */
const SPLIT = 'Story/Scenes/SCN-04-the-inn.md';
const SPLIT_LINES = ['# The inn', '', 'The inn was shut.', 'She knocked twice.'];

const receiptOf = (receipt_id: string, rest: Partial<ReplyReceipt> = {}): ReplyReceipt => ({
  ...{ receipt_id, tool_id: 'consistency_checker', status: 'done', dry: false },
  reads: ['Story/Scenes/SCN-01-arrival.md', 'Story/Scenes/SCN-02-the-letter.md'],
  ...rest,
});
const RECEIPTS = [
  receiptOf(RECEIPT),
  receiptOf(DRY, { dry: true, reads: ['Story/Scenes/SCN-03-the-storm.md'] }),
  receiptOf(FAILED, { status: 'failed' }),
];

const sources = (role?: ReplySources['role']): ReplySources => ({
  read: async (path) => {
    if (path === SPLIT) return { kind: 'file', path, lines: SPLIT_LINES, source: { path: 'book.docx', source_line: 9, first_line: 3 } };
    const lines = Object.hasOwn(FILES, path) ? FILES[path] : undefined;
    return lines ? { kind: 'file', path, lines } : { kind: 'missing', why: 'does not exist' };
  },
  paths: async () => Object.keys(FILES),
  receipt: async (id) => RECEIPTS.find(({ receipt_id }) => receipt_id === id) ?? null,
  receipts: async () => RECEIPTS,
  role,
});
const check = (reply: string, role?: ReplySources['role']): Promise<EvidenceVerdict> => checkReply(reply, sources(role));
const answer = (evidence: string, said = 'Mara arrives alone.') => `${said}\n\nEvidence: ${evidence}`;
const reasonsOf = async (reply: string, role?: ReplySources['role']) => (await check(reply, role)).problems.map(({ reason }) => reason);
const outcomes = async (replies: readonly string[]) =>
  Promise.all(replies.map(async (reply) => [reply, (await check(reply)).status, ...(await reasonsOf(reply))]));
const allAre = (replies: readonly string[], ...outcome: readonly string[]) => replies.map((reply) => [reply, ...outcome]);

const QUOTE = '"Mara stepped off the ferry." (Story/Scenes/SCN-01-arrival.md:3)';

describe('the Evidence line', () => {
  verifies('C7', 'is accepted with its label plain, bold or as an item of a list', async () => {
    const labels = ['Evidence:', '**Evidence:**', '__Evidence:__', '**Evidence**:', '- Evidence:', 'evidence :'];
    const replies = labels.map((label) => `She arrives.\n\n${label} ${QUOTE}`);
    expect(await outcomes(replies)).toEqual(allAre(replies, 'accepted'));
  });

  verifies('C7', 'has to be there once', async () => {
    const none = ['She arrives.', 'She arrives. Evidence: inside a sentence', `\`\`\`\nEvidence: ${QUOTE}\n\`\`\``, ''];
    expect(await outcomes(none)).toEqual(allAre(none, 'refused', 'evidence_missing'));
    expect(await reasonsOf(`${answer(QUOTE)}\n**Evidence:** ${QUOTE}`)).toEqual(['evidence_multiple']);
    // A fence that never ends hides nothing.
    expect((await check(`\`\`\`\nShe arrives.\nEvidence: ${QUOTE}`)).status).toBe('accepted');
  });

  verifies('C7', 'that cannot be read is refused with the grammar', async () => {
    const unread = ['', '"Mara stepped off the ferry."', '"Mara stepped off the ferry." ()', 'checked'];
    for (const line of unread) expect(await reasonsOf(answer(line))).toEqual(['evidence_unreadable']);
  });

  verifies('C7', 'is read into its parts, and the first form is the type of the claim', async () => {
    const line = `${QUOTE}; Story/SCN-outline.md §Act one; Story/SCN-outline.md:5-6; receipt ${RECEIPT}.`;
    const { form, parts, receipts, citations, status } = await check(answer(line));
    expect({ status, form, receipts }).toEqual({ status: 'accepted', form: 'content', receipts: [RECEIPT] });
    expect(parts).toEqual([
      {
        kind: 'content',
        quote: 'Mara stepped off the ferry.',
        path: 'Story/Scenes/SCN-01-arrival.md',
        lines: { start_line: 3, end_line: 3 },
      },
      { kind: 'structural', path: 'Story/SCN-outline.md', lines: null, section: 'Act one' },
      { kind: 'structural', path: 'Story/SCN-outline.md', lines: { start_line: 5, end_line: 6 }, section: null },
      { kind: 'receipt', receipt_id: RECEIPT },
    ]);
    expect(citations.map(({ path, start_line, end_line }) => [path, start_line, end_line])).toEqual([
      ['Story/Scenes/SCN-01-arrival.md', 3, 3],
      ['Story/SCN-outline.md', 3, 3],
      ['Story/SCN-outline.md', 5, 6],
    ]);
  });

  test('ABSTAIN as the whole reply is not checked; in a sentence it is', async () => {
    expect((await check('  abstain\n')).status).toBe('abstained');
    expect(await reasonsOf('I would not abstain.')).toEqual(['evidence_missing']);
  });

  verifies('C7', 'may ask for a source instead, which proves nothing', async () => {
    const { status, form, citations } = await check(answer('request access Story/Scenes/SCN-09.md', 'I cannot see that scene.'));
    expect({ status, form, citations }).toEqual({ status: 'access', form: 'access', citations: [] });
  });
});

describe('a quote', () => {
  verifies('C7', 'is found with other white space and other quotation marks', async () => {
    const found = [
      `"You're late," said Tomas; he did not smile." (Story/Scenes/SCN-01-arrival.md:4)`,
      '“You’re late,” said Tomas" (Story/Scenes/SCN-01-arrival.md)',
      '"The harbour was empty." (Story/Scenes/SCN-01-arrival.md:6-7)',
      '"The  harbour was\u00a0empty" (`Story/Scenes/SCN-01-arrival.md`)',
      '„Mara stepped off the ferry“ (Story/Scenes/SCN-01-arrival.md)',
    ].map((line) => answer(line));
    expect(await outcomes(found)).toEqual(allAre(found, 'accepted'));
  });

  verifies('C7', 'is found with escaped quotation marks inside it; other words stay a reason', async () => {
    const escaped = String.raw`"const call = {\"tool\":\"file_reader\"" (src/call.ts:1)`;
    expect((await check(answer(escaped))).citations.map(({ start_line }) => start_line)).toEqual([1]);
    expect(await reasonsOf(answer(escaped.replace('reader', 'writer')))).toEqual(['quote_not_found']);
  });

  verifies('C7', 'with other words is refused, and one that cuts a word in half', async () => {
    const made = [
      'Mara stepped off a ferry.',
      'mara stepped off the ferry',
      'Mara stepped off the ferry!',
      'he left before dawn',
      'She left before daw',
    ].map((quote) => answer(`"${quote}" (Story/Scenes/${quote.includes('left') ? 'SCN-02-the-letter' : 'SCN-01-arrival'}.md)`));
    expect(await outcomes(made)).toEqual(allAre(made, 'refused', 'quote_not_found'));
  });

  verifies('C7', 'that is nearly there comes with the passages that are, for one repair', async () => {
    const { candidates, problems } = await check(answer('"Mara stepped off the old ferry" (Story/Scenes/SCN-01-arrival.md:9)'));
    expect(candidates).toEqual([
      { path: 'Story/Scenes/SCN-01-arrival.md', start_line: 3, end_line: 3, text: 'Mara stepped off the ferry', likeness: 0.83 },
    ]);
    expect(problems[0]!.message).toBe(
      '"Mara stepped off the old ferry" is not in Story/Scenes/SCN-01-arrival.md. Use one of the passages that it does have',
    );
    expect((await check(answer(`"${candidates[0]!.text}" (${candidates[0]!.path})`))).status).toBe('accepted');
  });

  verifies('C8', 'in a scene of a manuscript is also cited by its lines there; a line that is made is not', async () => {
    const sourcesOf = async (evidence: string) => (await check(answer(evidence))).citations.map(({ source }) => source);
    expect(await sourcesOf(`"The inn was shut. She knocked twice." (${SPLIT})`)).toEqual([
      { path: 'book.docx', start_line: 9, end_line: 10 },
    ]);
    expect(await sourcesOf(`${SPLIT} §The inn; ${SPLIT}:4; Canon.md:3`)).toEqual([
      undefined,
      { path: 'book.docx', start_line: 10, end_line: 10 },
      undefined,
    ]);
  });

  verifies('C7', 'is cited where it is, whatever lines were named', async () => {
    const { citations } = await check(answer('"Mara stepped off the ferry." (Story/Scenes/SCN-01-arrival.md:90)'));
    expect(citations).toMatchObject([{ start_line: 3, end_line: 3 }]);
  });

  verifies(
    'C7',
    'of a single short word shows nothing, and one from an unknown file is refused with the file that may be meant',
    async () => {
      expect(await reasonsOf(answer('"Mara" (Story/Scenes/SCN-01-arrival.md)'))).toEqual(['quote_too_short']);
      const { problems } = await check(answer('"Mara stepped off the ferry." (SCN-01-arrival.md)'));
      expect(problems).toMatchObject([
        { reason: 'source_unknown', message: '"SCN-01-arrival.md" does not exist. There is Story/Scenes/SCN-01-arrival.md' },
      ]);
    },
  );
});

describe('a quotation in the text', () => {
  const uncheckedIn = async (said: string, evidence = '"Mara stepped off the ferry." (Story/Scenes/SCN-01-arrival.md)') => {
    const { status, unchecked_quotes } = await check(answer(evidence, said));
    return [status, unchecked_quotes];
  };

  verifies('C7', 'that is in no cited file is named, and does not look checked', async () => {
    expect(await uncheckedIn('Mara says: "I have always hated this island."')).toEqual(['accepted', ['I have always hated this island.']]);
    // It is in a file that the line does not name.
    expect(await uncheckedIn('Then “She left before dawn.”')).toEqual(['accepted', ['She left before dawn.']]);
  });

  verifies('C7', 'that is there, or is only a name or code, is not', async () => {
    for (const said of [
      'The scene opens "Mara stepped off the ferry".',
      'The scene opens “Mara stepped off the ferry,” and goes on.',
      'The harbour "was empty".',
      'It says `print("one two three four five")`.',
    ])
      expect([said, ...(await uncheckedIn(said))]).toEqual([said, 'accepted', undefined]);
  });
});

describe('a structural claim', () => {
  verifies('C7', 'names lines, a heading or an entry that exist', async () => {
    const good = [
      'Story/SCN-outline.md:3',
      'Story/SCN-outline.md §Act one',
      'Story/SCN-outline.md §Scene 2',
      'Story/SCN-outline.md § "Scene 2: The letter"',
    ].map((line) => answer(line));
    expect(await outcomes(good)).toEqual(allAre(good, 'accepted'));
    const bad: Readonly<Record<string, EvidenceReason>> = {
      'Story/SCN-outline.md': 'claim_unsupported',
      'Story/SCN-outline.md:7': 'lines_unknown',
      'Story/SCN-outline.md §Act two': 'section_unknown',
      'Story/outline.md:3': 'source_unknown',
    };
    for (const [line, reason] of Object.entries(bad)) expect([line, ...(await reasonsOf(answer(line)))]).toEqual([line, reason]);
  });
});

describe('an absence claim', () => {
  verifies('C7', 'names files or a range, each of them read in this round', async () => {
    const good = [
      'checked Story/Scenes/SCN-01-arrival.md, Story/Scenes/SCN-02-the-letter.md',
      'checked scenes 1–2',
      'checked SCN-01–SCN-02',
      'checked scenes 1-2',
    ].map((line) => answer(line, 'Nobody mentions a dog.'));
    expect(await outcomes(good)).toEqual(allAre(good, 'accepted'));
    // A dry run has read nothing.
    expect(await reasonsOf(answer('checked scenes 1–3'))).toEqual(['absence_unchecked']);
    expect(await reasonsOf(answer('checked scenes 2–9'))).toEqual(['source_unknown']);
    expect(await reasonsOf(answer('checked the whole book'))).toEqual(['source_unknown']);
  });
});

describe('a receipt', () => {
  verifies('C7', 'exists, did not fail and was no dry run', async () => {
    const bad: Readonly<Record<string, EvidenceReason>> = {
      [`rcp_${'9'.repeat(26)}`]: 'receipt_unknown',
      rcp_1: 'receipt_unknown',
      [DRY]: 'receipt_proves_nothing',
      [FAILED]: 'receipt_proves_nothing',
    };
    for (const [id, reason] of Object.entries(bad))
      expect([id, ...(await reasonsOf(answer(`${QUOTE}; receipt ${id}`)))]).toEqual([id, reason]);
  });

  verifies('C7', 'alone is evidence for what a tool answered, not for a quote in the reply', async () => {
    const { status, form } = await check(answer(`receipt ${RECEIPT}`, 'The consistency_checker found two contradictions.'));
    expect({ status, form }).toEqual({ status: 'accepted', form: 'receipt' });
    expect(await reasonsOf(answer(`receipt ${RECEIPT}`, 'The scene says "Mara burned the letter herself".'))).toEqual([
      'claim_unsupported',
    ]);
  });

  verifies('C7', 'is needed for a reply that says it used a tool, and has to be of that tool', async () => {
    const claims = [
      'I ran consistency_checker and all is fine.',
      'I used the file_reader tool on it.',
      'I checked this with the file_reader tool.',
      'We looked it up using the consistency checker.',
      'Using file_reader, I found it at once.',
      'According to the prose_analyzer, sentences are short.',
      'The canon_checker confirms it.',
      'I have used several tools to look at this.',
      'The tool returned no match.',
    ];
    for (const said of claims) expect([said, ...(await reasonsOf(answer(QUOTE, said)))]).toEqual([said, 'tool_claim_without_receipt']);
    expect(await reasonsOf(answer(`${QUOTE}; receipt ${RECEIPT}`, claims[0]))).toEqual([]);
    expect(await reasonsOf(answer(`${QUOTE}; receipt ${RECEIPT}`, claims[2]))).toEqual(['tool_claim_without_receipt']);
  });

  verifies('C7', 'is not needed to talk about tools', async () => {
    const talk = [
      'You could run consistency_checker on it.',
      'I did not use a tool for this.',
      'If the canon_checker finds more, tell me.',
      'Tomas used the tools from the shed.',
      'The file reader of this program shows each line.',
      'Settings are read through the file reader.',
      'The scene shows how she ran.',
      'It says “I ran the file_reader” in the text.',
    ];
    for (const said of talk) expect([said, ...(await reasonsOf(answer(QUOTE, said)))]).toEqual([said]);
  });
});

describe('a role', () => {
  verifies('C7', 'has to rest on one of its own sources', async () => {
    const continuity = { name: 'Continuity', sources: ['Canon.md', 'Compendium/**'] };
    expect(await reasonsOf(answer(QUOTE), continuity)).toEqual(['role_source_missing']);
    expect(await reasonsOf(answer(`${QUOTE}; "Mara has green eyes." (Canon.md:3)`), continuity)).toEqual([]);
    expect((await check(answer('request access Canon.md'), continuity)).status).toBe('access');
  });
});

describe('a reply', () => {
  verifies('C7', 'that reasons aloud is refused', async () => {
    const prefaces = [
      '<think>The user wants a scene.</think> She arrives.',
      'She arrives.</think>',
      'Okay, so the user wants to know about Mara.',
      'Let me think about this step by step.',
      'The user is asking about Mara.',
      'First, I need to check the outline.',
      'Reasoning: Mara is late.',
      '**Thinking:** she is late',
    ];
    for (const said of prefaces) expect([said, ...(await reasonsOf(answer(QUOTE, said)))]).toEqual([said, 'reasoning_preface']);
  });

  verifies('C7', 'that only mentions reasoning is not', async () => {
    const plain = [
      'The user of the harbour, Tomas, is late.',
      'First, the scene opens on the ferry.',
      'Her reasoning: she was afraid.',
      'Let me be blunt: the scene is too long.',
      'Mara says “let me think” and leaves.',
      'So the letter is never read.',
      'We need to talk about Tomas.',
      'Use `<think>` tags in the XML.',
    ];
    for (const said of plain) expect([said, ...(await reasonsOf(answer(QUOTE, said)))]).toEqual([said]);
  });

  verifies('C7', 'with the syntax of a tool call is refused', async () => {
    const calls = [
      '{"tool":"file_reader","args":{"path":"a"},"nonce":"n"}',
      'I will call file_locator(search_criteria="x").',
      '<tool_call>file_reader</tool_call>',
      '```json\n{"tool":"file_reader","args":{"path":"a"},"nonce":"n"}\n```',
      'Tool: file_reader',
    ];
    for (const said of calls) expect([said, ...(await reasonsOf(answer(QUOTE, said)))]).toEqual([said, 'tool_syntax']);
    expect(calls.map(looksLikeToolCall)).toEqual(calls.map(() => true));
  });

  verifies('C7', 'that quotes code with braces, fences or calls is not', async () => {
    const shown = [
      '```ts\nconst call = {"tool":"file_reader","args":{}};\n```',
      'The function `file_locator(path)` is called twice.',
      'The object {a: 1} has one key.',
      'See src/file_locator(2).md',
      '~~~\n{"tool": …}\n~~~',
    ];
    for (const said of shown) expect([said, ...(await reasonsOf(answer(QUOTE, said)))]).toEqual([said]);
    const cited = ['"const call = {"tool":"file_reader","args":{}};" (src/call.ts:1)', '"file_locator(path);" (src/call.ts:2)'];
    for (const evidence of cited)
      expect([evidence, await reasonsOf(answer(evidence)), looksLikeToolCall(answer(evidence))]).toEqual([evidence, [], false]);
    expect(looksLikeToolCall(`file_locator("x")\nEvidence: ${cited[1]!}`)).toBe(true);
    expect(shown.map(looksLikeToolCall)).toEqual(shown.map(() => false));
  });
});
