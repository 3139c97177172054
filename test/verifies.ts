// `verifies(id, behaviour, body)` is a test that cites the requirement it shows. The coverage test reads these calls out of the
// sources, so the id is a literal on the same line.

import { test } from 'vitest';
import type { RequirementId } from './requirements.ts';

export function verifies(id: RequirementId, behaviour: string, body: () => void | Promise<void>, timeout?: number): void {
  test(`[${id}] ${behaviour}`, body, timeout);
}
