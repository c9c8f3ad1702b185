// Parses documents on a worker thread, one after the other, each within a deadline. A large document would block the event
// loop, and a hostile one could keep a parser busy for hours. If parsing exceeds the deadline, the thread is terminated.
import { WorkQueue } from '../work/work-queue.ts';

/** A regular document of five megabytes takes one or two seconds on a slow core. */
const DEADLINE_MS = 10_000;
/** A new thread loads its scripts first. That is not the fault of the document. */
const START_MS = 30_000;
/** What a thread sends once it can parse. */
const READY = 'ready';

/** Runs on the thread: one document in, one result out. */
export function serveParser<Document, Result>(parse: (document: Document) => Result): void {
  const thread = globalThis as unknown as Worker;
  thread.onmessage = ({ data }: MessageEvent<Document>) => thread.postMessage(parse(data));
  thread.postMessage(READY);
}

export interface WorkerParserOptions<Result> {
  readonly open: () => Worker;
  /** The result of a document that could not be parsed: it took too long, or the thread failed. */
  readonly failed: (failure: 'too_slow' | 'malformed', detail: string) => Result;
  readonly deadlineMs?: number;
}

export class WorkerParser<Document, Result> {
  readonly #options: WorkerParserOptions<Result>;
  #worker: Worker | null = null;
  #isReady = false;
  readonly #queue = new WorkQueue(1);
  #cancel: ((reason: string) => void) | null = null;
  #stopped = false;

  constructor(options: WorkerParserOptions<Result>) {
    this.#options = options;
  }

  /** Never rejects. The caller limits the number of concurrent calls. */
  parse(document: Document): Promise<Result> {
    return this.#queue.run(() => this.#parse(document));
  }

  stop(): void {
    this.#stopped = true;
    this.#cancel?.('stopped');
    this.#terminate();
  }

  async #parse(document: Document): Promise<Result> {
    const { open, failed, deadlineMs = DEADLINE_MS } = this.#options;
    if (this.#stopped) return failed('too_slow', 'stopped');
    this.#worker ??= open();
    const worker = this.#worker;
    let timer: Timer | undefined;
    const parsed = await new Promise<Result>((resolve) => {
      this.#cancel = (reason) => {
        this.#terminate();
        resolve(failed('too_slow', reason));
      };
      const begin = (): void => {
        clearTimeout(timer);
        timer = setTimeout(this.#cancel!, deadlineMs, `not parsed within ${deadlineMs} ms`);
        worker.postMessage(document);
      };
      worker.onmessage = ({ data }: MessageEvent<Result | typeof READY>) => {
        if (data !== READY) resolve(data);
        else {
          this.#isReady = true;
          begin();
        }
      };
      worker.onerror = ({ message }) => {
        this.#terminate();
        resolve(failed('malformed', message));
      };
      timer = setTimeout(this.#cancel, START_MS, 'the thread did not start');
      if (this.#isReady) begin();
    });
    clearTimeout(timer);
    this.#cancel = null;
    return parsed;
  }

  #terminate(): void {
    this.#worker?.terminate();
    this.#worker = null;
    this.#isReady = false;
  }
}
