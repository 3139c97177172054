// Variables that agents set for the commands that they run, and for nothing else.

export const ENVIRONMENT_MARKS: readonly string[] = ['CLAUDECODE', 'CODEX_SANDBOX', 'CURSOR_AGENT', 'GEMINI_CLI', 'OPENCODE', 'QWEN_CODE'];
