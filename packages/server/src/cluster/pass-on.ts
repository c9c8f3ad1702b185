// What only the active ingest can answer, asked of it by a gateway: publishing and closing, proofs, pushed lines, the state of
// feeds. What may be asked twice is asked again while another ingest takes over, so that a caller notices a pause at most;
// a publication without an Idempotency-Key gets one here, so that it, too, is made once.
import { randomUUID } from 'node:crypto';
import { ENDPOINTS, ERRORS, type ErrorCode, type IngestAnswer, type Problem } from '@tickwire/contract';
import type { Caller } from '../access/caller.ts';
import type { Answer, Call } from '../http/answer-table.ts';
import { ApiError } from '../http/api-error.ts';
import { readBody } from '../http/body.ts';
import { FLOOR_ENDPOINTS, type FloorAnswers, type FloorEndpoint } from '../http/floor-answers.ts';
import { MAX_BODY_BYTES, type PushLines } from '../http/ingest.ts';
import { callerHeaders } from './passed-caller.ts';

/** A takeover lasts 5 s at most. */
const PATIENCE_MS = 7_000;
const ANSWER_MS = 10_000;
const AGAIN_MS = 100;
const KEPT_HEADERS = ['content-type', 'content-encoding', 'idempotency-key'];
/** Of these the ingest remembers the answer, or they change nothing. */
const ONCE: ReadonlySet<FloorEndpoint> = new Set(['publishSignal', 'closeSignal', 'ingestTicks', 'ingestNews']);

export interface PassOnOptions {
  /** Where the active ingest is: `http://name:secret@host:port`; null while none is. */
  readonly active: () => string | null;
  readonly patienceMs?: number;
}

interface Passed {
  readonly method: string;
  /** With the query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array | null;
  readonly caller: Caller;
  /** Asking twice does no more than asking once. */
  readonly repeatable: boolean;
}

export class PassOn implements PushLines {
  /** Requests passed on, and how often one had to be asked again, for the metrics. */
  passed = 0;
  repeated = 0;
  readonly answers: FloorAnswers;
  readonly #active: () => string | null;
  readonly #patienceMs: number;

  constructor({ active, patienceMs = PATIENCE_MS }: PassOnOptions) {
    this.#active = active;
    this.#patienceMs = patienceMs;
    this.answers = Object.fromEntries(
      FLOOR_ENDPOINTS.map((name) => [name, this.#answer(name)]),
    ) as unknown as FloorAnswers;
  }

  /** Whether lines are taken is for the ingest to say. */
  open(): void {}

  /** Lines of a WebSocket connection. Each frame is a request of its own, made once. */
  async push(caller: Caller, lines: readonly string[]): Promise<IngestAnswer> {
    const text = await this.#ask({
      method: 'POST',
      path: ENDPOINTS.ingestTicks.path,
      headers: { 'Idempotency-Key': randomUUID() },
      body: new TextEncoder().encode(lines.join('\n')),
      caller,
      repeatable: true,
    });
    return JSON.parse(text) as IngestAnswer;
  }

  #answer(name: FloorEndpoint): Answer {
    return async (call) => {
      const { method } = ENDPOINTS[name];
      const body = method === 'GET' ? null : await readBody(call.request, MAX_BODY_BYTES);
      const headers = keptHeaders(call.request);
      const once = ONCE.has(name);
      if (once) headers['idempotency-key'] ??= randomUUID();
      const repeatable = once || method === 'GET';
      return this.#ask({ method, path: pathOf(name, call), headers, body, caller: call.caller!, repeatable });
    };
  }

  /** null where none came. An ingest that stands still is not waited for once another is active. */
  async #answerOf(address: string, passed: Passed): Promise<Response | null> {
    const givenUp = new AbortController();
    const look = setInterval(() => {
      const active = this.#active();
      if (passed.repeatable && active !== null && active !== address) givenUp.abort();
    }, AGAIN_MS);
    try {
      return await send(address, passed, givenUp.signal);
    } catch {
      return null;
    } finally {
      clearInterval(look);
    }
  }

  async #ask(passed: Passed): Promise<string> {
    this.passed++;
    const until = performance.now() + this.#patienceMs;
    for (;;) {
      const address = this.#active();
      const answer = address === null ? null : await this.#answerOf(address, passed);
      if (answer?.ok) return answer.text();
      if (answer && answer.status !== 503) throw await problemOf(answer);
      // An answer of 503 did nothing; no answer may have done all of it.
      const mayAskAgain = passed.repeatable || answer !== null || address === null;
      if (!mayAskAgain || performance.now() >= until) throw answer ? await problemOf(answer) : nobody();
      // A quote that is missing, or a market that is closed, is an answer and no trouble of the ingest.
      if (answer) {
        const problem = await problemOf(answer);
        if (!PASSING.has(problem.code)) throw problem;
      }
      this.repeated++;
      await Bun.sleep(AGAIN_MS);
    }
  }
}

/** What an ingest says that is going, or not quite there yet. */
const PASSING: ReadonlySet<ErrorCode> = new Set(['shutting_down', 'no_active_ingest']);

const nobody = (): ApiError =>
  new ApiError('no_active_ingest', 'No ingest is active at this moment; one takes over within seconds.', {
    headers: { 'Retry-After': '5' },
  });

/** The token of a hook is a key, and stays here. */
function pathOf(name: FloorEndpoint, { request }: Call): string {
  const { path } = ENDPOINTS[name];
  if (path.includes('{token}')) return path.replace('{token}', 'passed-on');
  const { pathname, search } = new URL(request.url);
  return pathname + search;
}

function keptHeaders({ headers }: Request): Record<string, string> {
  return Object.fromEntries(
    KEPT_HEADERS.flatMap((name) => {
      const value = headers.get(name);
      return value === null ? [] : [[name, value]];
    }),
  );
}

async function send(
  address: string,
  { method, path, headers, body, caller }: Passed,
  givenUp: AbortSignal,
): Promise<Response> {
  const url = new URL(path, address);
  const { password } = url;
  url.username = '';
  url.password = '';
  return fetch(url, {
    method,
    headers: { ...headers, ...callerHeaders(caller, decodeURIComponent(password)) },
    ...(body && { body: body as Uint8Array<ArrayBuffer> }),
    redirect: 'error',
    signal: AbortSignal.any([givenUp, AbortSignal.timeout(ANSWER_MS)]),
  });
}

/** What the ingest refused, as the caller is told it. */
async function problemOf(answer: Response): Promise<ApiError> {
  const problem = (await answer
    .clone()
    .json()
    .catch(() => null)) as Partial<Problem> | null;
  const code = problem?.code;
  if (code === undefined || !(code in ERRORS)) return nobody();
  const retryAfter = answer.headers.get('retry-after');
  return new ApiError(code as ErrorCode, problem?.detail ?? '', {
    ...(problem?.errors && { errors: problem.errors }),
    ...(retryAfter !== null && { headers: { 'Retry-After': retryAfter } }),
  });
}
