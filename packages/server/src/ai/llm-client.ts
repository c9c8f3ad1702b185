// Asks a language model behind any OpenAI-compatible endpoint, within a time, and counts what that took. An answer is
// returned only where it is whole and what was asked for; everything else is a failure, and too many of them open the breaker.
import OpenAI, { APIError } from 'openai';
import { z } from 'zod';
import type { Log } from '../ops/log.ts';
import { BodyError, boundedFetch } from './bounded-fetch.ts';
import { CircuitBreaker } from './circuit-breaker.ts';
import { type Dialect, FULLEST, parseAnswer, plainer, type Question, requestOf } from './llm-dialect.ts';
import { pause, retryAfterMs } from './retry-after.ts';
import { ScorerError } from './scorer-error.ts';

const RETRIES = 2;
const BACKOFF_MS = 500;
const MAX_IN_FLIGHT = 8;
/** What a server answers to a request it does not understand. */
const NOT_UNDERSTOOD = new Set([400, 415, 422]);

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
  /** Of a million tokens. */
  readonly priceIn: number;
  readonly priceOut: number;
  readonly now: () => number;
  readonly log: Log;
  /** Before the first retry; twice that before the second. */
  readonly backoffMs?: number;
}

export interface LlmCounts {
  /** Requests over the network, retries included. */
  calls: number;
  answers: number;
  failures: number;
  tokensIn: number;
  tokensOut: number;
  cost: number;
}

export class LlmClient {
  readonly #options: LlmClientOptions;
  readonly #api: OpenAI;
  readonly #breaker: CircuitBreaker;
  readonly #counts: LlmCounts = { calls: 0, answers: 0, failures: 0, tokensIn: 0, tokensOut: 0, cost: 0 };
  readonly #asking = new Set<AbortController>();
  #dialect = FULLEST;
  #stopped = false;
  #failing = false;

  constructor(options: LlmClientOptions) {
    this.#options = options;
    this.#breaker = new CircuitBreaker(options.now);
    // Everything that the SDK would otherwise take from the environment is set here.
    this.#api = new OpenAI({
      baseURL: options.url,
      apiKey: options.key ?? 'none',
      adminAPIKey: null,
      organization: null,
      project: null,
      webhookSecret: null,
      logLevel: 'off',
      fetch: boundedFetch(options.key === null),
    });
  }

  get model(): string {
    return this.#options.model;
  }

  get counts(): Readonly<LlmCounts> {
    return this.#counts;
  }

  get breaker(): CircuitBreaker['state'] {
    return this.#breaker.state;
  }

  available(): boolean {
    return !this.#stopped && this.#breaker.lets;
  }

  async ask<T>(question: Question<T>, signal?: AbortSignal): Promise<T> {
    if (this.#stopped) throw new ScorerError('stopped', 'the service is stopping');
    if (signal?.aborted) throw new ScorerError('aborted', 'nobody waits for the answer any more');
    if (this.#asking.size >= MAX_IN_FLIGHT)
      throw new ScorerError('queue_full', `the language model has ${MAX_IN_FLIGHT} questions already`);
    if (!this.#breaker.enter()) throw new ScorerError('resting', 'the language model is left alone for a while');
    const controller = new AbortController();
    const abort = (): void => controller.abort(new ScorerError('aborted', 'nobody waits for the answer any more'));
    const late = new ScorerError('timed_out', `the language model gave no answer within ${this.#options.timeoutMs} ms`);
    const timer = setTimeout(() => controller.abort(late), this.#options.timeoutMs);
    signal?.addEventListener('abort', abort, { once: true });
    this.#asking.add(controller);
    try {
      const answer = await this.#persist(question, controller.signal);
      this.#succeeded();
      return answer;
    } catch (error) {
      throw this.#failed(controller.signal.aborted ? controller.signal.reason : error);
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener('abort', abort);
      this.#asking.delete(controller);
    }
  }

  stop(): void {
    this.#stopped = true;
    for (const controller of this.#asking) controller.abort(new ScorerError('stopped', 'the service is stopping'));
  }

  /** Tries again what may pass, and more plainly what was not understood, until the time is over. */
  async #persist<T>(question: Question<T>, signal: AbortSignal): Promise<T> {
    const deadline = this.#options.now() + this.#options.timeoutMs;
    let dialect: Dialect = this.#dialect;
    for (let retries = 0; ; ) {
      try {
        const answer = await this.#once(question, dialect, signal);
        this.#dialect = dialect;
        return answer;
      } catch (error) {
        if (signal.aborted || !(error instanceof APIError)) throw error;
        const simpler = NOT_UNDERSTOOD.has(error.status ?? 0) ? plainer(dialect, error.message) : null;
        if (simpler) {
          dialect = simpler;
          continue;
        }
        if (retries === RETRIES || !mayPass(error)) throw error;
        const asked = retryAfterMs(error.headers, this.#options.now());
        const wait = asked ?? (this.#options.backoffMs ?? BACKOFF_MS) * 2 ** retries * (1 - Math.random() / 4);
        if (this.#options.now() + wait >= deadline) {
          if (asked !== null) this.#breaker.rest(asked);
          throw error;
        }
        await pause(wait, signal);
        retries++;
      }
    }
  }

  async #once<T>(question: Question<T>, dialect: Dialect, signal: AbortSignal): Promise<T> {
    const { model, timeoutMs } = this.#options;
    this.#counts.calls++;
    // Its own retries would sleep as long as a server says, whatever our time.
    const options = { signal, timeout: timeoutMs, maxRetries: 0 };
    const raw: unknown = await this.#api.chat.completions.create(requestOf(question, model, dialect), options);
    const completion = Completion.safeParse(raw);
    if (!completion.success) throw new ScorerError('bad_answer', 'its answer is not a chat completion');
    const { choices, usage } = completion.data;
    if (usage) this.#count(usage.prompt_tokens, usage.completion_tokens);
    const { finish_reason: finish, message } = choices[0]!;
    if (finish === 'length') throw new ScorerError('bad_answer', 'its answer was cut off');
    if (message.refusal || !message.content) throw new ScorerError('bad_answer', 'it gave no answer');
    try {
      return question.read(parseAnswer(message.content));
    } catch (error) {
      throw new ScorerError('bad_answer', 'its answer is not what was asked for', { cause: error });
    }
  }

  /** A server's own words may be anything: they are cut, stay on one line, and do not carry the key into a log. */
  #reasonOf(error: unknown): string {
    const { message, cause } = error as Error;
    const text = cause instanceof Error && !(error instanceof APIError && error.status) ? cause.message : message;
    const { key } = this.#options;
    const safe = key === null ? text : text.replaceAll(key, '…');
    return safe.replace(/\p{C}+/gu, ' ').slice(0, 200);
  }

  /** Refused answers cost too. */
  #count(tokensIn: number, tokensOut: number): void {
    const { priceIn, priceOut } = this.#options;
    this.#counts.tokensIn += tokensIn;
    this.#counts.tokensOut += tokensOut;
    this.#counts.cost += (tokensIn * priceIn + tokensOut * priceOut) / 1e6;
  }

  #succeeded(): void {
    this.#counts.answers++;
    this.#breaker.succeeded();
    if (this.#failing) this.#options.log.info('the language model answers again', { model: this.model });
    this.#failing = false;
  }

  #failed(error: unknown): ScorerError {
    const told = error instanceof ScorerError ? error : new ScorerError('failed', this.#reasonOf(error));
    if (told.fault === 'aborted' || told.fault === 'stopped') {
      this.#breaker.left();
      return told;
    }
    this.#counts.failures++;
    this.#breaker.failed();
    // Once per bout of trouble.
    if (!this.#failing)
      this.#options.log.warn('the language model fails; the local model answers', {
        model: this.model,
        reason: told.message,
      });
    this.#failing = true;
    return told;
  }
}

/** Too many requests, a fault of the server, or no connection. A body that was too much once is so again. */
const mayPass = ({ status, cause }: APIError): boolean =>
  status === undefined ? !(cause instanceof BodyError) : status === 429 || status >= 500;
