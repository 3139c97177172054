import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { modelInTranscript } from './transcript.ts';

async function modelIn(...lines: readonly (object | string)[]): Promise<string | null> {
  const dir = mkdtempSync(join(tmpdir(), 'countersign-transcript-'));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  const file = join(dir, 'session.jsonl');
  writeFileSync(file, lines.map((line) => (typeof line === 'string' ? line : `${JSON.stringify(line)}\n`)).join(''));
  return modelInTranscript(file);
}

const said = (model: unknown, text = 'x') => ({ type: 'assistant', message: { role: 'assistant', model, content: text } });

test('the model that was named last is the one', async () => {
  expect(await modelIn(said('one'), { type: 'user', message: { content: 'hi' } }, said('two'), { type: 'summary' })).toBe('two');
});

test('what the client makes up itself is no model', async () => {
  expect(await modelIn(said('real'), said('<synthetic>'), said(7), said(null))).toBe('real');
});

test('a line that is cut, at either end, is passed over', async () => {
  expect(await modelIn(said('whole'), '{"message":{"model":"half')).toBe('whole');
  expect(await modelIn(said('too far back'), said('near', 'y'.repeat(40_000)), { pad: 'z'.repeat(20_000) })).toBe('near');
  expect(await modelIn(said('too far back', 'y'.repeat(70_000)), { pad: 'z' })).toBeNull();
});

test('no transcript, no model', async () => {
  expect(await modelIn()).toBeNull();
  expect(await modelInTranscript('/nowhere/at/all')).toBeNull();
  expect(await modelInTranscript(tmpdir())).toBeNull();
});
