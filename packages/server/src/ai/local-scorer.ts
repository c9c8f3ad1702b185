// The model that is part of the service: always there, in a thread that is started anew when it breaks. Requests take turns,
// a batch each, so that one headline does not wait for a thousand of somebody else.
import type { MarketSymbol } from '@tickwire/engine';
import type { Target } from '@tickwire/sentiment';
import type { Log } from '../ops/log.ts';
import { type ScoreText, ScoreThread } from './score-thread.ts';
import type { Score, ScoreRequest, Scorer } from './scorer.ts';
import { ScorerError } from './scorer-error.ts';
import { scoreOf } from './sentiment-label.ts';

const BATCH = 16;
const MAX_WAITING = 5_000;
/** In UTF-16 units: more than the model reads, and a bound on what is handed over. */
const MAX_TEXT = 4_000;
const LOAD_MS = 20_000;
const BATCH_MS = 5_000;
const REQUEST_MS = 60_000;
const FIRST_RESTART_MS = 100;
const LONGEST_RESTART_MS = 30_000;
/** In a row, until it counts as not available while it is down. */
const FAILURES = 3;

export interface LocalScorerOptions {
  readonly log: Log;
  /** What an instrument and those it is held against are called in texts. */
  readonly targetsOf?: (symbol: MarketSymbol) => Target | undefined;
  readonly worker?: URL;
  /** A start has better things to do with the first second of a core. */
  readonly loadAfterMs?: number;
  readonly limits?: Partial<Limits>;
}

interface Limits {
  readonly waiting: number;
  readonly loadMs: number;
  readonly batchMs: number;
  readonly requestMs: number;
  readonly restartMs: number;
}

interface Job {
  readonly requests: readonly ScoreRequest[];
  readonly scores: number[];
  readonly end: (error?: ScorerError) => void;
}

export class LocalScorer implements Scorer {
  readonly id = 'local';
  readonly kind = 'local';
  readonly #options: LocalScorerOptions;
  readonly #limits: Limits;
  #thread: ScoreThread | null = null;
  #version: string | null = null;
  #ready = false;
  #busy = false;
  #failures = 0;
  #restarts = 0;
  #restart: ReturnType<typeof setTimeout> | undefined;
  #stopped = false;
  /** In the order of their turns. */
  #jobs: Job[] = [];
  #waiting = 0;

  /** Loads after `loadAfterMs`, or with the first request. */
  constructor(options: LocalScorerOptions) {
    this.#options = options;
    this.#limits = {
      waiting: MAX_WAITING,
      loadMs: LOAD_MS,
      batchMs: BATCH_MS,
      requestMs: REQUEST_MS,
      restartMs: FIRST_RESTART_MS,
      ...options.limits,
    };
    const { loadAfterMs = 0 } = options;
    if (loadAfterMs === 0) this.#load();
    else this.#restart = setTimeout(() => this.#load(), loadAfterMs);
  }

  get version(): string {
    return this.#version ?? 'loading';
  }

  /** Headlines that wait, and how often the thread was started anew. */
  get status(): { readonly waiting: number; readonly restarts: number } {
    return { waiting: this.#waiting, restarts: this.#restarts };
  }

  available(): boolean {
    return !this.#stopped && (this.#ready || this.#failures < FAILURES);
  }

  score(requests: readonly ScoreRequest[], signal?: AbortSignal): Promise<Score[]> {
    if (requests.length === 0) return Promise.resolve([]);
    return new Promise((resolve, reject) => {
      if (this.#stopped) throw new ScorerError('stopped', 'the service is stopping');
      if (signal?.aborted) throw new ScorerError('aborted', 'nobody waits for the scores any more');
      if (this.#waiting + requests.length > this.#limits.waiting)
        throw new ScorerError('queue_full', `${this.#waiting} headlines wait already`);
      const scores: number[] = [];
      const abort = (): void => job.end(new ScorerError('aborted', 'nobody waits for the scores any more'));
      const late = (): void => job.end(new ScorerError('timed_out', 'the headlines waited too long'));
      const timer = setTimeout(late, this.#limits.requestMs);
      let ended = false;
      const end = (error?: ScorerError): void => {
        if (ended) return;
        ended = true;
        clearTimeout(timer);
        signal?.removeEventListener('abort', abort);
        this.#waiting -= requests.length;
        this.#jobs = this.#jobs.filter((each) => each !== job);
        if (error) reject(error);
        else resolve(scores.map((value, index) => scoreOf(value, requests[index]!.category, this.version)));
      };
      const job: Job = { requests, scores, end };
      signal?.addEventListener('abort', abort, { once: true });
      this.#waiting += requests.length;
      this.#jobs.push(job);
      if (!this.#thread) this.#load();
      void this.#next();
    });
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    clearTimeout(this.#restart);
    await this.#thread?.stop();
    for (const job of [...this.#jobs]) job.end(new ScorerError('stopped', 'the service is stopping'));
  }

  async #next(): Promise<void> {
    const job = this.#jobs[0];
    if (!job || !this.#ready || this.#busy) return;
    this.#busy = true;
    try {
      const batch = job.requests.slice(job.scores.length, job.scores.length + BATCH);
      const scores = await this.#thread!.run(batch.map((request) => this.#textOf(request)));
      if (scores.length !== batch.length || !scores.every((score) => Math.abs(score) <= 1))
        throw new ScorerError('bad_answer', 'the local model gave something else than scores');
      this.#failures = 0;
      job.scores.push(...scores);
      if (job.scores.length === job.requests.length) job.end();
      else this.#toTheBack(job);
    } catch (error) {
      // Only this one: it may be what the model broke on. The others wait for the next thread.
      job.end(error as ScorerError);
    } finally {
      this.#busy = false;
    }
    void this.#next();
  }

  #toTheBack(job: Job): void {
    // It may have ended meanwhile: whoever asked went away.
    if (this.#jobs[0] !== job) return;
    this.#jobs.shift();
    this.#jobs.push(job);
  }

  #textOf({ text, category, symbol }: ScoreRequest): ScoreText {
    const target = symbol === null ? undefined : this.#options.targetsOf?.(symbol);
    return { text: text.slice(0, MAX_TEXT), ...(category && { category }), ...(target && { target }) };
  }

  #load(): void {
    const { loadMs, batchMs } = this.#limits;
    clearTimeout(this.#restart);
    this.#thread = new ScoreThread({
      worker: this.#options.worker ?? new URL('./score-worker.ts', import.meta.url),
      loadMs,
      batchMs,
      onReady: (version) => {
        this.#version = version;
        this.#ready = true;
        void this.#next();
      },
      onEnd: (reason) => this.#ended(reason),
    });
  }

  #ended(reason: ScorerError): void {
    this.#ready = false;
    if (this.#stopped) return;
    this.#failures++;
    const wait = Math.min(this.#limits.restartMs * 2 ** (this.#failures - 1), LONGEST_RESTART_MS);
    // Once per bout of trouble, and once more where it lasts.
    if (this.#failures === 1 || this.#failures === FAILURES)
      this.#options.log.warn('the local sentiment model is started anew', { reason: reason.message, wait_ms: wait });
    this.#restart = setTimeout(() => {
      this.#restarts++;
      this.#load();
    }, wait);
    this.#restart.unref();
  }
}
