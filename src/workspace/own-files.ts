// Where the documents and views of a workspace lie, for those who only need to know their names.

export const TRACE_FILE = '.orchestration/agent_trace.jsonl';
export const INTENTS_FILE = '.orchestration/active_intents.yaml';
export const TASKS_FILE = 'tinyTasks.md';
export const TASKS_ARCHIVE_FILE = '.orchestration/tasks_archive.md';
