// A plan in a file, judged by itself and by the files of the work tree: no daemon is asked.

import { type OfflineJudgement, validateOffline } from '../plan/index.ts';
import { gatherFileFacts, locateWorkspace } from '../workspace/index.ts';

export async function checkPlanOffline(submitted: unknown, cwd: string): Promise<OfflineJudgement> {
  const { root } = await locateWorkspace(cwd);
  return validateOffline(submitted, {
    root,
    observe: async (path, access) =>
      (await gatherFileFacts({ root, cwd: root, resources: [{ kind: 'file', path, access }], scope: ['**'] })).facts[0]!,
  });
}
