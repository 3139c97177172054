// The tools of grounded answers, as a pack for the registry.

import type { ToolPack } from '../../protocol/index.ts';
import { consistencyChecker, proseAnalyzer, searchIssues, taskRouter } from './tools/analysis-tools.ts';
import { fileLocator, fileReader } from './tools/file-tools.ts';
import type { GroundingTool, ProseDeps } from './tools/grounding-tool.ts';
import { canonChecker, outlineAnalyzer, sceneDraftValidator } from './tools/story-tools.ts';

const GROUNDING: readonly GroundingTool[] = [
  ...[fileLocator, fileReader, outlineAnalyzer, canonChecker, taskRouter],
  ...[searchIssues, proseAnalyzer, consistencyChecker, sceneDraftValidator],
];

export const prosePack = (deps: ProseDeps): ToolPack => ({ name: 'prose', tools: GROUNDING.map((tool) => tool(deps)) });
