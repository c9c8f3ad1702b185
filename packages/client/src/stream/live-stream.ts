// A stream as an async iterable. A bounded queue lies between the socket and the loop. If the loop is too slow, the stream
// either disconnects until the loop has caught up, or keeps only the newest message of each symbol and reports a gap.
import type { Notice } from '../common/contract.ts';
import { EventQueue, type StateEvent, type StreamEvent } from './event-queue.ts';
import { warnOfFailures } from './failure-warning.ts';
import type { Gap } from './gap.ts';
import type { EventKind, MessageOf, StreamKind } from './messages.ts';
import type { StateDetail, StreamState } from './reconnecting-socket.ts';
import { type ConnectionConfig, type RejectedSymbol, Stream } from './stream.ts';
import { canResume, type StreamOptions } from './stream-options.ts';

/** Options of every stream to loop over. */
interface LoopOptions {
  /** Number of events that may wait for your loop, at least 1. Default 10,000. */
  readonly buffer?: number;
  /** Closes the stream and ends the loop when aborted. */
  readonly signal?: AbortSignal;
  /**
   * Whether the stream may use the connection of other streams of the client, if they have other symbols, kinds or timeframes. One
   * connection counts as one of the streams that the tier allows. Default true.
   */
  readonly share?: boolean;
  /**
   * In a replay: the clock stands still while your loop handles the messages of a time. It goes on when the loop asks for more, and the
   * loop ends with the range. The stream has a separate connection, and no limit of its buffer. Default false.
   */
  readonly lockstep?: boolean;
  /** Called as soon as a gap is detected, before the loop gets there. `events()` also yields gaps, in order. */
  readonly onGap?: (gap: Gap) => void;
  /**
   * Called if the service rejected some of the symbols, for example because they do not exist; the loop continues with the
   * others. Without it, the loop throws a {@link TickwireError}.
   */
  readonly onRejected?: (rejected: readonly RejectedSymbol[]) => void;
  /** Called with each response and notice of the service, except pongs. */
  readonly onNotice?: (notice: Notice) => void;
  /** Called at each change of state. Without it, the first failed attempt to connect is written to the console. */
  readonly onState?: (state: StreamState, detail: StateDetail) => void;
}
/** Option of streams whose messages may be dropped. */
interface OverflowOption {
  /**
   * What happens when the buffer is full.
   * - `wait`: the stream unsubscribes until half of the buffer is read, then resumes. Nothing is lost as long as the service
   *   still has the messages; otherwise there is a gap.
   * - `latest`: only the newest message of each symbol is kept, after a gap.
   *
   * Default `wait`; `latest` with `maxRate` or `resume: false`, because these streams cannot resume.
   */
  readonly overflow?: 'wait' | 'latest';
}

/**
 * Options of a stream to loop over. Perpetuals, signals, news and alerts have no `overflow` option: none of their messages are ever
 * dropped.
 * @example const options: LiveOptions<'market'> = { symbols: ['*'], buffer: 100, overflow: 'latest' };
 */
export type LiveOptions<K extends StreamKind> = StreamOptions<K> &
  LoopOptions &
  (K extends EventKind ? unknown : OverflowOption);

const DEFAULT_BUFFER = 10_000;

/**
 * A stream to loop over, opened with the methods of `client.live`. It reconnects and resumes by itself.
 * @example for await (const tick of client.live.ticks({ symbols: ['EURUSD'] })) console.log(tick.bid);
 */
export class LiveStream<K extends StreamKind> implements AsyncIterable<MessageOf<K>> {
  readonly #queue = new EventQueue<MessageOf<K>>();
  readonly #stream: Stream<K>;
  readonly #capacity: number;
  readonly #keepsLatest: boolean;
  readonly #stateWatchers = new Set<() => void>();
  #current: StateEvent = { type: 'state', state: 'connecting', end: null, retryInMs: null };
  /** Queue size at which the overflow policy applies. */
  #threshold: number;
  #paused = false;
  /** In lockstep: whether the connection is new, and whether the clock waits for the loop. */
  #isNew = true;
  #isAwaited = false;
  #iterated = false;

  /** Created by the methods of {@link Live}. */
  constructor(config: ConnectionConfig, kind: K, options: LiveOptions<K>) {
    const {
      buffer = DEFAULT_BUFFER,
      signal,
      share = true,
      lockstep = false,
      onGap,
      onRejected,
      onNotice,
      onState = warnOfFailures(kind, config.url),
      overflow,
      ...rest
    } = options as LiveOptions<K> & OverflowOption;
    if (!(buffer >= 1)) throw new RangeError('`buffer` must be at least 1');
    if (overflow !== undefined && overflow !== 'wait' && overflow !== 'latest')
      throw new RangeError("`overflow` must be 'wait' or 'latest'");
    if (lockstep && config.credentials.replay === undefined)
      throw new TypeError('`lockstep` needs the client of a replay: client.replay(id)');
    this.#capacity = buffer;
    this.#threshold = lockstep ? Number.POSITIVE_INFINITY : buffer;
    this.#keepsLatest =
      (overflow ?? (canResume(kind, rest as Parameters<typeof canResume>[1]) ? 'wait' : 'latest')) === 'latest';
    const abort = (): void => this.close();
    signal?.throwIfAborted();
    const url = lockstep ? `${config.url}&lockstep=true` : config.url;
    const noticed = lockstep
      ? (notice: Notice): void => {
          this.#keepStep(notice);
          onNotice?.(notice);
        }
      : onNotice;
    this.#stream = new Stream(
      share && !lockstep ? config : { ...config, url, shared: undefined },
      kind,
      rest as unknown as StreamOptions<K>,
      {
        onMessage: (message) => this.#push({ type: 'message', message }),
        onGap: (gap) => {
          this.#push(gap);
          onGap?.(gap);
        },
        onState: (state, detail) => {
          this.#current = { type: 'state', state, ...detail };
          this.#push(this.#current);
          if (state === 'connecting') {
            this.#isNew = true;
            this.#isAwaited = false;
          }
          if (state === 'closed') signal?.removeEventListener('abort', abort);
          for (const wake of [...this.#stateWatchers]) wake();
          onState(state, detail);
        },
        ...(onRejected && { onRejected }),
        ...(noticed && { onNotice: noticed }),
      },
    );
    signal?.addEventListener('abort', abort);
  }

  /** The current state. */
  get state(): StreamState {
    return this.#current.state;
  }

  /** The subscribed symbols, in upper case. */
  get symbols(): readonly string[] {
    return this.#stream.symbols;
  }

  /**
   * Replaces the subscribed symbols while the loop runs.
   * @example ticks.setSymbols(['EURUSD', 'XAUUSD']);
   */
  setSymbols(symbols: readonly string[]): void {
    this.#stream.setSymbols(symbols);
  }

  /**
   * Closes the stream. The loop ends after it has read the waiting events. Leaving the loop closes the stream, too.
   * @example ticks.close();
   */
  close(): void {
    this.#stream.close();
  }

  /**
   * Yields the messages. Ends when the stream is closed; throws a {@link TickwireError} if the service ended it.
   * @example for await (const { symbol, bid, ask } of ticks) console.log(symbol, bid, ask);
   */
  async *[Symbol.asyncIterator](): AsyncGenerator<MessageOf<K>, void, undefined> {
    for await (const event of this.events()) if (event.type === 'message') yield event.message;
  }

  /**
   * Yields messages, gaps and changes of state, in order. A stream can be looped over only once.
   * @example for await (const event of ticks.events()) if (event.type === 'gap') console.warn(event.reason);
   */
  async *events(): AsyncGenerator<StreamEvent<MessageOf<K>>, void, undefined> {
    if (this.#iterated) throw new TypeError('A stream can be looped over only once; open a second stream instead');
    this.#iterated = true;
    try {
      for (;;) {
        const event = this.#queue.take();
        if (event) {
          if (this.#paused && this.#queue.size <= this.#capacity / 2) this.#resume();
          yield event;
        } else if (this.state === 'closed') break;
        else {
          // The loop has handled everything.
          if (this.#isAwaited) this.#stream.ask('next');
          this.#isAwaited = false;
          await this.#queue.pushed();
        }
      }
    } finally {
      this.close();
    }
    const { error } = this.#stream;
    if (error) throw error;
  }

  /**
   * Yields the current state, then each change until the stream is closed. A slow loop sees only the newest state. Any
   * number of loops may run at the same time.
   * @example for await (const { state, retryInMs } of ticks.states()) console.log(state, retryInMs);
   */
  async *states(): AsyncGenerator<StateEvent, void, undefined> {
    for (let seen: StateEvent | null = null; seen?.state !== 'closed'; ) {
      if (seen !== this.#current) {
        seen = this.#current;
        yield seen;
      } else
        await new Promise<void>((resolve) => {
          const wake = (): void => {
            this.#stateWatchers.delete(wake);
            resolve();
          };
          this.#stateWatchers.add(wake);
        });
    }
  }

  #keepStep({ event }: Notice): void {
    if (event === 'subscribed' && this.#isNew) {
      this.#isNew = false;
      // The reply follows the snapshots.
      this.#stream.ask('list');
    } else if (event === 'subscriptions' || event === 'waiting') {
      this.#isAwaited = true;
      this.#queue.wake();
    } else if (event === 'ended') this.close();
  }

  #push(event: StreamEvent<MessageOf<K>>): void {
    this.#queue.push(event);
    if (this.#queue.size < this.#threshold || event.type !== 'message') return;
    if (this.#keepsLatest) {
      this.#queue.keepLatest();
      // With more symbols than capacity, every message would otherwise rebuild the queue.
      this.#threshold = Math.max(this.#capacity, this.#queue.size * 2);
    } else if (!this.#paused) {
      this.#paused = true;
      this.#stream.pause();
    }
  }

  #resume(): void {
    this.#paused = false;
    this.#stream.resume();
  }
}
