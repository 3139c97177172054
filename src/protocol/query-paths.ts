// Where each query is asked. Without schemas: clients need the addresses and must not build schemas for them. A part that begins with a
// colon is a field of the query's input.

/** Those that are not `/api/<name>`. Clients rely on them: none changes. */
const QUERY_PATHS: Readonly<Partial<Record<string, string>>> = {
  vfs_tree: '/api/vfs/tree',
  vfs_file: '/api/vfs/file',
  story_outline: '/api/story/outline',
  canon_index_status: '/api/canon/index/status',
  telemetry_totals: '/api/telemetry/totals',
  telemetry_sessions: '/api/telemetry/sessions',
  telemetry_session: '/api/telemetry/sessions/:id',
  session_receipts: '/api/audit/sessions/:id/receipts',
  session_receipts_file: '/api/audit/sessions/:id/tool-receipts',
};

export const queryPathOf = (name: string): string => QUERY_PATHS[name] ?? `/api/${name}`;
