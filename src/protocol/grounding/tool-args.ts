// The nine grounding tools and their arguments. These schemas validate every call; the JSON Schema that a model is given is made from them.

import { z } from 'zod';

const Path = z.string().min(1).max(1024);
const Text = z.string().min(1);
/** Reads no content; its receipt proves nothing. */
const dry_run = z.boolean().optional().describe('Reads no content and proves nothing');

export const SCAN_MODES = ['FAST_SCAN', 'DEEP_SCAN'] as const;
export const PROSE_FOCUS = ['pacing', 'voice', 'rhythm', 'all'] as const;
export const CONSISTENCY_FOCUS = ['characters', 'terminology', 'events', 'general'] as const;
export const ISSUE_STATUS = ['open', 'closed', 'all'] as const;
export const ISSUE_PRIORITY = ['low', 'normal', 'high', 'urgent'] as const;
/** `consistency_checker` compares at most so many files. */
export const CONSISTENCY_FILES_MAX = 10;

/** In the order in which a model sees them. */
export const GROUNDING_ARGS = {
  file_locator: z.strictObject({
    search_criteria: Text.describe('A path, a name or words that the file contains'),
    scan_mode: z.enum(SCAN_MODES).optional().describe('FAST_SCAN looks at names, DEEP_SCAN at the text too'),
    max_results: z.int().min(1).optional(),
    include_globs: z.boolean().optional().describe('search_criteria is a glob'),
    dry_run,
  }),
  file_reader: z.strictObject({
    path: Path,
    start_line: z.int().min(1).optional().describe('The first line is 1'),
    end_line: z.int().min(1).optional(),
    dry_run,
  }),
  outline_analyzer: z.strictObject({
    outline_path: Path.optional(),
    mode: Text.optional().describe('structure, problems or all'),
    dry_run,
  }),
  canon_checker: z.strictObject({
    scene_path: Path,
    canon_paths: z.array(Path),
    mode: Text.optional().describe('strict, or lenient: only what is certain'),
    dry_run,
  }),
  task_router: z.strictObject({ user_request: Text, dry_run }),
  search_issues: z.strictObject({
    tags: z.array(z.string()).optional(),
    assignedTo: z.string().optional(),
    status: z.enum(ISSUE_STATUS).optional(),
    priority: z.enum(ISSUE_PRIORITY).optional(),
    personalTags: z.array(z.string()).optional(),
    personalAgent: z.string().optional(),
    excludePersonalTags: z.array(z.string()).optional(),
    minInterestLevel: z.int().min(1).max(5).optional(),
  }),
  prose_analyzer: z.strictObject({ scene_path: Path, focus: z.enum(PROSE_FOCUS).optional(), dry_run }),
  consistency_checker: z.strictObject({
    file_paths: z.array(Path).min(1).max(CONSISTENCY_FILES_MAX),
    focus: z.enum(CONSISTENCY_FOCUS).optional(),
    dry_run,
  }),
  scene_draft_validator: z.strictObject({
    scene_path: Path,
    outline_path: Path.optional(),
    include_canon: z.boolean().optional(),
    dry_run,
  }),
} as const;

export type GroundingToolId = keyof typeof GROUNDING_ARGS;
export type GroundingArgs<T extends GroundingToolId = GroundingToolId> = z.output<(typeof GROUNDING_ARGS)[T]>;

export const GROUNDING_TOOLS = Object.keys(GROUNDING_ARGS) as readonly GroundingToolId[];

export const isGroundingTool = (id: string): id is GroundingToolId => Object.hasOwn(GROUNDING_ARGS, id);
