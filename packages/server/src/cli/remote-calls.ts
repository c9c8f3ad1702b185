// Calls of commands to the REST API of a running service, typed by the contract.
import { ENDPOINTS, type Endpoint, type EndpointName, type Problem } from '@tickwire/contract';
import type { z } from 'zod';
import { RemoteError } from '../signals/verify/remote-service.ts';
import type { ServiceAddress } from './service-address.ts';

const TIMEOUT_MS = 30_000;

export interface RemoteRequest {
  /** Path parameter of endpoints with one. */
  readonly id?: string;
  /** Parameters without a value are left out. */
  readonly query?: Readonly<Record<string, string | undefined>>;
  readonly body?: unknown;
}

type ResponseOf<N extends EndpointName> = z.output<(typeof ENDPOINTS)[N]['response']>;

export class RemoteCalls {
  readonly #address: ServiceAddress;

  constructor(address: ServiceAddress) {
    this.#address = address;
  }

  /** Throws a RemoteError that says why if the service refuses or cannot be reached. */
  async call<N extends EndpointName>(name: N, { id, query = {}, body }: RemoteRequest = {}): Promise<ResponseOf<N>> {
    const { method, path, idempotent }: Endpoint = ENDPOINTS[name];
    const given = Object.entries(query).filter((pair): pair is [string, string] => pair[1] !== undefined);
    const search = given.length > 0 ? `?${new URLSearchParams(given)}` : '';
    const target = path.replace(/\{\w+\}/, encodeURIComponent(id ?? '')) + search;
    const headers = {
      'X-API-Key': this.#address.key,
      ...(body !== undefined && { 'Content-Type': 'application/json' }),
      ...(idempotent && { 'Idempotency-Key': crypto.randomUUID() }),
    };
    const request = { method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) };
    // A request with an idempotency key may be repeated: the service answers the second one as it did the first.
    const response = idempotent
      ? await this.#send(target, request).catch(() => this.#send(target, request))
      : await this.#send(target, request);
    const text = await response.text().catch((error: Error) => this.#unreachable(error));
    if (!response.ok) throw new RemoteError(reasonOf(response, text));
    try {
      return JSON.parse(text) as ResponseOf<N>;
    } catch {
      throw new RemoteError(`${this.#address.url} is not a Tickwire service: its response is not JSON`);
    }
  }

  async #send(target: string, request: RequestInit): Promise<Response> {
    const url = this.#address.url.replace(/\/+$/, '') + target;
    // A redirect could carry the key to another origin.
    const options = { ...request, redirect: 'error', signal: AbortSignal.timeout(TIMEOUT_MS) } as const;
    return fetch(url, options).catch((error: Error) => this.#unreachable(error));
  }

  #unreachable({ message }: Error): never {
    throw new RemoteError(
      `the service at ${this.#address.url} cannot be reached: ${message.replace(/\.$/, '')}. Start it with "tickwire serve", or set TICKWIRE_URL`,
    );
  }
}

function reasonOf({ status }: Response, text: string): string {
  try {
    const { code, detail } = JSON.parse(text) as Problem;
    if (typeof code === 'string') return `${detail} (${code})`;
  } catch {
    // Not the answer of a Tickwire service.
  }
  return `the service answered with status ${status}`;
}
