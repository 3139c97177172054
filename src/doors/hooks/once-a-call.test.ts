// What one hooked call may cost: its place is resolved once, the settings are read once, and its record is redacted once.

import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { startTestDaemon, type TestDaemon } from '../../../test/lab/daemon.ts';

let daemon: TestDaemon;
beforeAll(async () => {
  daemon = await startTestDaemon();
  await daemon.beginWork('**');
  // The intents file is written after the intent was granted; the first look at it is on the record.
  await vi.waitUntil(() => existsSync(join(daemon.repo.path, '.orchestration/active_intents.yaml')));
  await daemon.hook('UserPromptSubmit', { prompt: 'go' });
});
afterAll(() => daemon.dispose());

test('an edit and its outcome each resolve the place once, read the settings once and redact what is recorded once', async () => {
  const services = daemon.services();
  const { kernel } = services;
  const file_path = join(daemon.repo.path, 'src/auth/login.ts');
  const edit = { tool_name: 'Edit', tool_use_id: 'toolu_1', tool_input: { file_path, old_string: 'null', new_string: 'undefined' } };

  const locate = vi.spyOn(services, 'locate');
  const settings = vi.spyOn(kernel['ports'].workspace, 'settings');
  const value = vi.spyOn(kernel.redactor, 'value');
  const text = vi.spyOn(kernel.redactor, 'text');
  const counted = () => {
    const counts = {
      places: locate.mock.calls.length,
      settings: settings.mock.calls.length,
      walks: value.mock.calls.length,
      // Names and words that are too short for a secret are most of a record.
      few: text.mock.calls.length < 40,
    };
    vi.clearAllMocks();
    return counts;
  };

  expect(await daemon.hook('PreToolUse', edit)).toEqual({});
  // Input, resources and facts before they are judged, and the record with what was added to them.
  expect(counted()).toEqual({ places: 1, settings: 1, walks: 4, few: true });
  await writeFile(file_path, 'changed\n');
  expect(await daemon.hook('PostToolUse', { ...edit, tool_response: { filePath: file_path } })).toEqual({});
  // The output before it is cut, and the record.
  expect(counted()).toEqual({ places: 1, settings: 1, walks: 2, few: true });
});
