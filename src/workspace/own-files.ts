// The paths of a workspace's documents and views, for code that only needs their names.

export const TRACE_FILE = '.orchestration/agent_trace.jsonl';
export const INTENTS_FILE = '.orchestration/active_intents.yaml';
export const TASKS_FILE = 'tinyTasks.md';
export const TASKS_ARCHIVE_FILE = '.orchestration/tasks_archive.md';
