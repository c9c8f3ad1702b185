// Client of a language model behind any OpenAI-compatible endpoint, with a timeout, retries, a circuit breaker and counters.
// Only a complete and valid response is returned; everything else is a failure.

import { setTimeout as sleep } from 'node:timers/promises';
import { DAY_MS } from '@tickwire/contract';
import OpenAI, { APIError } from 'openai';
import { z } from 'zod';
import type { Log } from '../ops/log.ts';
import { retryAfterMs } from '../ops/retry-after.ts';
import { backOffMs } from '../work/back-off.ts';
import { CircuitBreaker } from '../work/circuit-breaker.ts';
import { createLlmFetch, LlmBodyError } from './llm-fetch.ts';
import {
  buildRequest,
  FULL_FORMAT,
  type LlmQuery,
  parseContent,
  type RequestFormat,
  simplerFormat,
} from './llm-request.ts';
import { OriginBreakers } from './origin-breakers.ts';
import { ScorerError } from './scorer.ts';

const RETRIES = 2;
const BACKOFF_MS = 500;
const MAX_IN_FLIGHT = 8;
/** Status codes for a request that the server does not understand. */
const UNSUPPORTED_STATUS = new Set([400, 415, 422]);
/** Status codes that a content filter or a length limit may cause. */
const REFUSED_STATUS = new Set([400, 413, 422, 451]);

const tokens = z.int().min(0).max(1e9).catch(0);
const Completion = z.object({
  choices: z
    .array(
      z.object({
        finish_reason: z.string().nullish(),
        message: z.object({ content: z.string().nullish(), refusal: z.string().nullish() }),
      }),
    )
    .min(1),
  usage: z.object({ prompt_tokens: tokens, completion_tokens: tokens }).nullish().catch(null),
});

export interface LlmClientOptions {
  readonly url: string;
  readonly model: string;
  readonly key: string | null;
  readonly timeoutMs: number;
  readonly requestsPerDay: number;
  /** Prices of a million tokens. */
  readonly priceIn: number;
  readonly priceOut: number;
  readonly now: () => number;
  readonly log: Log;
  /** Before the first retry; twice as long before the second. Default: 500. */
  readonly backoffMs?: number;
}

export interface LlmCounts {
  /** Requests over the network, retries included. */
  calls: number;
  responses: number;
  failures: number;
  tokensIn: number;
  tokensOut: number;
  cost: number;
}

export class LlmClient {
  readonly #options: LlmClientOptions;
  readonly #api: OpenAI;
  readonly #breaker: CircuitBreaker;
  readonly #origins: OriginBreakers;
  readonly #counts: LlmCounts = { calls: 0, responses: 0, failures: 0, tokensIn: 0, tokensOut: 0, cost: 0 };
  readonly #running = new Set<AbortController>();
  #format = FULL_FORMAT;
  #day = 0;
  #callsToday = 0;
  #warnedOn = -1;
  #stopped = false;
  #failing = false;

  constructor(options: LlmClientOptions) {
    this.#options = options;
    this.#breaker = new CircuitBreaker(options.now);
    this.#origins = new OriginBreakers(options.now);
    // Sets everything that the SDK would otherwise read from the environment.
    this.#api = new OpenAI({
      baseURL: options.url,
      apiKey: options.key ?? 'none',
      adminAPIKey: null,
      organization: null,
      project: null,
      webhookSecret: null,
      logLevel: 'off',
      fetch: createLlmFetch(options.key === null),
    });
  }

  get model(): string {
    return this.#options.model;
  }

  get counts(): Readonly<LlmCounts> {
    return this.#counts;
  }

  /** Requests since 00:00 UTC, retries included, and their maximum. */
  get today(): { readonly used: number; readonly limit: number; readonly resetsAt: number } {
    this.#startDay();
    return { used: this.#callsToday, limit: this.#options.requestsPerDay, resetsAt: (this.#day + 1) * DAY_MS };
  }

  get breaker(): CircuitBreaker['state'] {
    return this.#breaker.state;
  }

  available(): boolean {
    return !this.#stopped && this.#breaker.allowsCall && !this.#isDayUsedUp;
  }

  async query<T>(query: LlmQuery<T>, signal?: AbortSignal): Promise<T> {
    if (this.#stopped) throw new ScorerError('stopped', 'the service is stopping');
    if (signal?.aborted) throw new ScorerError('aborted', 'the caller aborted the request');
    if (this.#running.size >= MAX_IN_FLIGHT)
      throw new ScorerError('queue_full', `the language model already has ${MAX_IN_FLIGHT} running requests`);
    if (this.#isDayUsedUp) throw this.#dayUsedUp();
    const { origin } = query;
    if (!this.#breaker.allowsCall) throw new ScorerError('circuit_open', 'the language model is paused after failures');
    if (!this.#origins.enter(origin))
      throw new ScorerError(
        'origin_paused',
        'the language model is paused for this origin after failures with its texts',
      );
    this.#breaker.enter();
    const controller = new AbortController();
    const abort = (): void => controller.abort(new ScorerError('aborted', 'the caller aborted the request'));
    const timeout = new ScorerError(
      'timed_out',
      `the language model did not respond within ${this.#options.timeoutMs} ms`,
    );
    const timer = setTimeout(() => controller.abort(timeout), this.#options.timeoutMs);
    signal?.addEventListener('abort', abort, { once: true });
    this.#running.add(controller);
    try {
      const result = await this.#withRetries(query, controller.signal);
      this.#succeeded(origin);
      return result;
    } catch (error) {
      throw this.#failed(controller.signal.aborted ? controller.signal.reason : error, origin);
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener('abort', abort);
      this.#running.delete(controller);
    }
  }

  stop(): void {
    this.#stopped = true;
    for (const controller of this.#running) controller.abort(new ScorerError('stopped', 'the service is stopping'));
  }

  /** Retries temporary failures, and uses a simpler format if the request was not understood, until the deadline. */
  async #withRetries<T>(query: LlmQuery<T>, signal: AbortSignal): Promise<T> {
    const deadline = this.#options.now() + this.#options.timeoutMs;
    let format: RequestFormat = this.#format;
    for (let retries = 0; ; ) {
      try {
        const result = await this.#once(query, format, signal);
        this.#format = format;
        return result;
      } catch (error) {
        if (signal.aborted || !(error instanceof APIError)) throw error;
        const simpler = UNSUPPORTED_STATUS.has(error.status ?? 0) ? simplerFormat(format, error.message) : null;
        if (simpler) {
          format = simpler;
          continue;
        }
        if (retries === RETRIES || !isTemporary(error)) throw error;
        const retryAfter = retryAfterMs(error.headers?.get('retry-after'), this.#options.now());
        const { backoffMs: firstMs = BACKOFF_MS } = this.#options;
        const wait = retryAfter ?? backOffMs(retries + 1, { firstMs, jitter: 0.25 });
        if (this.#options.now() + wait >= deadline) {
          if (retryAfter !== null) this.#breaker.pause(retryAfter);
          throw error;
        }
        await sleep(wait, undefined, { signal });
        retries++;
      }
    }
  }

  async #once<T>(query: LlmQuery<T>, format: RequestFormat, signal: AbortSignal): Promise<T> {
    const { model, timeoutMs } = this.#options;
    if (this.#isDayUsedUp) throw this.#dayUsedUp();
    this.#counts.calls++;
    this.#callsToday++;
    // The SDK's own retries would wait for Retry-After beyond our timeout.
    const options = { signal, timeout: timeoutMs, maxRetries: 0 };
    const raw: unknown = await this.#api.chat.completions.create(buildRequest(query, model, format), options);
    const completion = Completion.safeParse(raw);
    if (!completion.success) throw new ScorerError('bad_response', 'its response is not a chat completion');
    const { choices, usage } = completion.data;
    if (usage) this.#count(usage.prompt_tokens, usage.completion_tokens);
    const { finish_reason: finish, message } = choices[0]!;
    if (finish === 'length') throw new ScorerError('bad_response', 'its response was cut off');
    if (message.refusal || !message.content) throw new ScorerError('bad_response', 'its response is empty');
    try {
      return query.read(parseContent(message.content));
    } catch (error) {
      throw new ScorerError('bad_response', 'its response does not match the schema', { cause: error });
    }
  }

  /** Counted from midnight UTC. */
  get #isDayUsedUp(): boolean {
    this.#startDay();
    return this.#callsToday >= this.#options.requestsPerDay;
  }

  #startDay(): void {
    const day = Math.floor(this.#options.now() / DAY_MS);
    if (day !== this.#day) [this.#day, this.#callsToday] = [day, 0];
  }

  #dayUsedUp(): ScorerError {
    const { requestsPerDay, log } = this.#options;
    // Once per day.
    if (this.#warnedOn !== this.#day)
      log.warn('the requests of this day to the language model are used up; the local model is used', {
        model: this.model,
        requests_per_day: requestsPerDay,
      });
    this.#warnedOn = this.#day;
    return new ScorerError('day_used_up', `the language model had ${requestsPerDay} requests today, the maximum`);
  }

  /** The message of a server is untrusted: it is shortened to one line and must not carry the key into the log. */
  #reasonOf(error: unknown): string {
    const { message, cause } = error as Error;
    const text = cause instanceof Error && !(error instanceof APIError && error.status) ? cause.message : message;
    const { key } = this.#options;
    const safe = key === null ? text : text.replaceAll(key, '…');
    return safe.replace(/\p{C}+/gu, ' ').slice(0, 200);
  }

  /** Rejected responses cost too. */
  #count(tokensIn: number, tokensOut: number): void {
    const { priceIn, priceOut } = this.#options;
    this.#counts.tokensIn += tokensIn;
    this.#counts.tokensOut += tokensOut;
    this.#counts.cost += (tokensIn * priceIn + tokensOut * priceOut) / 1e6;
  }

  #succeeded(origin: string | undefined): void {
    this.#counts.responses++;
    this.#breaker.succeeded();
    this.#origins.succeeded(origin);
    if (this.#failing) this.#options.log.info('the language model works again', { model: this.model });
    this.#failing = false;
  }

  #failed(error: unknown, origin: string | undefined): ScorerError {
    const isRefused = error instanceof APIError && REFUSED_STATUS.has(error.status ?? 0);
    const failure =
      error instanceof ScorerError
        ? error
        : new ScorerError(isRefused ? 'bad_response' : 'failed', this.#reasonOf(error));
    if (failure.fault === 'aborted' || failure.fault === 'stopped' || failure.fault === 'day_used_up') {
      this.#breaker.cancelled();
      this.#origins.cancelled(origin);
      return failure;
    }
    this.#counts.failures++;
    const mayBeCausedByText = failure.fault === 'bad_response' || failure.fault === 'timed_out';
    if (!mayBeCausedByText) this.#origins.cancelled(origin);
    if (!mayBeCausedByText || this.#origins.rejected(origin)) this.#breaker.failed();
    else this.#breaker.cancelled();
    // Once per series of failures.
    if (!this.#failing)
      this.#options.log.warn('the language model fails; the local model is used', {
        model: this.model,
        reason: failure.message,
      });
    this.#failing = true;
    return failure;
  }
}

/** Too many requests, a server error, or no connection. A response that was too large will be so again. */
const isTemporary = ({ status, cause }: APIError): boolean =>
  status === undefined ? !(cause instanceof LlmBodyError) : status === 429 || status >= 500;
