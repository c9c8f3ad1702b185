// One worker thread that scores headlines, a batch at a time. It is terminated if a batch exceeds its time limit.
import { Worker } from 'node:worker_threads';
import type { NewsCategory } from '@tickwire/contract';
import type { SentimentTarget, TextSentiment } from '@tickwire/sentiment';
import { ScorerError } from './scorer.ts';

export interface ScoreTask {
  readonly id: number;
  readonly texts: readonly ScoreText[];
}

export interface ScoreText {
  readonly text: string;
  /** The model's probabilities are calibrated per category. */
  readonly category?: NewsCategory;
  readonly target?: SentimentTarget;
}

export type ScoreReply =
  | { readonly kind: 'ready'; readonly version: string }
  | { readonly kind: 'scores'; readonly id: number; readonly scores: readonly TextSentiment[] }
  | { readonly kind: 'failed'; readonly id: number; readonly reason: string };

export interface ScoreThreadOptions {
  readonly worker: URL;
  readonly loadMs: number;
  readonly batchMs: number;
  readonly onReady: (version: string) => void;
  /** Called once when the thread has ended for any reason, after a running batch was rejected. */
  readonly onEnd: (reason: ScorerError) => void;
}

interface Batch {
  readonly id: number;
  readonly resolve: (scores: readonly TextSentiment[]) => void;
  readonly reject: (error: ScorerError) => void;
}

export class ScoreThread {
  readonly #options: ScoreThreadOptions;
  readonly #worker: Worker;
  #batch: Batch | null = null;
  #tasks = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #ended = false;

  constructor(options: ScoreThreadOptions) {
    this.#options = options;
    this.#worker = new Worker(options.worker);
    this.#worker.on('message', (reply: ScoreReply) => this.#receive(reply));
    this.#worker.on('error', (error: Error) =>
      this.#end(new ScorerError('failed', `the thread failed: ${error.message}`)),
    );
    this.#worker.on('exit', (code) => this.#end(new ScorerError('failed', `the thread exited (${code})`)));
    // The thread must not keep the process alive.
    this.#worker.unref();
    this.#setTimeout(options.loadMs, 'the model was not loaded');
  }

  /** One batch at a time, and only after `onReady`. */
  run(texts: readonly ScoreText[]): Promise<readonly TextSentiment[]> {
    return new Promise((resolve, reject) => {
      const id = ++this.#tasks;
      this.#batch = { id, resolve, reject };
      this.#setTimeout(this.#options.batchMs, `${texts.length} headlines were not scored`);
      this.#worker.postMessage({ id, texts } satisfies ScoreTask);
    });
  }

  async stop(): Promise<void> {
    this.#end(new ScorerError('stopped', 'the service is stopping'));
    await this.#worker.terminate();
  }

  #receive(reply: ScoreReply): void {
    if (this.#ended) return;
    clearTimeout(this.#timer);
    if (reply.kind === 'ready') {
      this.#options.onReady(reply.version);
      return;
    }
    const batch = this.#batch;
    if (batch?.id !== reply.id) return;
    this.#batch = null;
    if (reply.kind === 'scores') batch.resolve(reply.scores);
    else batch.reject(new ScorerError('failed', reply.reason));
  }

  #setTimeout(ms: number, what: string): void {
    this.#timer = setTimeout(() => {
      this.#end(new ScorerError('timed_out', `${what} within ${ms} ms`));
      void this.#worker.terminate();
    }, ms);
  }

  #end(reason: ScorerError): void {
    if (this.#ended) return;
    this.#ended = true;
    clearTimeout(this.#timer);
    this.#batch?.reject(reason);
    this.#batch = null;
    this.#options.onEnd(reason);
  }
}
