// What an agent needs inside a sealed run: the hosts of its model, the files in its home that let it talk to them, and the variables that
// it reads. Nothing else of the human's home is copied. All but Cline were tried with the real client and a
// model on this machine; the hosts of their makers' models are from their documentation. Every part can be replaced on the command line.

export interface SealNeeds {
  /** Of its model, and of the renewal of its login. Empty: it depends on the provider, and has to be named. */
  readonly hosts: readonly string[];
  readonly home: readonly { readonly file: string; /** Of a JSON object, these fields alone. */ readonly fields?: readonly string[] }[];
  /** Names in the human's environment; a `*` at the end stands for any rest. */
  readonly passed: readonly string[];
  /** Variables that name another address of the model: it replaces the hosts. */
  readonly address: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

const OPENAI = ['OPENAI_API_KEY', 'OPENAI_BASE_URL', 'OPENAI_MODEL'];

export const SEAL_NEEDS: Readonly<Record<string, SealNeeds>> = {
  claude: {
    hosts: ['api.anthropic.com', 'platform.claude.com'],
    home: [
      { file: '.claude/.credentials.json' },
      { file: '.claude.json', fields: ['oauthAccount', 'userID', 'hasCompletedOnboarding', 'customApiKeyResponses', 'theme'] },
    ],
    passed: ['ANTHROPIC_*', 'CLAUDE_CODE_OAUTH_TOKEN', 'CLAUDE_CODE_MAX_OUTPUT_TOKENS'],
    address: ['ANTHROPIC_BASE_URL'],
    env: { CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1', DISABLE_AUTOUPDATER: '1' },
  },
  codex: {
    hosts: ['api.openai.com', 'chatgpt.com', 'auth.openai.com'],
    home: [{ file: '.codex/auth.json' }],
    passed: [...OPENAI, 'CODEX_API_KEY'],
    address: ['OPENAI_BASE_URL'],
    env: {},
  },
  copilot: {
    hosts: ['api.github.com', '*.githubcopilot.com'],
    home: [{ file: '.copilot/config.json' }],
    passed: ['COPILOT_*', 'GH_TOKEN', 'GITHUB_TOKEN'],
    address: ['COPILOT_PROVIDER_BASE_URL'],
    env: {},
  },
  gemini: {
    hosts: ['generativelanguage.googleapis.com', 'cloudcode-pa.googleapis.com', 'oauth2.googleapis.com'],
    home: [
      { file: '.gemini/oauth_creds.json' },
      { file: '.gemini/google_accounts.json' },
      { file: '.gemini/settings.json', fields: ['security'] },
    ],
    passed: ['GEMINI_API_KEY', 'GOOGLE_API_KEY', 'GOOGLE_GEMINI_BASE_URL', 'GOOGLE_CLOUD_PROJECT'],
    address: ['GOOGLE_GEMINI_BASE_URL'],
    env: {},
  },
  qwen: {
    hosts: ['chat.qwen.ai', 'portal.qwen.ai'],
    home: [{ file: '.qwen/oauth_creds.json' }, { file: '.qwen/settings.json', fields: ['security'] }],
    passed: OPENAI,
    address: ['OPENAI_BASE_URL'],
    env: {},
  },
  opencode: {
    hosts: [],
    home: [
      { file: '.local/share/opencode/auth.json' },
      { file: '.config/opencode/opencode.json', fields: ['provider', 'model', 'small_model', 'enabled_providers', 'disabled_providers'] },
    ],
    passed: [...OPENAI, 'ANTHROPIC_API_KEY'],
    address: [],
    env: {},
  },
  cline: { hosts: [], home: [], passed: [], address: [], env: {} },
};
