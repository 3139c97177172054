// The connectors of a workspace: what a human set up for it, the open clients, and what was fetched lately. What was fetched counts as a source
// for plans until the daemon ends; a ticket of yesterday is fetched again.

import { hash } from 'node:crypto';
import type { Config } from '../protocol/index.ts';
import { ConnectorFailure, type Try } from './failure.ts';
import { HTTP_LIMITS, type HttpClient, type HttpLimits, type HttpRules, openHttpClient } from './http-client.ts';
import { fetchTicket, type JiraTicket, TICKET_KEY } from './jira/fetch-ticket.ts';
import { Spec } from './openapi/slice-spec.ts';
import { type ReadSpec, SpecDocuments } from './openapi/spec-documents.ts';

export interface ConnectorSettings extends Pick<Config, 'connectors' | 'auth'> {}

export interface ConnectorPorts {
  readonly settingsOf: (root: string) => Promise<ConnectorSettings>;
  /** The content of a token file; null: there is none. */
  readonly readToken: (root: string, file: string) => Promise<string | null>;
  /** Keeps a token out of every record. */
  readonly hold: (secret: string) => void;
  readonly limits?: HttpLimits;
}

/** As plans see it. */
export interface FetchedArtifact {
  readonly id: string;
  readonly title: string;
  readonly text: string;
}

interface Fetched<T> {
  readonly value: T;
  /** How a plan cites it. */
  readonly ref: string;
  readonly sha256: string;
  readonly trace: readonly Try[];
}

interface Place {
  readonly root: string;
  readonly workspace: string;
  readonly signal: AbortSignal;
}

const KEPT = 50;
const KEPT_CHARACTERS = 500_000;
const JSON_OR_YAML = 'application/json, application/yaml;q=0.9, text/yaml;q=0.9, */*;q=0.5';

export class Connectors {
  readonly #ports: ConnectorPorts;
  readonly #clients = new Map<string, Promise<HttpClient>>();
  readonly #artifacts = new Map<string, Map<string, FetchedArtifact>>();

  constructor(ports: ConnectorPorts) {
    this.#ports = ports;
  }

  async ticket(given: string, { root, workspace, signal }: Place): Promise<Fetched<JiraTicket>> {
    const key = given.trim().toUpperCase();
    if (!TICKET_KEY.test(key))
      throw new ConnectorFailure(
        'not_found',
        `${JSON.stringify(given.slice(0, 60))} is not the key of a ticket.`,
        'Name a key such as SHOP-12',
      );
    const { connectors, auth } = await this.#ports.settingsOf(root);
    if (connectors.jira === null)
      throw new ConnectorFailure(
        'not_set_up',
        'No Jira server is set up for this workspace.',
        'A human sets connectors.jira, and puts a token into the file that auth.jira names',
      );
    const { host } = new URL(connectors.jira);
    const token = await this.#token(root, auth.jira);
    const http = await this.#client({
      ...{ hosts: [host], localHosts: connectors.localHosts, requestsPerMinute: connectors.requestsPerMinute },
      token: token === null ? null : { host, authorization: authorizationOf(token) },
    });
    const { ticket, trace } = await fetchTicket(http, connectors.jira, key, signal);
    const ref = `jira:${ticket.key}`;
    const { summary, description, acceptanceCriteria, comments } = ticket;
    const said = [summary, description, ...acceptanceCriteria, ...comments.map(({ text }) => text)].join('\n');
    this.#keep(workspace, { id: ref, title: `${ticket.key} ${summary}`, text: said });
    return { value: ticket, ref, sha256: hash('sha256', JSON.stringify(ticket)), trace };
  }

  /** `readTree`: reads a path of the work tree, where the description is one. */
  async spec(given: string, readTree: ReadSpec, { root, workspace, signal }: Place): Promise<Fetched<Spec>> {
    const trace: Try[] = [];
    const isAddress = URL.canParse(given);
    const { connectors, auth } = await this.#ports.settingsOf(root);
    const { specHosts, specTokenHost, localHosts, requestsPerMinute } = connectors;
    const token = auth.swagger === null || specTokenHost === null ? null : await this.#token(root, auth.swagger);
    const http = await this.#client({
      ...{ hosts: specHosts, localHosts, requestsPerMinute },
      token: token === null || specTokenHost === null ? null : { host: specTokenHost, authorization: authorizationOf(token) },
    });
    const texts: string[] = [];
    const documents = new SpecDocuments(async (place) => {
      const read = URL.canParse(place) ? await fetched(http, place, signal, trace) : await readTree(place);
      texts.push(read.text);
      return read;
    });
    const spec = await Spec.open(documents, isAddress ? new URL(given).href : given);
    const ref = `swagger:${given}`;
    const { title, version, operations } = spec.overview;
    const lines = operations.map(({ method, path, operationId, summary }) =>
      [method, path, operationId, summary].filter(Boolean).join(' '),
    );
    this.#keep(workspace, { id: ref, title: `${title} ${version}`, text: lines.join('\n') });
    return { value: spec, ref, sha256: hash('sha256', texts[0] ?? ''), trace };
  }

  /** What was fetched for a workspace, newest last. */
  artifactsOf(workspace: string): readonly FetchedArtifact[] {
    return [...(this.#artifacts.get(workspace)?.values() ?? [])];
  }

  async close(): Promise<void> {
    const open = [...this.#clients.values()];
    this.#clients.clear();
    for (const client of await Promise.allSettled(open)) if (client.status === 'fulfilled') await client.value.close();
  }

  /** One for each set of rules: its cache must not answer a request that may see less. */
  #client(rules: HttpRules): Promise<HttpClient> {
    const name = JSON.stringify(rules);
    const known = this.#clients.get(name);
    if (known) return known;
    const opened = openHttpClient(rules, this.#ports.limits ?? HTTP_LIMITS);
    this.#clients.set(name, opened);
    opened.catch(() => this.#clients.delete(name));
    return opened;
  }

  async #token(root: string, file: string): Promise<string | null> {
    const token = await this.#ports.readToken(root, file);
    if (token !== null) for (const part of [token, token.replace(/^[^:]*:/, '')]) this.#ports.hold(part);
    return token;
  }

  #keep(workspace: string, artifact: FetchedArtifact): void {
    const kept = this.#artifacts.get(workspace) ?? new Map<string, FetchedArtifact>();
    kept.delete(artifact.id);
    kept.set(artifact.id, { ...artifact, text: artifact.text.slice(0, KEPT_CHARACTERS).toWellFormed() });
    for (const id of [...kept.keys()].slice(0, -KEPT)) kept.delete(id);
    this.#artifacts.set(workspace, kept);
  }
}

async function fetched(http: HttpClient, place: string, signal: AbortSignal, trace: Try[]): Promise<{ place: string; text: string }> {
  const answer = await http.get(new URL(place), JSON_OR_YAML, signal);
  trace.push(...answer.trace);
  return { place: answer.url, text: answer.text };
}

/** Jira Cloud takes the account and its token, as `name@example.com:token`; everything else takes the token alone. */
const authorizationOf = (token: string): string =>
  /^[^\s:]+@[^\s:]+:/.test(token) ? `Basic ${Buffer.from(token).toString('base64')}` : `Bearer ${token}`;
