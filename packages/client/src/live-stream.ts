// A stream as something to loop over. Between the socket and a loop that is slow lies a bounded buffer; when it is full the
// stream either waits for its reader, losing nothing, or goes on with the newest of each symbol and says what it left out.
import type { Notice } from './contract.ts';
import type { Gap } from './gap.ts';
import type { StreamState } from './link.ts';
import { Mailbox, type StateEvent, type StreamEvent } from './mailbox.ts';
import { Stream, type StreamSetup } from './stream.ts';
import type { StreamOptions } from './terms.ts';
import type { MessageOf, StreamKind } from './wire.ts';

interface Reading {
  /** Events that may wait for the reader. Default 10,000. */
  readonly buffer?: number;
  /** Ends the stream, and the loop over it. */
  readonly signal?: AbortSignal;
  /** Called when something is missing, before the loop gets there; `events()` has gaps in their place. */
  readonly onGap?: (gap: Gap) => void;
  /** Answers and notices of the service, pongs left out. */
  readonly onNotice?: (notice: Notice) => void;
}
interface Overflow {
  /**
   * When the buffer is full. `wait`: the stream lets go of its connection until half of it is read, then resumes: nothing is
   * lost while the service still has it, and a gap tells where it has not. `latest`: only the newest message of each symbol
   * stays, after a gap. Default `wait`; `latest` for bars and with `maxRate` or `resume: false`, which cannot be resumed.
   */
  readonly overflow?: 'wait' | 'latest';
}
/** Signals and news are never thinned out. */
export type LiveOptions<K extends StreamKind> = StreamOptions<K> &
  Reading &
  (K extends 'signals' | 'news' ? unknown : Overflow);

const BUFFER = 10_000;

export class LiveStream<K extends StreamKind> implements AsyncIterable<MessageOf<K>> {
  readonly #mailbox = new Mailbox<MessageOf<K>>();
  readonly #stream: Stream<K>;
  readonly #capacity: number;
  readonly #thins: boolean;
  readonly #watchers = new Set<() => void>();
  #condition: StateEvent = { type: 'state', state: 'connecting', end: null, retryInMs: null };
  #threshold: number;
  #held = false;
  #read = false;

  constructor(setup: StreamSetup, kind: K, options: LiveOptions<K>) {
    const { buffer = BUFFER, signal, onGap, onNotice, overflow, ...asked } = options as LiveOptions<K> & Overflow;
    if (!(buffer >= 1)) throw new RangeError('buffer: at least 1');
    this.#capacity = this.#threshold = buffer;
    const { resume = true, maxRate } = asked as { resume?: boolean; maxRate?: number };
    this.#thins = (overflow ?? (kind === 'bars' || maxRate !== undefined || !resume ? 'latest' : 'wait')) === 'latest';
    const abort = (): void => this.close();
    signal?.throwIfAborted();
    this.#stream = new Stream(setup, kind, asked as unknown as StreamOptions<K>, {
      onMessage: (message) => this.#put({ type: 'message', message }),
      onGap: (gap) => {
        this.#put(gap);
        onGap?.(gap);
      },
      onState: (state, detail) => {
        this.#condition = { type: 'state', state, ...detail };
        this.#put(this.#condition);
        if (state === 'closed') signal?.removeEventListener('abort', abort);
        for (const wake of [...this.#watchers]) wake();
      },
      ...(onNotice && { onNotice }),
    });
    signal?.addEventListener('abort', abort);
  }

  get state(): StreamState {
    return this.#condition.state;
  }

  get symbols(): readonly string[] {
    return this.#stream.symbols;
  }

  /** Changes what is subscribed, while the loop goes on. */
  setSymbols(symbols: readonly string[]): void {
    this.#stream.setSymbols(symbols);
  }

  /** Ends the loop once it has read what is waiting. Leaving the loop closes the stream, too. */
  close(): void {
    this.#stream.close();
  }

  /** The messages. Ends when the stream is closed; throws a TickwireError where the service ended it for good. */
  async *[Symbol.asyncIterator](): AsyncGenerator<MessageOf<K>, void, undefined> {
    for await (const event of this.events()) if (event.type === 'message') yield event.message;
  }

  /** Messages, gaps and changes of state, in the order they happened. A stream is looped over once, in one way. */
  async *events(): AsyncGenerator<StreamEvent<MessageOf<K>>, void, undefined> {
    if (this.#read) throw new TypeError('A stream is looped over once: open another for a second reader');
    this.#read = true;
    try {
      for (;;) {
        const event = this.#mailbox.take();
        if (event) {
          if (this.#held && this.#mailbox.size <= this.#capacity / 2) this.#release();
          yield event;
        } else if (this.state === 'closed') break;
        else await this.#mailbox.stirred();
      }
    } finally {
      this.close();
    }
    const { error } = this.#stream;
    if (error) throw error;
  }

  /** The state as it is, then each change; a reader that is slow sees the newest. Any number may look. */
  async *states(): AsyncGenerator<StateEvent, void, undefined> {
    for (let seen: StateEvent | null = null; seen?.state !== 'closed'; ) {
      if (seen !== this.#condition) {
        seen = this.#condition;
        yield seen;
      } else
        await new Promise<void>((resolve) => {
          const wake = (): void => {
            this.#watchers.delete(wake);
            resolve();
          };
          this.#watchers.add(wake);
        });
    }
  }

  #put(event: StreamEvent<MessageOf<K>>): void {
    this.#mailbox.push(event);
    if (this.#mailbox.size < this.#threshold || event.type !== 'message') return;
    if (this.#thins) {
      this.#mailbox.thinOut();
      // With more symbols than room, thinning out at every message would be all that is done.
      this.#threshold = Math.max(this.#capacity, this.#mailbox.size * 2);
    } else if (!this.#held) {
      this.#held = true;
      this.#stream.hold();
    }
  }

  #release(): void {
    this.#held = false;
    this.#stream.release();
  }
}
