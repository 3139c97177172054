import { expect } from 'vitest';
import { verifies } from '../../../test/verifies.ts';
import { waitingCall } from '../../agents/index.ts';
import { refused } from './results.ts';

const refusal = {
  ...{ error_code: 'APPROVAL_REQUIRED', message: 'This waits for a human.', recoverable: true, required_action: 'Wait' },
  ...{ remedy: null, also_missing: [], approval_id: 'apr_01M7MR9KKWNG125SXJ9RFP4EE3' },
};

verifies('N21', 'a refusal that a human can answer begins with how: the command and the address', () => {
  const page = 'http://127.0.0.1:8722/ui/';
  const waiting = waitingCall(refusal, 'run_command', { command: 'rm -rf src/old' }, page);
  const { content, structuredContent } = refused(refusal, null, waiting);
  expect(content).toEqual([
    { type: 'text', text: `A human answers this: countersign approve FP4EE3 or ${page} for rm -rf src/old` },
    { type: 'text', text: JSON.stringify(structuredContent) },
  ]);
  const other = { ...refusal, error_code: 'SCOPE_VIOLATION' };
  expect(refused(other, null, waitingCall(other, 'run_command', {}, page)).content.length).toBe(1);
});
