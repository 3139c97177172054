import { expect } from 'vitest';
import { verifies } from '../../test/verifies.ts';
import { BrowserRequest, browserRefusal, DEFAULT_CONFIG } from './index.ts';

verifies('G32', 'the contract of browser automation exists, its flag is off, and what needs it is refused with a sentence', () => {
  const request = {
    planNodeId: 'n1',
    allowedHosts: ['localhost'],
    steps: [
      { action: 'navigate', url: 'http://localhost/' },
      { action: 'click', selector: '#go' },
    ],
  };
  expect(BrowserRequest.safeParse(request).success).toBe(true);
  expect(BrowserRequest.safeParse({ ...request, steps: [{ action: 'run_script', code: '1' }] }).success).toBe(false);
  expect(BrowserRequest.safeParse({ ...request, allowedHosts: [] }).success).toBe(false);
  expect(DEFAULT_CONFIG.features.browserAutomation).toBe(false);
  expect(browserRefusal(false, null)).toBe('Browser automation is off here: features.browserAutomation is false.');
  expect(browserRefusal(true, null)).toBe('Browser automation is not available: its contracts exist, and no plugin does.');
});
