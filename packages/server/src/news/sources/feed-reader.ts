// Reads feeds on a thread of their own, one after the other, each within its time. A large feed would hold up the event
// loop, and a hostile one could keep a parser busy for hours: there are texts, such as an author of a million brackets,
// that feedsmith looks through once for each of their characters. A reading that takes too long ends with its thread.
import { type FeedBytes, type FeedReading, refused } from './feed-reading.ts';

/** Five megabytes of an honest feed take a second or two on a slow core. */
const DEADLINE_MS = 10_000;

export class FeedReader {
  readonly #deadlineMs: number;
  #thread: Worker | null = null;
  #last: Promise<unknown> = Promise.resolve();
  #giveUp: ((why: string) => void) | null = null;
  #stopped = false;

  constructor(deadlineMs = DEADLINE_MS) {
    this.#deadlineMs = deadlineMs;
  }

  /** Never rejects. Whoever calls bounds how many wait. */
  read(feed: FeedBytes): Promise<FeedReading> {
    const reading = this.#last.then(() => this.#read(feed));
    this.#last = reading;
    return reading;
  }

  stop(): void {
    this.#stopped = true;
    this.#giveUp?.('stopped');
    this.#end();
  }

  async #read(feed: FeedBytes): Promise<FeedReading> {
    if (this.#stopped) return refused('too_slow', 'stopped');
    this.#thread ??= new Worker(new URL('./feed-reader.worker.ts', import.meta.url));
    const thread = this.#thread;
    let timer: Timer | undefined;
    const reading = await new Promise<FeedReading>((resolve) => {
      this.#giveUp = (why) => {
        this.#end();
        resolve(refused('too_slow', why));
      };
      timer = setTimeout(this.#giveUp, this.#deadlineMs, `not read within ${this.#deadlineMs} ms`);
      thread.onmessage = ({ data }: MessageEvent<FeedReading>) => resolve(data);
      thread.onerror = ({ message }) => {
        this.#end();
        resolve(refused('malformed', message));
      };
      thread.postMessage(feed);
    });
    clearTimeout(timer);
    this.#giveUp = null;
    return reading;
  }

  #end(): void {
    this.#thread?.terminate();
    this.#thread = null;
  }
}
