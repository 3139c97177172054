// Questions to an agent, for people: what it does while it works, then the answer with the passage that proves it. A reply whose evidence does not
// hold is never printed.

import { createInterface } from 'node:readline';
import type { ChatAnswer, ChatProgress, CommandInput } from '../protocol/index.ts';
import { Fault, visible } from '../protocol/plain.ts';
import type { CommandContext } from './command-context.ts';
import { linesOf } from './lines-of.ts';
import { block, counted, cut, paint } from './terminal-text.ts';

export interface AskOptions {
  readonly agent?: string;
  readonly endpoint?: string;
  readonly tool?: readonly string[];
  readonly requireTool?: boolean;
}

/** False: there is no answer to show. */
export async function ask(context: CommandContext, question: string, options: AskOptions): Promise<boolean> {
  const answer = await turn(context, question, options, undefined, context.signal);
  context.print(context.json ? JSON.stringify(answer, null, 2) : answerText(answer));
  return isAnswer(answer);
}

/** Line by line until the end of the input, one conversation. */
export async function chat(context: CommandContext, input: NodeJS.ReadStream, options: AskOptions): Promise<void> {
  let sessionId: string | undefined;
  const asked = async (question: string, signal: AbortSignal) => {
    const answer = await turn(context, question, options, sessionId, signal);
    sessionId = answer.sessionId;
    context.print(context.json ? JSON.stringify(answer) : answerText(answer));
  };
  if (input.isTTY && process.stderr.isTTY) await talk(context, input, asked);
  else for await (const line of linesOf(input)) if (line.trim() !== '') await asked(line.trim(), context.signal);
  if (sessionId !== undefined) context.say(`The record of this conversation: countersign show ${sessionId}`);
}

/** With a person: what goes wrong with one question does not end the conversation. Ctrl-C cancels the question, or ends it where none is asked. */
async function talk(
  context: CommandContext,
  input: NodeJS.ReadStream,
  asked: (question: string, signal: AbortSignal) => Promise<void>,
): Promise<void> {
  context.say('Ask, one question a line. Ctrl-C cancels a question; an empty line or Ctrl-D ends the conversation.');
  const reader = createInterface({ input, output: process.stderr, prompt: paint('bold', 'you › ') });
  let running: AbortController | null = null;
  // What follows begins a line of its own.
  const leave = () => void process.stderr.write('\n');
  reader.once('close', leave);
  reader.on('SIGINT', () => (running ? running.abort() : reader.close()));
  reader.prompt();
  for await (const line of reader) {
    const question = line.trim();
    if (question === '') {
      reader.off('close', leave);
      break;
    }
    const current = new AbortController();
    running = current;
    try {
      await asked(question, current.signal);
    } catch (error) {
      const { message, fix } = error as Error & { readonly fix?: string | null };
      if (current.signal.aborted) context.say(paint('yellow', '  cancelled'));
      else context.say([paint('red', `  ${visible(message)}`), ...(fix ? [`  ${visible(fix)}`] : [])].join('\n'));
    } finally {
      running = null;
    }
    reader.prompt();
  }
  reader.close();
}

async function turn(
  context: CommandContext,
  message: string,
  options: AskOptions,
  sessionId: string | undefined,
  signal: AbortSignal,
): Promise<ChatAnswer> {
  const { agent, endpoint, tool = [], requireTool = false } = options;
  if (message.trim() === '')
    throw new Fault('BAD_REQUEST', 'There is no question.', { fix: 'countersign ask "What colour are her eyes?"' });
  const request: CommandInput<'chat'> = {
    ...{ cwd: context.cwd, message },
    ...(agent === undefined ? {} : { agentId: agent }),
    ...(endpoint === undefined ? {} : { endpointId: endpoint }),
    ...(sessionId === undefined ? {} : { sessionId }),
    toolPolicy: { ...(tool.length > 0 ? { allowedTools: [...tool] } : {}), ...(requireTool ? { requireTool } : {}) },
  };
  const shown = new Progress(context);
  try {
    return await context.client.act('chat', request, {
      follow: { signal, onProgress: (progress) => shown.tell(progress) },
    });
  } finally {
    shown.end();
  }
}

/** On standard error: a pipe gets the answer alone. */
class Progress {
  readonly #context: CommandContext;
  #isCounting = false;

  constructor(context: CommandContext) {
    this.#context = context;
  }

  tell(progress: ChatProgress): void {
    if (this.#context.json) return;
    if (progress.kind === 'writing') return this.#count(progress.characters);
    this.end();
    const words = wordsOf(progress);
    if (words !== null) this.#context.say(paint('dim', words));
  }

  /** The text itself is not shown before it is checked. */
  #count(characters: number): void {
    if (!process.stderr.isTTY) return;
    process.stderr.write(`\r  … ${characters} characters, not checked yet`);
    this.#isCounting = true;
  }

  end(): void {
    if (this.#isCounting) process.stderr.write('\r\u001b[K');
    this.#isCounting = false;
  }
}

function wordsOf(progress: ChatProgress): string | null {
  switch (progress.kind) {
    case 'waiting':
      return '  waiting for another turn in this workspace';
    case 'model':
      return progress.purpose === 'first' ? '  asking the model' : null;
    case 'tool':
      return `  ${progress.tool} ${cut(visible(JSON.stringify(progress.args)), 100)}`;
    case 'tool_done': {
      const { status, shown, bytes, receipt_id } = progress.step;
      const size = shown < bytes ? `${shown} of ${bytes} bytes` : `${bytes} bytes`;
      return `    ${status}, ${size}${receipt_id === null ? '' : `, receipt ${receipt_id}`}`;
    }
    case 'checking':
      return '  checking the evidence';
    case 'repairing':
      return '  the evidence does not hold; the agent gets one more attempt';
    default:
      return null;
  }
}

const isAnswer = ({ status }: ChatAnswer): boolean => status === 'answered' || status === 'access' || status === 'abstained';

const placeText = ({ path, start_line, end_line }: { path: string; start_line: number; end_line: number }): string =>
  `${visible(path)}:${start_line}${start_line === end_line ? '' : `-${end_line}`}`;

function answerText(answer: ChatAnswer): string {
  const { status, text, evidence, detail, steps, agentId, model } = answer;
  const who = paint('bold', `${visible(agentId)} (${visible(model)})`);
  const receipts = [...new Set([...(evidence?.receipts ?? []), ...steps.flatMap(({ receipt_id }) => receipt_id ?? [])])];
  const proof = [
    ...(evidence?.citations ?? []).map(
      ({ source, ...cited }) =>
        `  ${paint('green', '✓ verified')}  ${placeText(cited)}${source ? paint('dim', ` (${placeText(source)})`) : ''}`,
    ),
    ...(evidence?.unchecked_quotes ?? []).map(
      (quote) => `  ${paint('yellow', '! not checked')}  "${visible(cut(quote, 80))}" is in no file that the evidence names`,
    ),
    ...receipts.map((id) => `  ${paint('dim', 'receipt')}     ${id}`),
  ];
  switch (status) {
    case 'answered':
      return [who, ...block(text), ...proof].join('\n');
    case 'access':
      return [who, ...block(text), `  ${paint('yellow', 'It claims nothing: it asks for access to a file.')}`, ...proof].join('\n');
    case 'abstained':
      return `${who} has nothing to add.`;
    case 'stopped':
      return [
        `${paint('yellow', '⚠')} ${who}: ${visible(text)}`,
        ...(detail === null ? [] : [`  ${visible(detail)}`]),
        steps.length === 0 ? '  Nothing was executed.' : '  This call was not executed.',
      ].join('\n');
    default: {
      const attempts = counted(answer.refusedAttempts.length, 'attempt');
      return [`${paint('red', '■')} ${who}: no answer after ${attempts}.`, ...block(text), ...proof].join('\n');
    }
  }
}
