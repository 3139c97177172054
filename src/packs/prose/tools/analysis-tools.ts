// prose_analyzer, consistency_checker, task_router, search_issues.

import { analyzeProse } from '../analyze-prose.ts';
import { routeTask } from '../cast.ts';
import { crossReference } from '../find-contradictions.ts';
import { canonCards } from '../story/canon-cards.ts';
import { CANON_PATH } from '../story/vfs.ts';
import { readProse } from '../text/prose-text.ts';
import { groundingTool } from './grounding-tool.ts';

export const proseAnalyzer = groundingTool({
  name: 'prose_analyzer',
  description: 'Measures the prose of a scene: sentences, paragraphs, dialogue, rhythm, repeated words, point of view, adverbs.',
  touches: ({ scene_path }) => [scene_path],
  run: async ({ scene_path, focus = 'all' }, { read }) => {
    const { path, lines } = await read(scene_path);
    return { ...analyzeProse(readProse(path, lines), focus) };
  },
});

export const consistencyChecker = groundingTool({
  name: 'consistency_checker',
  description:
    'Cross-references up to 10 files: who and what is named where, and where two places contradict each other, with quotes and lines.',
  touches: ({ file_paths }) => file_paths,
  run: async ({ file_paths, focus = 'general' }, { read, signal }) => {
    const texts = [];
    for (const path of new Set(file_paths)) {
      signal.throwIfAborted();
      const file = await read(path);
      texts.push(...(file.path === CANON_PATH ? canonCards(file) : [readProse(file.path, file.lines)]));
    }
    return { focus, files: [...new Set(texts.map(({ path }) => path))], ...crossReference(texts, focus) };
  },
});

export const taskRouter = groundingTool({
  name: 'task_router',
  description: 'Says which agents a request is for, which tools help, and what form of evidence the answer needs.',
  touches: () => [],
  run: ({ user_request }) => Promise.resolve({ ...routeTask(user_request) }),
});

const ISSUES_MAX = 50;

export const searchIssues = groundingTool({
  name: 'search_issues',
  description: 'Finds issues by tags, status, priority, who they are assigned to, and what an agent noted about them.',
  touches: () => [],
  run: async (filters, { root, deps }) => {
    const found = await deps.issuesOf(root, filters);
    return {
      found: found.length,
      issues: found
        .slice(0, ISSUES_MAX)
        .map(({ id, title, status, priority, tags, assignedTo, marks }) => ({ id, title, status, priority, tags, assignedTo, marks })),
    };
  },
});
