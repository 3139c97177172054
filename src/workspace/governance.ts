// Which files are the gate's own, or decide whether an agent asks the gate at all. No scope covers them. They count at every
// depth: agents that are started in a subfolder read their settings there, and a submodule has its own intents.
//
// Names are compared as the most forgiving file system would: without case, without invisible characters, without dots and
// spaces at a name's end. The only cost is that an odd twin of such a name is refused too.

import { compileGlob } from './glob.ts';

export interface GovernanceRule {
  /** Completes a sentence: "… cannot be changed by an agent: …". */
  readonly why: string;
  /** Globs, taken at every depth; the first name has no wildcard. A folder that only exists to hold such a file is itself listed: moving it moves the file. */
  readonly covers: readonly string[];
  /** What agents may write below it. */
  readonly except?: string;
  /** Secrets are not even shown; everything else may be read. */
  readonly unreadable?: true;
  readonly examples: { readonly refused: readonly string[]; readonly left: readonly string[] };
}

export const GOVERNANCE_RULES: readonly GovernanceRule[] = [
  {
    why: 'git keeps its hooks, settings and history there',
    covers: ['.git', '.git/**', 'git~1', 'git~1/**'],
    examples: {
      refused: [
        '.git',
        '.git/hooks/pre-commit',
        '.git/config',
        'vendor/lib/.git/HEAD',
        '.GIT/config',
        '.git./config',
        '.g\u200cit/config',
        'GIT~1/hooks/x',
      ],
      left: ['.gitignore', '.github/workflows/ci.yml', 'src/.gitkeep', 'git/config', 'src/x.git/y'],
    },
  },
  {
    why: 'it says what humans granted and what agents did',
    covers: ['.orchestration', '.orchestration/**'],
    examples: {
      refused: [
        '.orchestration/active_intents.yaml',
        '.orchestration/agent_trace.jsonl',
        '.orchestration',
        'sub/.orchestration/intent_map.md',
        '.Orchestration/x',
      ],
      left: ['orchestration/plan.md', 'src/orchestration.ts', 'tinyTasks.md'],
    },
  },
  {
    why: 'it holds credentials',
    covers: ['.ai/auth', '.ai/auth/**'],
    unreadable: true,
    examples: { refused: ['.ai/auth/jira.token', '.ai/auth', '.AI/Auth/x'], left: ['src/auth/login.ts', 'auth/x', '.ai/authors.md'] },
  },
  {
    why: "it holds the gate's settings and what humans want remembered",
    covers: [
      ...['.ai', '.ai/config', '.ai/config/**', '.ai/memory', '.ai/memory/**'],
      // Cypher runs with the human's own access to the database.
      ...['.ai/graph', '.ai/graph/seed', '.ai/graph/seed/**', '.ai/graph/cypher', '.ai/graph/cypher/**'],
    ],
    examples: {
      refused: [
        '.ai/config/repo.json',
        '.ai/memory/overrides/a.json',
        '.ai/graph/seed/rows.jsonl',
        '.ai/graph/cypher/derive.cypher',
        '.ai',
        '.ai/CONFIG/base.json',
      ],
      left: ['.ai/graph/out/delta.jsonl', 'ai/config/x', '.ai/configuration.md'],
    },
  },
  {
    why: 'it holds what the gate keeps about work; the scratch folder of a piece of work is for agents',
    covers: ['.ai/tmp', '.ai/tmp/**'],
    except: '.ai/tmp/work/*/scratch/**',
    examples: {
      refused: [
        '.ai/tmp',
        '.ai/tmp/friction-ledger.jsonl',
        '.ai/tmp/work/w1/artifacts/n1/result.json',
        '.ai/tmp/work/w1/scratch',
        '.ai/tmp/work/w1/a/scratch/x',
      ],
      left: ['.ai/tmp/work/w1/scratch/notes.md', '.ai/tmp/work/w1/scratch/a/b.txt', 'tmp/x', '.ai/tmpl/x'],
    },
  },
  {
    why: "it holds the control room's records",
    covers: ['.control-room', '.control-room/**'],
    examples: { refused: ['.control-room/audit/a.jsonl', '.control-room'], left: ['control-room/page.tsx', '.control-room.md'] },
  },
  {
    why: 'it says which servers and tools agents are given',
    covers: ['.mcp.json'],
    examples: { refused: ['.mcp.json', 'packages/web/.mcp.json', '.MCP.json'], left: ['mcp.json', 'src/.mcp.json.md', 'docs/mcp.md'] },
  },
  {
    why: 'it holds editor settings that can start programs and switch hooks off',
    covers: ['.vscode', '.vscode/**'],
    examples: { refused: ['.vscode/settings.json', '.vscode/tasks.json', '.vscode'], left: ['vscode/extension.ts', '.vscodeignore'] },
  },
  {
    why: "it holds Claude Code's hooks, and commands and skills that run programs without asking them",
    covers: ['.claude', '.claude/**'],
    examples: {
      refused: [
        '.claude/settings.json',
        '.claude/settings.local.json',
        '.claude/hooks/gate.sh',
        '.claude/skills/deploy/SKILL.md',
        '.claude/commands/review.md',
        '.claude',
        '.claude/Settings.json',
        '.claude/\u017fettings.json',
      ],
      left: ['CLAUDE.md', 'claude/settings.json', 'docs/.claude.md'],
    },
  },
  {
    why: "it holds Copilot's hook settings",
    covers: ['.github', '.github/hooks', '.github/hooks/**'],
    examples: {
      refused: ['.github/hooks/gate.json', '.github/hooks', '.github'],
      left: ['.github/workflows/ci.yml', '.github/copilot-instructions.md', 'src/hooks/use-login.ts'],
    },
  },
  {
    why: "it holds Cursor's hook settings",
    covers: ['.cursor', '.cursor/**'],
    examples: { refused: ['.cursor/hooks.json', '.cursor/mcp.json', '.cursor'], left: ['.cursorrules', 'src/cursor/hooks.json'] },
  },
  {
    why: "it holds Codex's hook settings",
    covers: ['.codex', '.codex/**'],
    examples: { refused: ['.codex/hooks.json', '.codex/config.toml'], left: ['codex/hooks.json', 'AGENTS.md'] },
  },
  {
    why: "it holds Gemini CLI's hook settings",
    covers: ['.gemini', '.gemini/settings.json'],
    examples: { refused: ['.gemini/settings.json', '.gemini'], left: ['.gemini/GEMINI.md', 'GEMINI.md', 'gemini/settings.json'] },
  },
  {
    why: "it holds opencode's plugins and settings",
    covers: [
      '.opencode',
      '.opencode/{plugin,plugins}',
      '.opencode/{plugin,plugins}/**',
      '.opencode/opencode.{json,jsonc}',
      'opencode.json',
      'opencode.jsonc',
    ],
    examples: {
      refused: ['.opencode/plugins/gate.ts', '.opencode/plugin/gate.ts', 'opencode.json', 'opencode.jsonc', '.opencode'],
      left: ['.opencode/commands/x.md', 'opencode.json.md', 'src/plugins/a.ts'],
    },
  },
  {
    why: "it holds Qwen Code's hook settings",
    covers: ['.qwen', '.qwen/settings.json'],
    examples: { refused: ['.qwen/settings.json', '.qwen'], left: ['.qwen/QWEN.md', 'qwen/settings.json'] },
  },
  {
    why: "it holds Cline's hooks",
    covers: ['.cline', '.cline/hooks', '.cline/hooks/**', '.clinerules/hooks', '.clinerules/hooks/**'],
    examples: {
      refused: ['.cline/hooks/PreToolUse.sh', '.clinerules/hooks/PreToolUse', '.cline'],
      left: ['.clinerules/style.md', 'cline/hooks/x'],
    },
  },
];

const matchers = GOVERNANCE_RULES.map((rule) => ({
  rule,
  globs: rule.covers.map((glob) => compileGlob(`**/${glob}`)),
  isLeft: rule.except === undefined ? () => false : compileGlob(`**/${rule.except}`),
}));

/** Very few paths contain one of these names; all others are done here. */
const firstNames = new Set(GOVERNANCE_RULES.flatMap((rule) => rule.covers.map((glob) => glob.split('/')[0] ?? '')));

/** Why an agent may not access the file this way, whatever its scope; null when no rule applies. */
export function governanceRule(realPath: string, access: 'read' | 'write' | 'delete' = 'write'): string | null {
  const name = forgivingName(realPath);
  if (!name.split('/').some((each) => firstNames.has(each))) return null;
  const found = matchers.find(
    ({ rule, globs, isLeft }) => (access !== 'read' || rule.unreadable) && globs.some((covers) => covers(name)) && !isLeft(name),
  );
  return found?.rule.why ?? null;
}

/** Only letters, digits and inner dots: nothing but case has to be normalised. */
const PLAIN = /^(?:[\w/-]|\.(?![./]|$))*$/;

// `ſ` and the Kelvin sign become plain letters only on the way through capitals.
const forgivingName = (path: string): string => (PLAIN.test(path) ? path.toLowerCase() : forgivenName(path));

const forgivenName = (path: string): string =>
  path
    .replace(/\p{Default_Ignorable_Code_Point}/gu, '')
    .toUpperCase()
    .toLowerCase()
    .split('/')
    .map((name) => name.replace(/(?<=[^. ])[. ]+$/, ''))
    .join('/');
