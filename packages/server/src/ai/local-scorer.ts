// The sentiment model that is part of the service. It runs on a worker thread, which is restarted when it fails and ended when
// there was nothing to do for a moment: it takes 40 to 50 MB, and loading it again 0.2 CPU seconds. Requests are processed in turns of one batch each, so that a single
// headline does not wait for a large request.
import type { MarketSymbol } from '@tickwire/engine';
import { MODEL_VERSION, type SentimentTarget, type TextSentiment } from '@tickwire/sentiment';
import type { Log } from '../ops/log.ts';
import { backOffMs } from '../work/back-off.ts';
import { type ScoreText, ScoreThread } from './score-thread.ts';
import { type Score, type ScoreRequest, type Scorer, ScorerError, withProbabilities } from './scorer.ts';

const BATCH_SIZE = 16;
const MAX_WAITING = 5_000;
/** In UTF-16 units; longer than what the model reads. */
const MAX_TEXT = 4_000;
const LOAD_TIMEOUT_MS = 20_000;
const BATCH_TIMEOUT_MS = 5_000;
const REQUEST_TIMEOUT_MS = 60_000;
const FIRST_RESTART_MS = 100;
const MAX_RESTART_MS = 30_000;
const IDLE_MS = 10_000;
/** Consecutive failures after which it counts as unavailable while it restarts. */
const MAX_FAILURES = 3;

export interface LocalScorerOptions {
  readonly log: Log;
  /** Names of the two sides of an instrument in texts. */
  readonly targetsOf?: (symbol: MarketSymbol) => SentimentTarget | undefined;
  readonly worker?: URL;
  /** Finds out why the model cannot be used; `null` if it can. It is loaded once that is known. */
  readonly problem?: () => Promise<string | null>;
  readonly limits?: Partial<Limits>;
}

interface Limits {
  readonly waiting: number;
  readonly loadMs: number;
  readonly batchMs: number;
  readonly requestMs: number;
  readonly restartMs: number;
  readonly idleMs: number;
}

interface Job {
  readonly requests: readonly ScoreRequest[];
  readonly scores: TextSentiment[];
  readonly end: (error?: ScorerError) => void;
}

export class LocalScorer implements Scorer {
  readonly id = 'local';
  readonly kind = 'local';
  readonly #options: LocalScorerOptions;
  readonly #limits: Limits;
  #thread: ScoreThread | null = null;
  #version: string | null = null;
  /** Why the model cannot be used. */
  #problem: string | null = null;
  #checked: Promise<void> | null = null;
  #ready = false;
  #busy = false;
  #failures = 0;
  #restarts = 0;
  #restart: ReturnType<typeof setTimeout> | undefined;
  #idle: ReturnType<typeof setTimeout> | undefined;
  #stopped = false;
  /** In the order of processing. */
  #jobs: Job[] = [];
  #waiting = 0;

  /** The model is loaded with the first request. */
  constructor(options: LocalScorerOptions) {
    this.#options = options;
    this.#limits = {
      waiting: MAX_WAITING,
      loadMs: LOAD_TIMEOUT_MS,
      batchMs: BATCH_TIMEOUT_MS,
      requestMs: REQUEST_TIMEOUT_MS,
      restartMs: FIRST_RESTART_MS,
      idleMs: IDLE_MS,
      ...options.limits,
    };
  }

  /** Finds out whether the model can be used, if that is not known yet. The first request does so too. */
  check(): Promise<void> {
    this.#checked ??= this.#findProblem();
    return this.#checked;
  }

  /** Why the model cannot be used until the next start; `null` if it can. */
  get problem(): string | null {
    return this.#problem;
  }

  get version(): string {
    return this.#version ?? MODEL_VERSION;
  }

  /** Number of waiting headlines, and of restarts of the thread. */
  get status(): { readonly waiting: number; readonly restarts: number } {
    return { waiting: this.#waiting, restarts: this.#restarts };
  }

  available(): boolean {
    return !this.#stopped && this.#problem === null && (this.#ready || this.#failures < MAX_FAILURES);
  }

  score(requests: readonly ScoreRequest[], signal?: AbortSignal): Promise<Score[]> {
    if (requests.length === 0) return Promise.resolve([]);
    return new Promise((resolve, reject) => {
      if (this.#stopped) throw new ScorerError('stopped', 'the service is stopping');
      if (this.#problem !== null) throw new ScorerError('failed', this.#problem);
      if (signal?.aborted) throw new ScorerError('aborted', 'the caller aborted the request');
      if (this.#waiting + requests.length > this.#limits.waiting)
        throw new ScorerError('queue_full', `${this.#waiting} headlines are already waiting`);
      const scores: TextSentiment[] = [];
      const abort = (): void => job.end(new ScorerError('aborted', 'the caller aborted the request'));
      const expire = (): void => job.end(new ScorerError('timed_out', 'the headlines waited too long'));
      const timer = setTimeout(expire, this.#limits.requestMs);
      let ended = false;
      const end = (error?: ScorerError): void => {
        if (ended) return;
        ended = true;
        clearTimeout(timer);
        signal?.removeEventListener('abort', abort);
        this.#waiting -= requests.length;
        this.#jobs = this.#jobs.filter((each) => each !== job);
        if (error) reject(error);
        else resolve(scores.map((value, index) => withProbabilities(value, requests[index]!.category, this.version)));
      };
      const job: Job = { requests, scores, end };
      signal?.addEventListener('abort', abort, { once: true });
      this.#waiting += requests.length;
      this.#jobs.push(job);
      clearTimeout(this.#idle);
      if (!this.#thread) void this.check().then(() => this.#loadFirst());
      void this.#next();
    });
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    clearTimeout(this.#restart);
    clearTimeout(this.#idle);
    await this.#thread?.stop();
    for (const job of [...this.#jobs]) job.end(new ScorerError('stopped', 'the service is stopping'));
  }

  async #findProblem(): Promise<void> {
    this.#problem = (await this.#options.problem?.()) ?? null;
    if (this.#problem === null) return;
    this.#options.log.error('headlines are not scored by the local model', { reason: this.#problem });
    for (const job of [...this.#jobs]) job.end(new ScorerError('failed', this.#problem));
  }

  async #next(): Promise<void> {
    const job = this.#jobs[0];
    if (!job) this.#endWhenIdle();
    if (!job || !this.#ready || this.#busy) return;
    this.#busy = true;
    try {
      const batch = job.requests.slice(job.scores.length, job.scores.length + BATCH_SIZE);
      const scores = await this.#thread!.run(batch.map((request) => this.#textOf(request)));
      if (scores.length !== batch.length || !scores.every(({ score }) => Math.abs(score) <= 1))
        throw new ScorerError('bad_response', 'the local model returned invalid scores');
      this.#failures = 0;
      job.scores.push(...scores);
      if (job.scores.length === job.requests.length) job.end();
      else this.#requeue(job);
    } catch (error) {
      // Only this request: it may have caused the failure. The others wait for the next thread.
      job.end(error as ScorerError);
    } finally {
      this.#busy = false;
    }
    void this.#next();
  }

  #requeue(job: Job): void {
    // The caller may have aborted it meanwhile.
    if (this.#jobs[0] !== job) return;
    this.#jobs.shift();
    this.#jobs.push(job);
  }

  #textOf({ text, category, symbol }: ScoreRequest): ScoreText {
    const target = symbol === null ? undefined : this.#options.targetsOf?.(symbol);
    return { text: text.slice(0, MAX_TEXT), ...(category && { category }), ...(target && { target }) };
  }

  #loadFirst(): void {
    if (!this.#thread && !this.#stopped && this.#problem === null) this.#load();
  }

  #load(): void {
    const { loadMs, batchMs } = this.#limits;
    clearTimeout(this.#restart);
    const thread: ScoreThread = new ScoreThread({
      // Named as in a package. In a checkout, Bun finds the `.ts` file.
      worker: this.#options.worker ?? new URL('./score-worker.js', import.meta.url),
      loadMs,
      batchMs,
      onReady: (version) => {
        this.#version = version;
        this.#ready = true;
        void this.#next();
      },
      onEnd: (reason) => this.#threadEnded(thread, reason),
    });
    this.#thread = thread;
  }

  #endWhenIdle(): void {
    clearTimeout(this.#idle);
    this.#idle = setTimeout(() => {
      const thread = this.#thread;
      if (!this.#ready || this.#jobs.length > 0) return;
      this.#thread = null;
      this.#ready = false;
      void thread?.stop();
    }, this.#limits.idleMs);
    this.#idle.unref();
  }

  #threadEnded(thread: ScoreThread, reason: ScorerError): void {
    // It was ended because there was nothing to do.
    if (this.#thread !== thread) return;
    this.#ready = false;
    if (this.#stopped) return;
    this.#failures++;
    const wait = backOffMs(this.#failures, { firstMs: this.#limits.restartMs, maxMs: MAX_RESTART_MS });
    // Once per series of failures, and once more if it continues.
    if (this.#failures === 1 || this.#failures === MAX_FAILURES)
      this.#options.log.warn('the local sentiment model failed and is restarted', {
        reason: reason.message,
        wait_ms: wait,
      });
    this.#restart = setTimeout(() => {
      this.#restarts++;
      this.#load();
    }, wait);
    this.#restart.unref();
  }
}
