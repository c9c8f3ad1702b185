// Replays signals, as far back as the signal log goes: older ones from the store, the newest from memory. Their numbers are
// those of the log, so a restart of the service in between makes no difference.
import { type AnySignalEvent, STREAM_OF_EVENT } from '../../journal/journal.ts';
import type { ReplayRequest } from '../../ws/channel.ts';
import type { EventRing } from '../../ws/message-ring.ts';
import { TURN_BYTES } from '../../ws/replay-scheduler.ts';
import type { Replay, ReplayProgress, Subscriber } from '../../ws/subscriber.ts';
import { variantOf } from '../../ws/topic.ts';
import type { SignalEvents } from '../signal-events.ts';
import { newestOf, type SignalStreams, signalBody } from './signal-topics.ts';

const PAGE = 500;
/** What reading a record of the store counts against the limit of replayed bytes, whether or not it is sent. */
const STORED_BYTES = 512;

export interface SignalSource {
  readonly streams: SignalStreams;
  readonly ring: EventRing<AnySignalEvent>;
  readonly signals: Pick<SignalEvents, 'epoch' | 'newest' | 'after' | 'lastAt'>;
}

export class SignalReplay implements Replay {
  readonly subscriber: Subscriber;
  readonly keys: readonly string[];
  readonly #request: ReplayRequest;
  readonly #source: SignalSource;
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

  constructor(request: ReplayRequest, source: SignalSource) {
    this.subscriber = request.subscriber;
    this.keys = request.subscriptions.map(({ topic }) => topic.key);
    this.#request = request;
    this.#source = source;
    this.#last = request.from.seq;
  }

  step(): ReplayProgress {
    const { subscriber, quota } = this.#request;
    if (this.#fetching) return 'wait';
    if (quota.exhausted(subscriber)) {
      this.#declareLost();
      return 'done';
    }
    if (!this.#prevs) return this.#fetch(() => this.#fetchPrevs());
    const before = this.#bytes;
    const progress = this.#sendTurn();
    quota.count(subscriber, Math.max(this.#bytes - before, this.#read * STORED_BYTES));
    this.#read = 0;
    return progress;
  }

  /** The account may not replay more now. */
  #declareLost(): void {
    const { subscriber, subscriptions, declareGap } = this.#request;
    const lost = subscriptions.filter(({ topic }) => subscriber.replaying?.get(topic.key) === this);
    if (this.#last < this.#source.signals.newest && lost.length > 0) declareGap(lost, this.#last);
  }

  #sendTurn(): ReplayProgress {
    const { ring } = this.#source;
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
    const { subscriber } = this;
    const { streams, signals } = this.#source;
    const { symbol, n } = event;
    this.#last = n;
    if (!streams.includes(STREAM_OF_EVENT[event.kind])) return;
    const prev = this.#prevs!.get(symbol) ?? 0;
    this.#prevs!.set(symbol, n);
    if (subscriber.replaying?.get(symbol) !== this) return;
    const { variant } = subscriber.subscriptions.get(symbol)!;
    const text = variantOf(variant, 'signals', signalBody(event), null, n, prev, signals.epoch);
    subscriber.socket.send(text);
    this.#bytes += text.length;
  }

  #fetch(work: () => Promise<void>): ReplayProgress {
    this.#fetching = true;
    work()
      .then(() => {
        this.#fetching = false;
        this.#request.wake();
      })
      .catch(this.#request.onFault);
    return 'wait';
  }

  async #fetchPrevs(): Promise<void> {
    const { subscriptions, from } = this.#request;
    const { signals, streams } = this.#source;
    const symbols = subscriptions.map(({ topic }) => topic.symbol);
    const last = await signals.lastAt(symbols, from.seq);
    this.#prevs = new Map([...last].map(([symbol, numbers]) => [symbol, newestOf(numbers, streams)]));
  }

  async #fetchPage(): Promise<void> {
    const { signals, ring } = this.#source;
    // Read before the query: the ring may lose more while it runs, and the next step must notice that.
    const { lostUntil } = ring;
    this.#page = await signals.after(this.#last, PAGE);
    this.#at = 0;
    this.#read += this.#page.length;
    if (this.#page.length === 0) this.#last = Math.max(this.#last, lostUntil);
  }
}
