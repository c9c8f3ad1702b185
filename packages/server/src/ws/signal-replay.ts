// Replays signals, as far back as the signal log goes: older ones from the store, the newest from memory. Their numbers are
// those of the log, so a restart of the service in between makes no difference.
import type { MarketSymbol } from '@tickwire/engine';
import { type AnySignalEvent, STREAM_OF_EVENT } from '../journal/journal.ts';
import type { SignalEvents } from '../signals/signal-events.ts';
import { signalBody } from './encode.ts';
import type { EventRing } from './message-ring.ts';
import type { ReplayQuota } from './replay-quota.ts';
import { TURN_BYTES } from './replay-scheduler.ts';
import { newestOf, type SignalStreams } from './signal-topics.ts';
import type { Replay, ReplayProgress, Subscriber } from './subscriber.ts';
import { variantOf } from './topic.ts';

const PAGE = 500;
/** What reading a record of the store counts against the limit of replayed bytes, whether or not it is sent. */
const STORED_BYTES = 512;

export interface SignalReplayOptions {
  readonly subscriber: Subscriber;
  readonly symbols: readonly MarketSymbol[];
  readonly streams: SignalStreams;
  readonly ring: EventRing<AnySignalEvent>;
  readonly signalEvents: Pick<SignalEvents, 'epoch' | 'after' | 'lastAt'>;
  /** The subscriber has everything up to this record of the log. */
  readonly after: number;
  readonly quota: ReplayQuota;
  /** Called if the account may not replay messages after this record now. */
  readonly onLost: (n: number) => void;
  /** Called when the replay can go on. */
  readonly wake: () => void;
  readonly onFault: (error: unknown) => void;
}

export class SignalReplay implements Replay {
  readonly subscriber: Subscriber;
  readonly keys: readonly string[];
  readonly #options: SignalReplayOptions;
  /** Number of the last message of each symbol that the subscriber has received; `null` until it is known. */
  #prevs: Map<string, number> | null = null;
  #page: readonly AnySignalEvent[] = [];
  #at = 0;
  #last: number;
  #fetching = false;
  /** Bytes sent so far. */
  #bytes = 0;
  /** Records read from the store that the quota has not counted yet. */
  #read = 0;

  constructor(options: SignalReplayOptions) {
    this.subscriber = options.subscriber;
    this.keys = options.symbols;
    this.#options = options;
    this.#last = options.after;
  }

  step(): ReplayProgress {
    const { subscriber, quota, onLost } = this.#options;
    if (this.#fetching) return 'wait';
    if (quota.exhausted(subscriber)) {
      onLost(this.#last);
      return 'done';
    }
    if (!this.#prevs) return this.#fetch(() => this.#fetchPrevs());
    const before = this.#bytes;
    const progress = this.#sendTurn();
    quota.count(subscriber, Math.max(this.#bytes - before, this.#read * STORED_BYTES));
    this.#read = 0;
    return progress;
  }

  #sendTurn(): ReplayProgress {
    const { ring } = this.#options;
    const until = this.#bytes + TURN_BYTES;
    while (this.#bytes < until && this.#at < this.#page.length) this.#send(this.#page[this.#at++]!);
    if (this.#at < this.#page.length) return 'more';
    if (this.#last < ring.lostUntil) return this.#fetch(() => this.#fetchPage());
    for (let at = ring.firstAfter(this.#last); at < ring.end; at++) {
      if (this.#bytes >= until) return 'more';
      this.#send(ring.itemAt(at));
    }
    return 'done';
  }

  #send(event: AnySignalEvent): void {
    const { subscriber, streams, signalEvents } = this.#options;
    const { symbol, n } = event;
    this.#last = n;
    if (!streams.includes(STREAM_OF_EVENT[event.kind])) return;
    const prev = this.#prevs!.get(symbol) ?? 0;
    this.#prevs!.set(symbol, n);
    if (subscriber.replaying?.get(symbol) !== this) return;
    const { variant } = subscriber.subscriptions.get(symbol)!;
    const text = variantOf(variant, 'signals', signalBody(event), null, n, prev, signalEvents.epoch);
    subscriber.socket.send(text);
    this.#bytes += text.length;
  }

  #fetch(work: () => Promise<void>): ReplayProgress {
    this.#fetching = true;
    work()
      .then(() => {
        this.#fetching = false;
        this.#options.wake();
      })
      .catch(this.#options.onFault);
    return 'wait';
  }

  async #fetchPrevs(): Promise<void> {
    const { signalEvents, symbols, streams, after } = this.#options;
    const last = await signalEvents.lastAt(symbols, after);
    this.#prevs = new Map([...last].map(([symbol, numbers]) => [symbol, newestOf(numbers, streams)]));
  }

  async #fetchPage(): Promise<void> {
    const { signalEvents, ring } = this.#options;
    // Read before the query: the ring may lose more while it runs, and the next step must notice that.
    const { lostUntil } = ring;
    this.#page = await signalEvents.after(this.#last, PAGE);
    this.#at = 0;
    this.#read += this.#page.length;
    if (this.#page.length === 0) this.#last = Math.max(this.#last, lostUntil);
  }
}
