// What the tools need of a service: its REST API. Over stdio this is HTTP to a running service, on the service itself a call of
// the same handlers with the key of the caller, so limits, scopes and counting are those of REST.
import type { Problem, ReplaySession } from '@tickwire/contract';

export interface ServiceRequest {
  readonly method?: 'GET' | 'POST' | 'PATCH' | 'DELETE';
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
  readonly #service: Service;
  readonly #now: () => number;
  readonly #replay: string | null;
  /** How far the clock of the service is ahead of this one. */
  #aheadMs = 0;
  /** Time of the replay; `null` in the present. */
  #clock: number | null;
  /** Whether a response has said so. */
  #isSimulated = false;

  constructor(
    service: Service,
    now: () => number = Date.now,
    replay: Pick<ReplaySession, 'id' | 'clock'> | null = null,
  ) {
    this.#service = service;
    this.#now = now;
    this.#replay = replay?.id ?? null;
    this.#clock = replay && Date.parse(replay.clock);
  }

  /** Reads as of the clock of a replay session. */
  async inReplay(id: string): Promise<ServiceReader> {
    const session = await this.get<ReplaySession>(`/api/replays/${encodeURIComponent(id)}`);
    return new ServiceReader(this.#service, this.#now, session);
  }

  /** Where the data comes from. */
  get source(): string {
    const source = this.#isSimulated ? 'simulated' : 'feeds';
    return this.#replay === null ? source : `replay of ${source}`;
  }

  /** Current time of the service, or of the replay, in epoch milliseconds. */
  get now(): number {
    return this.#clock ?? Math.floor(this.#now() + this.#aheadMs);
  }

  async get<T>(path: string, query: Readonly<Record<string, string | number | boolean | undefined>> = {}): Promise<T> {
    return (await this.reply<T>(withQuery(path, query))).body;
  }

  /** Rejects with a `ToolError` unless the response is a success. */
  async reply<T>(path: string, request?: ServiceRequest): Promise<Reply<T>> {
    const asOf = this.#replay === null ? {} : { Replay: this.#replay };
    const response = await this.#service.request(path, { ...request, headers: { ...request?.headers, ...asOf } });
    const { headers, status } = response;
    if (headers.get('data-source') === 'simulated') this.#isSimulated = true;
    const clock = headers.get('replay-clock');
    if (clock !== null) this.#clock = Date.parse(clock);
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
