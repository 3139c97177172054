// What secrets of common services look like. Each form has a unique prefix, so that a digest, a UUID or
// an identifier is never mistaken for one. Every repetition is over one class of characters: matching is linear.

export interface TokenForm {
  readonly kind: string;
  /** Matches within a run of letters, digits, `_`, `.` and `-`. */
  readonly form: string;
}

export const TOKEN_FORMS: readonly TokenForm[] = [
  { kind: 'aws-key', form: '(?:AKIA|ASIA|ABIA|ACCA)[A-Z2-7]{16}' },
  { kind: 'github-token', form: 'gh[pousr]_[A-Za-z0-9]{30,255}' },
  { kind: 'github-token', form: 'github_pat_[A-Za-z0-9_]{40,255}' },
  { kind: 'gitlab-token', form: 'gl(?:pat|dt|rt|cbt|ptt|ft|soat|imt|agent|oas)-[A-Za-z0-9_-]{20,255}' },
  { kind: 'slack-token', form: 'xox[abeoprs]-[A-Za-z0-9-]{10,255}' },
  { kind: 'slack-token', form: 'xapp-\\d-[A-Z0-9]{6,20}-\\d{6,20}-[a-z0-9]{20,128}' },
  { kind: 'stripe-key', form: '(?:sk|rk)_(?:live|test)_[A-Za-z0-9]{16,255}' },
  { kind: 'webhook-key', form: 'whsec_[A-Za-z0-9]{20,255}' },
  { kind: 'anthropic-key', form: 'sk-ant-[A-Za-z0-9_-]{20,255}' },
  { kind: 'openai-key', form: 'sk-(?:proj|svcacct|admin|or-v1)-[A-Za-z0-9_-]{20,255}' },
  { kind: 'openai-key', form: '(?<![A-Za-z0-9])sk-[A-Za-z0-9]{32,128}' },
  { kind: 'google-key', form: 'AIza[A-Za-z0-9_-]{35}' },
  { kind: 'google-token', form: 'ya29\\.[A-Za-z0-9_-]{20,512}' },
  { kind: 'google-secret', form: 'GOCSPX-[A-Za-z0-9_-]{20,64}' },
  { kind: 'npm-token', form: 'npm_[A-Za-z0-9]{36}' },
  { kind: 'pypi-token', form: 'pypi-AgE[A-Za-z0-9_-]{50,512}' },
  { kind: 'huggingface-token', form: '(?<![A-Za-z0-9])hf_[A-Za-z0-9]{30,64}' },
  { kind: 'sendgrid-key', form: 'SG\\.[A-Za-z0-9_-]{16,64}\\.[A-Za-z0-9_-]{16,128}' },
  { kind: 'twilio-key', form: '(?<![A-Za-z0-9])SK[0-9a-f]{32}(?![A-Za-z0-9])' },
  { kind: 'mailgun-key', form: '(?<![A-Za-z0-9])key-[0-9a-f]{32}(?![A-Za-z0-9])' },
  { kind: 'digitalocean-token', form: 'do[opr]_v1_[0-9a-f]{64}' },
  { kind: 'shopify-token', form: 'shp(?:at|ca|pa|ss)_[0-9a-fA-F]{32}' },
  { kind: 'jwt', form: '(?<![A-Za-z0-9_-])eyJ[A-Za-z0-9_-]{10,4096}\\.eyJ[A-Za-z0-9_-]{10,8192}(?:\\.[A-Za-z0-9_-]{10,1024})?' },
  { kind: 'discord-token', form: '(?<![A-Za-z0-9])[MN][A-Za-z0-9]{23,25}\\.[A-Za-z0-9_-]{6}\\.[A-Za-z0-9_-]{27,38}' },
  { kind: 'vault-token', form: 'hv[sbr]\\.[A-Za-z0-9_-]{24,255}' },
  { kind: 'doppler-token', form: 'dp\\.(?:pt|st|ct|sa|scim|audit)\\.[A-Za-z0-9_.-]{40,128}' },
  { kind: 'linear-key', form: 'lin_(?:api|oauth)_[A-Za-z0-9]{32,64}' },
  { kind: 'notion-token', form: '(?:ntn_[A-Za-z0-9]{40,60}|(?<![A-Za-z0-9])secret_[A-Za-z0-9]{43})' },
  { kind: 'postman-key', form: 'PMAK-[0-9a-f]{24}-[0-9a-f]{34}' },
  { kind: 'databricks-token', form: '(?<![A-Za-z0-9])dapi[0-9a-f]{32}(?![A-Za-z0-9])' },
  { kind: 'figma-token', form: 'fig[dou]_[A-Za-z0-9_-]{36,128}' },
  { kind: 'newrelic-key', form: 'NR(?:AK|JS|AA|II)-[A-Z0-9]{20,40}' },
  { kind: 'grafana-token', form: 'gl(?:sa|c)_[A-Za-z0-9_]{32,255}' },
  { kind: 'atlassian-token', form: 'ATATT3[A-Za-z0-9_-]{40,255}' },
  { kind: 'docker-token', form: 'dckr_(?:pat|oat)_[A-Za-z0-9_-]{24,64}' },
  { kind: 'age-key', form: 'AGE-SECRET-KEY-1[0-9A-Z]{58}' },
  { kind: 'terraform-token', form: '[A-Za-z0-9]{14}\\.atlasv1\\.[A-Za-z0-9_-]{60,70}' },
  { kind: 'square-token', form: 'sq0(?:csp|atp|idp)-[A-Za-z0-9_-]{22,64}' },
  { kind: 'rubygems-key', form: 'rubygems_[0-9a-f]{48}' },
  { kind: 'supabase-key', form: 'sbp_[0-9a-f]{40}' },
  { kind: 'planetscale-token', form: 'pscale_(?:tkn|pw|oauth)_[A-Za-z0-9_.-]{32,64}' },
  { kind: 'groq-key', form: '(?<![A-Za-z0-9])gsk_[A-Za-z0-9]{40,64}' },
];
