// Cline's tools in the registry's words. Tools not named here are unknown: the gate asks a human about them. The client is lenient
// with what its model sends (a list, a single item, other names for a field); what it takes is read here in the same forms.

import { z } from 'zod';
import type { TranslatedCall } from '../adapter.ts';
import { call, type Dialect, edit, type Input, lines, OWN_SERVER, ownByPrefix, text, translateBy, withinAgent } from '../dialect.ts';

const OWN_PREFIX = `${OWN_SERVER}__`;

/** Our tool's name as this agent knows it. */
export const ownToolName = (tool: string): string => `${OWN_PREFIX}${tool}`;

/** Team tools pass words between agents of this client; what those agents do is judged call by call. */
const WITHIN_AGENT = [
  'ask_question',
  'skills',
  'submit_and_exit',
  'spawn_agent',
  'team_spawn_teammate',
  'team_shutdown_teammate',
  'team_status',
  'team_task',
  'team_run_task',
  'team_cancel_run',
  'team_list_runs',
  'team_await_runs',
  'team_send_message',
  'team_broadcast',
  'team_read_mailbox',
  'team_mission_log',
  'team_cleanup',
  'team_create_outcome',
  'team_attach_outcome_fragment',
  'team_review_outcome_fragment',
  'team_finalize_outcome',
  'team_list_outcomes',
];

const Fields = z.record(z.string(), z.unknown());
const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : [value]);
const fieldOf = (value: unknown, names: readonly string[]): unknown => {
  const fields = Fields.parse(value);
  const present = names.filter((name) => Object.hasOwn(fields, name));
  // Two names for one value: it is unknown which of them the client uses.
  if (present.length !== 1) throw new Error(`none or several of ${names.join(', ')}`);
  return fields[present[0]!];
};

const pathOf = (item: unknown): string => (typeof item === 'string' ? item : text(fieldOf(item, ['path', 'file_path', 'filePath'])));

function readFiles(input: Input): TranslatedCall {
  const named = fieldOf(input, ['files', 'file_paths', 'paths', 'path', 'file_path', 'filePath']);
  const paths = listOf(named).map(pathOf);
  if (paths.length !== 1) return call('read_files', { paths });
  const { start_line, end_line } = Fields.parse(Array.isArray(named) && typeof named[0] !== 'string' ? named[0] : input);
  return call('read_file', { path: paths[0], ...lines(start_line, { last: end_line }) });
}

const Program = z.strictObject({ command: z.string().min(1), args: z.array(z.string()).optional() });

/** As one text for a shell. A program with its arguments is started without a shell: each word is literal. */
function commandText(item: unknown): string {
  if (typeof item === 'string') return item;
  const { command, args = [] } = Program.parse(item);
  return [command, ...args].map(quoted).join(' ');
}

const quoted = (word: string): string => `'${word.replaceAll("'", `'\\''`)}'`;
/** Nothing in it that could reach into the next line when commands are put one below the other. */
const IS_PLAIN = /^[\w\s./:=,@%+|&;>*?~-]+$/;

/** Each as one text for a shell. */
export function commandsIn(input: Input): string[] {
  const named = Object.hasOwn(input, 'args') ? input : fieldOf(input, ['commands', 'command', 'cmd']);
  return listOf(named).map(commandText);
}

/** Several commands run beside each other, each in a shell of its own: none may be read as a part of another. */
function runCommands(input: Input): TranslatedCall {
  const commands = commandsIn(input);
  if (commands.length === 0) throw new Error('no command');
  const isSimple = commands.length === 1 || commands.every((command) => IS_PLAIN.test(command));
  return call('run_command', { command: commands.map((command) => (isSimple ? command : `bash -c ${quoted(command)}`)).join('\n') });
}

/** Without an old text: the file is made, or a text is put in at a line, which leaves the rest as it is. */
function editor({ path, old_text, new_text, insert_line }: Input): TranslatedCall {
  const isReplacing = old_text !== undefined && old_text !== null && old_text !== '' && (insert_line === undefined || insert_line === null);
  return isReplacing
    ? call('edit_file', { path: text(path), edits: [edit(old_text, new_text)] })
    : call('write_file', { path: text(path), content: text(new_text) });
}

const Requests = z.array(z.looseObject({ url: z.string() }));

const dialect: Dialect = {
  read_files: readFiles,
  search_codebase: ({ queries }) => call('search_files', { pattern: listOf(queries).map(text).join('|') }),
  run_commands: runCommands,
  fetch_web_content: ({ requests }) =>
    call('fetch_url', {
      url: Requests.parse(requests)
        .map(({ url }) => url)
        .join(' '),
    }),
  editor,
  apply_patch: ({ input }) => call('apply_patch', { patch: text(input) }),
  ...withinAgent(WITHIN_AGENT),
};

export const translate = (tool: string, input: Input) => translateBy(dialect, ownByPrefix(OWN_PREFIX), tool, input);

/** Read-only tools: the hook client lets them pass when no daemon is reachable. */
export const READ_TOOLS = ['read_files', 'search_codebase', ...WITHIN_AGENT];
