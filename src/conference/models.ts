// The models that are set up, opened when they are first asked and kept: a connection to a provider is worth keeping.

import { type EndpointRow, Fault } from '../protocol/index.ts';
import type { Model, ModelLimits } from './providers/model.ts';
import { openModel } from './providers/open-model.ts';

export interface ModelPorts {
  readonly endpoints: () => readonly EndpointRow[];
  /** The key for this endpoint, if it was kept for this very host. */
  readonly keyFor: (id: string, host: string) => Promise<string | null>;
  readonly limits?: ModelLimits;
}

export const NO_ENDPOINT_FIX =
  'Name one, such as: countersign endpoints add local --provider lmstudio --model NAME. Without a model, canon status, issues, receipts and all tools of the gate work as before';

export class Models {
  readonly #ports: ModelPorts;
  readonly #opened = new Map<string, Promise<Model>>();

  constructor(ports: ModelPorts) {
    this.#ports = ports;
  }

  /** `wanted` null: the default one. */
  choose(wanted: string | null): EndpointRow {
    const rows = this.#ports.endpoints();
    if (wanted === null) {
      const usual = rows.find(({ is_default }) => is_default);
      if (usual) return usual;
      throw new Fault('NO_ENDPOINT', 'No model is set up.', { fix: NO_ENDPOINT_FIX });
    }
    const row = rows.find(({ id }) => id === wanted);
    if (!row) throw new Fault('NOT_FOUND', `There is no endpoint ${wanted}.`, { fix: 'countersign endpoints list shows those that exist' });
    if (row.state === 'waiting')
      throw new Fault('FORBIDDEN', `The endpoint ${row.id} at ${row.host} waits for a human, so nothing is sent there.`, {
        fix: `countersign endpoints confirm ${row.id}`,
      });
    return row;
  }

  async open(endpoint: EndpointRow): Promise<Model> {
    const key = await this.#ports.keyFor(endpoint.id, endpoint.host);
    const { id, provider, base_url, host, network, model, json_schema } = endpoint;
    // Whatever changes in it is another model.
    const name = JSON.stringify([id, provider, base_url, network, model, json_schema, key]);
    const known = this.#opened.get(name);
    if (known) return known;
    const opened = openModel({ id, provider, base_url, host, network, model, json_schema, key }, this.#ports.limits);
    this.#opened.set(name, opened);
    opened.catch(() => this.#opened.delete(name));
    return opened;
  }

  async close(): Promise<void> {
    const opened = [...this.#opened.values()];
    this.#opened.clear();
    for (const model of await Promise.allSettled(opened)) if (model.status === 'fulfilled') await model.value.close();
  }
}
