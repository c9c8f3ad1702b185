// What the tools need of a service: its REST API. Over stdio this is HTTP to a running service, on the service itself a call of
// the same handlers with the key of the caller, so limits, scopes and counting are those of REST.
import type { Problem } from '@tickwire/contract';

export interface ServiceRequest {
  readonly method?: 'GET' | 'POST';
  readonly body?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface Service {
  /** `path` starts with a slash and may have a query. Rejects with a `ToolError` if the service cannot be reached. */
  request(path: string, request?: ServiceRequest): Promise<Response>;
}

/** A failure that the model can act on. Its message is the text of the tool's result. */
export class ToolError extends Error {
  override name = 'ToolError';
  /** Code of the error catalogue; `null` for failures without one. */
  readonly code: string | null;

  constructor(message: string, code: string | null = null) {
    super(message);
    this.code = code;
  }
}

export interface Reply<T> {
  readonly body: T;
  readonly headers: Headers;
  readonly status: number;
}

export const invalidArgument = (fault: string): ToolError =>
  new ToolError(`Invalid parameter (invalid_parameter): ${fault}.`, 'invalid_parameter');

export const invalidCursor = (): ToolError =>
  invalidArgument('cursor must be the value of next of an earlier answer, with the same other arguments');

/** Below this, the clocks agree: the header `Date` has whole seconds. */
const CLOCK_TOLERANCE_MS = 2_000;

export class ServiceReader {
  /** Where the data comes from: `simulated` once a response has said so. */
  source = 'feeds';
  readonly #service: Service;
  readonly #now: () => number;
  /** How far the clock of the service is ahead of this one. */
  #aheadMs = 0;

  constructor(service: Service, now: () => number = Date.now) {
    this.#service = service;
    this.#now = now;
  }

  /** Current time of the service in epoch milliseconds. */
  get now(): number {
    return Math.floor(this.#now() + this.#aheadMs);
  }

  async get<T>(path: string, query: Readonly<Record<string, string | number | boolean | undefined>> = {}): Promise<T> {
    return (await this.reply<T>(withQuery(path, query))).body;
  }

  /** Rejects with a `ToolError` unless the response is a success. */
  async reply<T>(path: string, request?: ServiceRequest): Promise<Reply<T>> {
    const response = await this.#service.request(path, request);
    const { headers, status } = response;
    if (headers.get('data-source') === 'simulated') this.source = 'simulated';
    const time = Date.parse(headers.get('date') ?? '');
    if (!Number.isNaN(time)) {
      const ahead = time - this.#now();
      this.#aheadMs = Math.abs(ahead) > CLOCK_TOLERANCE_MS ? ahead : 0;
    }
    const text = await response.text();
    if (!response.ok) throw problemError(text, status, headers.get('retry-after'));
    return { body: JSON.parse(text) as T, headers, status };
  }
}

export function withQuery(
  path: string,
  query: Readonly<Record<string, string | number | boolean | undefined>>,
): string {
  const given = Object.entries(query).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]]));
  return given.length === 0 ? path : `${path}?${new URLSearchParams(given)}`;
}

/** The text of a REST error: its detail, with the allowed values if the detail does not name them. */
function problemError(text: string, status: number, retryAfter: string | null): ToolError {
  let problem: Partial<Problem>;
  try {
    problem = JSON.parse(text) as Partial<Problem>;
  } catch {
    return new ToolError(`The service responded with status ${status}.`);
  }
  const { title = 'Error', detail = `status ${status}`, code = null, errors = [] } = problem;
  const allowed = errors
    .filter((fault) => !detail.includes(fault.allowed))
    .map((fault) => `${fault.parameter} must be ${fault.allowed}`);
  const wait = retryAfter === null || detail.includes('Try again') ? [] : [`Try again in ${retryAfter} s`];
  const sentences = [detail, ...allowed, ...wait].map((each) => each.replace(/\.$/, ''));
  return new ToolError(`${title} (${code ?? status}): ${sentences.join('. ')}.`, code);
}
