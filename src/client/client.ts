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
import {
  ADDRESSES,
  type CommandName,
  commandStatements,
  Fault,
  fieldsInPath,
  pathOf,
  queryPathOf,
  type Statement,
} from '../protocol/plain.ts';
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
  // The daemon has the schema of every answer, and a test holds its answers to them. To read them again here, each command would load all schemas.
  const taken = <T>(answer: Answer): T => bodyOf(answer, shown) as T;

  const follow: Client['follow'] = async (follower, signal) => {
    const reader = new EventReader(follower);
    taken(await transport.stream(streamPath(follower.after ?? null), (text) => reader.push(text), signal));
    return reader.end;
  };

  return {
    isAlive: () =>
      transport.get(ADDRESSES.health).then(
        ({ status }) => status === 200,
        () => false,
      ),
    ask: async (name, input, signal) => {
      const { address, rest } = addressed(queryPathOf(name), input);
      const query = new URLSearchParams(
        Object.entries(rest).flatMap(([key, value]) => (value === undefined ? [] : [[key, textOf(value)]])),
      );
      return taken(await transport.get(`${address}${query.size > 0 ? `?${query}` : ''}`, signal));
    },
    act: async (name, input, { withinMs, sign, follow: following } = {}) => {
      const { address, rest: body } = addressed(pathOf(name), input);
      const content = (challenge: string | null): object =>
        !sign || challenge === null ? body : { ...body, signed: sign.signer.sign(statementOf(name, input, sign.known), challenge) };
      if (!following || !transport.postAndFollow) return taken(await transport.post(address, content, withinMs));
      let last: Answer | null = null;
      const push = eventPieces((fields) => {
        const data = JSON.parse(fields.get('data') ?? 'null') as unknown;
        if (fields.get('event') === 'progress') following.onProgress(data as ChatProgress);
        if (fields.get('event') === 'answer') last = data as Answer;
      });
      const direct = await transport.postAndFollow(address, content, push, following.signal);
      // A refusal before it began is an answer without a stream.
      if (direct.body !== null) return taken(direct);
      following.signal.throwIfAborted();
      if (!last)
        throw new Fault('DAEMON_UNAVAILABLE', 'The daemon ended before it answered.', { fix: 'countersign start, then ask again' });
      return taken(last);
    },
    follow,
    followAgain: (listener, signal, retryMs) => followAgain(follow, listener, signal, retryMs),
  };
}

/** A list with commas between its parts. */
const textOf = (value: unknown): string =>
  typeof value === 'string' ? value : Array.isArray(value) ? value.join(',') : JSON.stringify(value);

/** Fields that the path names go into the address; the rest is sent beside it. */
function addressed(path: string, input: unknown): { address: string; rest: Record<string, unknown> } {
  const given = new Map<string, unknown>(typeof input === 'object' && input !== null ? Object.entries(input) : []);
  const fields = new Set(fieldsInPath(path));
  return {
    address: path.replaceAll(/:(\w+)/g, (_, field: string) => encodeURIComponent(textOf(given.get(field)))),
    rest: Object.fromEntries([...given].filter(([field]) => !fields.has(field))),
  };
}

/** `Signing` lets only commands with a statement be signed, with what that statement needs; the compiler cannot follow a name that far. */
function statementOf(name: CommandName, input: unknown, known: unknown): Statement {
  const made: Readonly<Partial<Record<CommandName, (input: never, known: never) => Statement>>> = commandStatements;
  const make = made[name] as ((input: unknown, known: unknown) => Statement) | undefined;
  if (!make) throw new TypeError(`${name} has no statement to sign`);
  return make(input, known);
}
