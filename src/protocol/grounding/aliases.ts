// Names that models use for a tool or an argument although it has another one.
// INVARIANT: an alias means the same as what it stands for. A name that could mean something else is unknown, and is rejected.

import { GROUNDING_ARGS, type GroundingToolId, isGroundingTool } from './tool-args.ts';

const TOOL_ALIASES: Readonly<Record<string, GroundingToolId>> = {
  file_viewer: 'file_reader',
  read_file: 'file_reader',
  view_file: 'file_reader',
  find_file: 'file_locator',
  find_files: 'file_locator',
  file_finder: 'file_locator',
  locate_file: 'file_locator',
  locate_files: 'file_locator',
  analyze_outline: 'outline_analyzer',
  check_canon: 'canon_checker',
  route_task: 'task_router',
  issue_search: 'search_issues',
  analyze_prose: 'prose_analyzer',
  check_consistency: 'consistency_checker',
  validate_scene_draft: 'scene_draft_validator',
};

/** By squashed spelling. Values are never changed: a string does not become a list. */
const ARGUMENT_ALIASES: { readonly [T in GroundingToolId]: Readonly<Record<string, keyof (typeof GROUNDING_ARGS)[T]['shape'] & string>> } =
  {
    file_locator: { query: 'search_criteria', search: 'search_criteria', criteria: 'search_criteria', limit: 'max_results' },
    file_reader: {
      filepath: 'path',
      file: 'path',
      filename: 'path',
      start: 'start_line',
      linestart: 'start_line',
      fromline: 'start_line',
      end: 'end_line',
      lineend: 'end_line',
      toline: 'end_line',
    },
    outline_analyzer: { path: 'outline_path', filepath: 'outline_path', outline: 'outline_path' },
    canon_checker: { scene: 'scene_path', canonfiles: 'canon_paths' },
    task_router: { request: 'user_request', task: 'user_request' },
    search_issues: {},
    prose_analyzer: { path: 'scene_path', filepath: 'scene_path', scene: 'scene_path' },
    consistency_checker: { files: 'file_paths', paths: 'file_paths' },
    scene_draft_validator: { path: 'scene_path', filepath: 'scene_path', scene: 'scene_path', outline: 'outline_path' },
  };

/** The registered id that a model's name for a tool means; null: unknown. */
export function toolIdOf(name: string): GroundingToolId | null {
  const spelled = name.replaceAll('-', '_');
  if (isGroundingTool(spelled)) return spelled;
  return Object.hasOwn(TOOL_ALIASES, spelled) ? TOOL_ALIASES[spelled]! : null;
}

/** Separators and case are where models drift: `Scene Path`, `scene-path` and `scenePath` are the same key. */
const squash = (key: string): string =>
  key
    .trim()
    .toLowerCase()
    .replace(/[\s_.-]+/g, '');

const KEYS = Object.fromEntries(
  Object.entries(GROUNDING_ARGS).map(([tool, { shape }]) => [
    tool,
    new Map([
      ...Object.entries(ARGUMENT_ALIASES[tool as GroundingToolId]),
      ...Object.keys(shape).map((key): [string, string] => [squash(key), key]),
    ]),
  ]),
) as unknown as Readonly<Record<GroundingToolId, ReadonlyMap<string, string>>>;

export type RenamedArgs = { readonly args: Record<string, unknown> } | { readonly problem: string };

/** The arguments under the names of the schema. Two keys that mean the same are a problem, and so is one that means nothing. */
export function renameArgs(tool: GroundingToolId, given: Readonly<Record<string, unknown>>): RenamedArgs {
  const args: Record<string, unknown> = {};
  const from = new Map<string, string>();
  for (const [key, value] of Object.entries(given)) {
    const name = KEYS[tool].get(squash(key));
    if (name === undefined)
      return { problem: `${tool} has no argument ${JSON.stringify(key)}. It has: ${[...new Set(KEYS[tool].values())].join(', ')}` };
    const other = from.get(name);
    if (other !== undefined) return { problem: `${JSON.stringify(other)} and ${JSON.stringify(key)} are both the argument ${name}` };
    from.set(name, key);
    args[name] = value;
  }
  return { args };
}
