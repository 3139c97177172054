// Where each command is sent. Without schemas: clients need the addresses and must not build schemas for them. A part that begins with a
// colon is a field of the command's input.

import type { COMMANDS } from './index.ts';

export type CommandName = keyof typeof COMMANDS;

/** Those that are not `/api/<name>`. Clients rely on them: none changes. */
const PATHS: Readonly<Partial<Record<string, string>>> = {
  answer_approval: '/api/approvals/:id/answer',
  make_grant: '/api/approvals/:id/grant',
  end_grant: '/api/grants/:id/end',
  decide_command_rule: '/api/command_rules/:id/decide',
  declare_intent: '/api/intents',
  set_intent_status: '/api/intents/:id/status',
  settle_intent_edit: '/api/intents/:id/edit',
  confirm_settings: '/api/settings/confirm',
  set_setting: '/api/settings/set',
  limit_mode: '/api/modes',
  set_observing: '/api/observing',
  confirm_tasks: '/api/tasks/confirm',
  end_pause: '/api/pause/end',
  acknowledge: '/api/acknowledgements',
  enroll_approver: '/api/approvers',
  remove_approver: '/api/approvers/:id/remove',
  add_memory: '/api/memory',
  approve_memory: '/api/memory/:id/approve',
  retire_memory: '/api/memory/:id/retire',
  import_memory: '/api/memory/import',
  export_memory: '/api/memory/export',
  import_drafts: '/api/import',
  start_run: '/api/runs/start',
  enter_run: '/api/runs/:id/enter',
  end_run: '/api/runs/:id/end',
  merge_run: '/api/runs/:id/merge',
  discard_run: '/api/runs/:id/discard',
  list_ports: '/api/ports/list',
  open_port: '/api/ports/open',
  close_port: '/api/ports/close',
  sync_graph: '/api/graph/sync',
  export_graph: '/api/graph/export',
  issue_login_code: '/api/login-codes',
  allow_init: '/api/permissions',
  chat: '/api/ai/chat',
  index_canon: '/api/canon/index',
  add_endpoint: '/api/endpoints',
  confirm_endpoint: '/api/endpoints/:id/confirm',
  remove_endpoint: '/api/endpoints/:id/remove',
  test_endpoint: '/api/endpoints/:id/test',
  save_agent: '/api/agents',
  open_issue: '/api/issues',
  change_issue: '/api/issues/:id',
  mark_issue: '/api/issues/:id/marks',
  link_issue: '/api/audit/sessions/:id/link-issue',
  report_telemetry: '/api/telemetry/conference',
  read_notifications: '/api/notifications/read',
};

export const pathOf = (name: string): string => PATHS[name] ?? `/api/${name}`;

/** The fields of an address, such as `id` in `/api/grants/:id/end`. */
export const fieldsInPath = (path: string): string[] => [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => name);
