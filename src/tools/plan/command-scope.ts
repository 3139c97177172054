// What a command of the gate may change: the files of nodes that may go, where the session works by a plan; otherwise the scope of its intent.

import { escapeGlob, type RunContext } from '../../protocol/index.ts';

export function commandScope({ session, intents, work }: Pick<RunContext, 'session' | 'intents' | 'work'>): readonly string[] {
  const current = work();
  if (!current?.plan || current.ended !== null) return intents.find(({ id }) => id === session.intent)?.owned_scope ?? [];
  const held = new Set(current.plan.nodes.filter(({ status }) => status === 'blocked').map(({ nodeId }) => nodeId));
  return current.plan.graph.nodes.flatMap((node) =>
    node.kind === 'change' && !held.has(node.nodeId)
      ? [node.targetFile, ...(node.renameTo === null ? [] : [node.renameTo])].map(escapeGlob)
      : [],
  );
}
