// The nine grounding tools as agents call them over MCP: governed, on real files, with receipts.

import { cp, mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Client } from '@modelcontextprotocol/client';
import { beforeAll, describe, expect, onTestFinished } from 'vitest';
import { GROUNDING_TOOLS, type SignedReceipt } from '../src/protocol/index.ts';
import { SAMPLE_STORY } from '../src/packs/prose/story.fixture.ts';
import { eventually } from './lab/eventually.ts';
import type { Place } from './lab/installation.ts';
import { oneDaemon } from './lab/one-daemon.ts';
import { verifies } from './verifies.ts';

const SCENE = 'Story/Scenes/SCN-01-the-ferry.md';
const OTHER = 'Story/Scenes/SCN-07-the-lamp-room.md';

const placeForThisTest = oneDaemon();
let place: Place;
let client: Client;
beforeAll(async () => {
  place = await placeForThisTest();
  await cp(SAMPLE_STORY, place.repo.path, { recursive: true });
  // On a busy machine the pipe gives up before a daemon that it starts itself answers.
  await eventually('a daemon', async () => ((await place.run(['status'])).code === 0 ? true : undefined));
  client = await place.mcpClient({ surface: 'contract' });
  return () => client.close();
});

interface Called {
  readonly isError: boolean;
  readonly output: Record<string, never> & { readonly error_code?: string; readonly message?: string };
}

async function call(name: string, args: Record<string, unknown>): Promise<Called> {
  const { isError, structuredContent } = await client.callTool({ name, arguments: args });
  return { isError: isError === true, output: structuredContent as Called['output'] };
}

const newestReceipt = async (): Promise<SignedReceipt> => (await place.client.ask('receipts', { limit: 1 }))[0] as SignedReceipt;

describe('the nine tools', () => {
  verifies('C3', 'are offered, and each answers about the real files and leaves a signed receipt', async () => {
    const { tools } = await client.listTools();
    expect(GROUNDING_TOOLS.filter((id) => !tools.some(({ name }) => name === id))).toEqual([]);
    const calls: Readonly<Record<(typeof GROUNDING_TOOLS)[number], readonly [Record<string, unknown>, object]>> = {
      file_locator: [{ search_criteria: 'the-ferry' }, { files: [{ path: SCENE, kind: 'file' }], found: 1 }],
      file_reader: [
        { path: SCENE, start_line: 7, end_line: 7 },
        { path: SCENE, start_line: 7, end_line: 7, content: expect.stringContaining('7: Mara Voss stepped off the ferry') },
      ],
      outline_analyzer: [{}, { path: 'Story/SCN-outline.md', problems: [], scenes_without_entry: [], entries_without_scene: [] }],
      canon_checker: [
        { scene_path: 'Story/Scenes/SCN-05-the-survey.md', canon_paths: ['Compendium/Characters/CHAR-mara-voss.md'] },
        {
          status: 'contradicts canon',
          contradictions: [{ kind: 'age', entity: 'Mara Voss', places: [{ value: '34', line: 3 }, { value: '37' }] }],
        },
      ],
      task_router: [
        { user_request: 'Are there contradictions in the timeline?' },
        { evidence: 'content', tools: ['file_locator', 'consistency_checker'] },
      ],
      search_issues: [{ status: 'open' }, { found: 0, issues: [] }],
      prose_analyzer: [
        { scene_path: SCENE, focus: 'pacing' },
        { path: SCENE, pacing: { dialogue_ratio: expect.any(Number) } },
      ],
      consistency_checker: [
        { file_paths: [SCENE, OTHER], focus: 'characters' },
        {
          contradictions: [
            {
              kind: 'eye_colour',
              entity: 'Mara Voss',
              places: [
                { path: SCENE, line: 13 },
                { path: OTHER, line: 13 },
              ],
            },
          ],
        },
      ],
      scene_draft_validator: [
        { scene_path: SCENE, include_canon: true },
        {
          match: { by: 'title_slug', title: 'The Ferry', line: 5 },
          pov: { planned: 'Mara Voss', found: 'Mara Voss', matches: true },
          canon: { path: 'Compendium/Characters/CHAR-mara-voss.md' },
        },
      ],
    };
    for (const [name, [args, expected]] of Object.entries(calls)) {
      const { isError, output } = await call(name, args);
      expect([name, isError, output]).toMatchObject([name, false, expected]);
      expect(await newestReceipt()).toMatchObject({ tool_id: name, status: 'done', inputs: args, signature_alg: 'HMAC-SHA256' });
    }
  });

  verifies('C3', 'answer by mode: of an outline its structure or its problems, of canon also what is only possible', async () => {
    const outline = async (mode: string) => Object.keys((await call('outline_analyzer', { mode })).output).toSorted();
    expect(await outline('structure')).toEqual(['entries', 'mode', 'parts', 'path', 'receipt_id']);
    expect(await outline('problems')).toEqual(['entries_without_scene', 'mode', 'path', 'problems', 'receipt_id', 'scenes_without_entry']);
    expect((await call('outline_analyzer', { mode: 'beats' })).output).toMatchObject({
      mode: 'all',
      hint: 'There is no mode "beats". There are: all, structure, problems',
      parts: expect.any(Array) as object,
    });
    await writeFile(join(place.repo.path, 'Compendium/Characters/CHAR-tilda-roe.md'), '# Tilda Roe\n\nAge: 34\n');
    const scene_path = 'Story/Scenes/SCN-21-tilda.md';
    await writeFile(join(place.repo.path, scene_path), '# Tilda\n\n“Tilda Roe is forty,” said Ilse Brandt.\n');
    onTestFinished(() => rm(join(place.repo.path, scene_path)));
    const canon = async (mode: string) =>
      (await call('canon_checker', { scene_path, canon_paths: ['Compendium/Characters/CHAR-tilda-roe.md'], mode })).output;
    expect(await canon('strict')).toMatchObject({ status: 'contradicts canon', contradictions: [{ certainty: 'possible' }] });
    expect(await canon('lenient')).toMatchObject({ status: 'no contradiction found', contradictions: [], possible_left_out: 1 });
  });

  verifies('C6', 'name in their receipts what they read, and a dry run reads nothing', async () => {
    await call('consistency_checker', { file_paths: [SCENE, OTHER] });
    expect((await newestReceipt()).reads?.map(({ path, start_line }) => [path, start_line])).toEqual([
      [SCENE, 1],
      [OTHER, 1],
    ]);
    expect((await call('file_reader', { path: SCENE, dry_run: true })).output).toMatchObject({ dry_run: true, would_read: [SCENE] });
    expect((await newestReceipt()).reads ?? []).toEqual([]);
  });

  verifies('C6', 'leave a receipt when they fail', async () => {
    const { isError, output } = await call('file_reader', { path: 'Story/Scenes/SCN-99.md' });
    expect({ isError, ...output }).toMatchObject({
      isError: true,
      error_code: 'NOT_FOUND',
      message: 'There is no file Story/Scenes/SCN-99.md',
    });
    expect(await newestReceipt()).toMatchObject({ tool_id: 'file_reader', status: 'failed' });
    expect((await call('file_reader', { path: SCENE, start_line: 9, end_line: 7 })).output).toMatchObject({
      message: 'end_line 7 is before start_line 9',
    });
    expect(await newestReceipt()).toMatchObject({ tool_id: 'file_reader', status: 'failed' });
  });

  verifies('C3', 'have preconditions: canon_checker needs canon files, outline_analyzer finds the outline through the VFS', async () => {
    expect((await call('canon_checker', { scene_path: SCENE, canon_paths: [] })).output).toMatchObject({
      message: 'canon_checker needs canon files',
    });
    expect((await call('canon_checker', { scene_path: SCENE, canon_paths: ['Canon.md'] })).output).toMatchObject({
      message: 'There is no file Canon.md',
    });
    const bare = await placeForThisTest();
    const agent = await bare.mcpClient({ surface: 'contract' });
    onTestFinished(() => agent.close());
    expect((await agent.callTool({ name: 'outline_analyzer', arguments: {} })).structuredContent).toMatchObject({
      message: 'There is no outline here',
    });
    await mkdir(join(bare.repo.path, 'notes'));
    await writeFile(join(bare.repo.path, 'notes/my-outline.md'), '# Plan\n\n- Scene 1: Arrival\n  - She lands.\n');
    expect((await agent.callTool({ name: 'outline_analyzer', arguments: {} })).structuredContent).toMatchObject({
      path: 'notes/my-outline.md',
      entries: [{ number: 1, title: 'Arrival', beats: 1, line: 3 }],
    });
  });

  verifies('C3', 'never leave the workspace or show what is not for agents', async () => {
    await mkdir(join(place.repo.path, '.ai/auth'), { recursive: true });
    await writeFile(join(place.repo.path, '.ai/auth/jira.token'), 'secret');
    for (const path of ['/etc/passwd', '../outside.md', '.ai/auth/jira.token'])
      expect([path, (await call('file_reader', { path })).isError]).toEqual([path, true]);
    const { output } = await call('file_locator', { search_criteria: 'token', scan_mode: 'DEEP_SCAN' });
    expect(JSON.stringify(output)).not.toContain('secret');
  });
});
