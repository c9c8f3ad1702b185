// Parses feeds on a worker thread, one after the other, each within a deadline. A large feed would block the event loop, and
// a hostile one could keep the parser busy for hours: some texts, such as an author of a million brackets, cost feedsmith
// quadratic time. If parsing exceeds the deadline, the thread is terminated.
import { type FeedDocument, type ParsedFeed, parseFailure } from './parsed-feed.ts';

/** A regular feed of five megabytes takes one or two seconds on a slow core. */
const DEADLINE_MS = 10_000;

export class FeedParser {
  readonly #deadlineMs: number;
  #worker: Worker | null = null;
  #last: Promise<unknown> = Promise.resolve();
  #cancel: ((reason: string) => void) | null = null;
  #stopped = false;

  constructor(deadlineMs = DEADLINE_MS) {
    this.#deadlineMs = deadlineMs;
  }

  /** Never rejects. The caller limits the number of concurrent calls. */
  parse(feed: FeedDocument): Promise<ParsedFeed> {
    const parsed = this.#last.then(() => this.#parse(feed));
    this.#last = parsed;
    return parsed;
  }

  stop(): void {
    this.#stopped = true;
    this.#cancel?.('stopped');
    this.#terminate();
  }

  async #parse(feed: FeedDocument): Promise<ParsedFeed> {
    if (this.#stopped) return parseFailure('too_slow', 'stopped');
    this.#worker ??= new Worker(new URL('./feed-parser.worker.ts', import.meta.url));
    const worker = this.#worker;
    let timer: Timer | undefined;
    const parsed = await new Promise<ParsedFeed>((resolve) => {
      this.#cancel = (reason) => {
        this.#terminate();
        resolve(parseFailure('too_slow', reason));
      };
      timer = setTimeout(this.#cancel, this.#deadlineMs, `not parsed within ${this.#deadlineMs} ms`);
      worker.onmessage = ({ data }: MessageEvent<ParsedFeed>) => resolve(data);
      worker.onerror = ({ message }) => {
        this.#terminate();
        resolve(parseFailure('malformed', message));
      };
      worker.postMessage(feed);
    });
    clearTimeout(timer);
    this.#cancel = null;
    return parsed;
  }

  #terminate(): void {
    this.#worker?.terminate();
    this.#worker = null;
  }
}
