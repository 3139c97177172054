// The client itself, over whatever transport it is given.

import type {
  ChatProgress,
  CommandInput,
  CommandOutput,
  KnownFor,
  QueryInput,
  QueryName,
  QueryOutput,
  SignedCommand,
} from '../protocol/index.ts';
import { type CommandName, commandStatements, Fault, fieldsInPath, pathOf, queryPathOf, type Statement } from '../protocol/plain.ts';
import { eventPieces } from './event-pieces.ts';
import { EventReader, followAgain, type Follower, type LineEnd, streamPath, type StreamListener } from './event-stream.ts';
import { bodyOf } from './refused.ts';
import type { Signer } from './signer.ts';
import type { Answer, Transport } from './transport.ts';

/** Who signs, and what the statement needs besides the input. */
type Signing<N extends CommandName> = N extends SignedCommand
  ? undefined extends KnownFor<N>
    ? { readonly signer: Signer; readonly known?: KnownFor<N> }
    : { readonly signer: Signer; readonly known: KnownFor<N> }
  : never;

export interface ActOptions<N extends CommandName> {
  readonly withinMs?: number;
  /** Null: nothing is signed. */
  readonly sign?: Signing<N> | null;
  /** Follows a command that takes long: it hears of its progress, and the signal cancels it. */
  readonly follow?: { readonly onProgress: (progress: ChatProgress) => void; readonly signal: AbortSignal };
}

export interface Client {
  readonly ask: <N extends QueryName>(name: N, input: QueryInput<N>, signal?: AbortSignal) => Promise<QueryOutput<N>>;
  /** Throws a `Refused` when it was not done, or was done only as a proposal. */
  readonly act: <N extends CommandName>(name: N, input: CommandInput<N>, options?: ActOptions<N>) => Promise<CommandOutput<N>>;
  /** One line: until the daemon or the signal ends it. */
  readonly follow: (follower: Follower, signal: AbortSignal) => Promise<LineEnd>;
  /** Line after line, each from the last event of the one before. */
  readonly followAgain: (listener: StreamListener, signal: AbortSignal, retryMs?: number) => Promise<LineEnd>;
  readonly isAlive: () => Promise<boolean>;
}

export interface ClientOptions {
  /** What the daemon says may quote what an agent wrote: this makes it safe to display. */
  readonly shown?: (text: string) => string;
}

export function createClient(transport: Transport, { shown = (text) => text }: ClientOptions = {}): Client {
  const taken = (answer: Answer): unknown => bodyOf(answer, shown);

  const follow: Client['follow'] = async (follower, signal) => {
    const reader = new EventReader(follower);
    taken(await transport.stream(streamPath(follower.after ?? null), (text) => reader.push(text), signal));
    return reader.end;
  };

  return {
    isAlive: () =>
      transport.get('/health').then(
        ({ status }) => status === 200,
        () => false,
      ),
    ask: async (name, input, signal) => {
      const { address, rest } = addressed(queryPathOf(name), input);
      const query = new URLSearchParams(
        Object.entries(rest).flatMap(([key, value]) => (value === undefined ? [] : [[key, textOf(value)]])),
      );
      return taken(await transport.get(`${address}${query.size > 0 ? `?${query}` : ''}`, signal)) as never;
    },
    act: async (name, input, { withinMs, sign, follow: following } = {}) => {
      const { address, rest: body } = addressed(pathOf(name), input);
      const content = (challenge: string | null): object => {
        if (!sign || challenge === null) return body;
        const { signer, known } = sign as { signer: Signer; known?: unknown };
        return { ...body, signed: signer.sign(statementOf(name as SignedCommand, input, known), challenge) };
      };
      if (!following || !transport.postAndFollow) return taken(await transport.post(address, content, withinMs)) as never;
      let last: Answer | null = null;
      const push = eventPieces((fields) => {
        const data = JSON.parse(fields.get('data') ?? 'null') as unknown;
        if (fields.get('event') === 'progress') following.onProgress(data as ChatProgress);
        if (fields.get('event') === 'answer') last = data as Answer;
      });
      const direct = await transport.postAndFollow(address, content, push, following.signal);
      // A refusal before it began is an answer without a stream.
      if (direct.body !== null) return taken(direct) as never;
      following.signal.throwIfAborted();
      if (!last)
        throw new Fault('DAEMON_UNAVAILABLE', 'The daemon ended before it answered.', { fix: 'countersign start, then ask again' });
      return taken(last) as never;
    },
    follow,
    followAgain: (listener, signal, retryMs) => followAgain(follow, listener, signal, retryMs),
  };
}

/** A list with commas between its parts. */
const textOf = (value: unknown): string =>
  typeof value === 'string' ? value : Array.isArray(value) ? value.join(',') : JSON.stringify(value);

/** Fields that the path names go into the address; the rest is sent beside it. */
function addressed(path: string, input: object): { address: string; rest: Record<string, unknown> } {
  const given = Object.entries(input as Record<string, unknown>);
  const fields = new Set(fieldsInPath(path));
  return {
    address: path.replaceAll(/:(\w+)/g, (_, field: string) => encodeURIComponent(textOf(input[field as keyof typeof input]))),
    rest: Object.fromEntries(given.filter(([field]) => !fields.has(field))),
  };
}

function statementOf(name: SignedCommand, input: unknown, known: unknown): Statement {
  const make = commandStatements[name] as (input: unknown, known: unknown) => Statement;
  return make(input, known);
}
