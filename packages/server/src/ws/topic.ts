// A topic is one ordered sequence of messages about one symbol. It knows its continuity numbers (`seq`, `prev`, `epoch`), how
// many subscribers it has, and what it conflates for slow ones. A throttled topic follows another topic and sends only the
// newest message, a limited number of times per second.
import type { Timeframe } from '@tickwire/contract';
import type { MarketSymbol } from '@tickwire/engine';
import type { LiveIndicatorSet } from '../history/live-indicators.ts';
import { Conflated } from './conflated.ts';
import { plain, sequenced } from './encode.ts';

/** Sends a message to all sockets that are subscribed to the Bun topic `name`. */
export type Publish = (name: string, text: string) => void;

export interface TopicOptions {
  readonly symbol: MarketSymbol;
  /** Name of the Bun topic. Unique among all topics. */
  readonly name: string;
  readonly epoch: string;
  /** For bars. */
  readonly timeframe?: Timeframe;
  /** For bars with indicators. */
  readonly indicators?: LiveIndicatorSet;
  /** The newest message without its closing brace, including the conflated volume; `null` if there is none. */
  readonly newest: (conflated: Readonly<Conflated>) => string | null;
}

export class Topic {
  readonly symbol: MarketSymbol;
  readonly timeframe: Timeframe | null;
  readonly indicators: LiveIndicatorSet | null;
  /** Changes when continuity is lost. */
  epoch: string;
  readonly newest: TopicOptions['newest'];
  /** Identifies the topic within a connection, which holds one subscription per key. */
  readonly key: string;
  seq = 0;
  prev = 0;
  /** One total for each slow subscriber and each throttled topic. */
  readonly conflated = new Set<Conflated>();
  /** Throttled topics that follow this one. */
  readonly throttled: ThrottledTopic[] = [];
  /** Name of the Bun topic of subscribers without `seq`. */
  readonly name: string;
  readonly #sequencedName: string;
  readonly #subscriptions: Subscription[] = [];
  #plainSubscribers = 0;
  #sequencedSubscribers = 0;

  constructor({ symbol, name, epoch, timeframe = undefined, indicators, newest }: TopicOptions) {
    this.symbol = symbol;
    this.timeframe = timeframe ?? null;
    this.indicators = indicators ?? null;
    this.key = timeframe ? `${timeframe} ${symbol}` : symbol;
    this.epoch = epoch;
    this.newest = newest;
    this.name = name;
    this.#sequencedName = `${name}+`;
  }

  /** Returns one shared object for all subscribers with the same options. */
  subscription(withSeq: boolean, latest: boolean): Subscription {
    const at = (withSeq ? 1 : 0) + (latest ? 2 : 0);
    this.#subscriptions[at] ??= {
      topic: this,
      sequenced: withSeq,
      latest,
      name: withSeq ? this.#sequencedName : this.name,
    };
    return this.#subscriptions[at];
  }

  countSubscribers(withSeq: boolean, change: 1 | -1): void {
    if (withSeq) this.#sequencedSubscribers += change;
    else this.#plainSubscribers += change;
  }

  /** If false, a message need not be encoded. */
  get hasSubscribers(): boolean {
    return this.#plainSubscribers > 0 || this.#sequencedSubscribers > 0;
  }

  /** Counts a message, with or without subscribers: continuity does not depend on them. */
  advance(seq: number, volume: number, askVolume: number): void {
    this.prev = this.seq;
    this.seq = seq;
    if (this.conflated.size > 0) for (const conflated of this.conflated) conflated.add(volume, askVolume);
  }

  /** Publishes the message that `advance` just counted. */
  publish(body: string, publish: Publish): void {
    if (this.#plainSubscribers > 0) publish(this.name, plain(body));
    if (this.#sequencedSubscribers > 0) publish(this.#sequencedName, sequenced(body, this.seq, this.prev, this.epoch));
  }

  /** The newest message as text for a single subscriber. */
  newestText(withSeq: boolean, conflated: Readonly<Conflated>, prev = this.prev): string | null {
    const body = this.newest(conflated);
    if (body === null) return null;
    return withSeq ? sequenced(body, this.seq, prev, this.epoch) : plain(body);
  }
}

/** A topic with the options of a subscriber. */
export interface Subscription {
  readonly topic: Topic;
  readonly sequenced: boolean;
  /** `"delivery":"latest"`: a slow subscriber gets only the newest message, without a notice. */
  readonly latest: boolean;
  /** Name of the Bun topic. */
  readonly name: string;
}

export class ThrottledTopic extends Topic {
  /** Messages of the followed topic since the last message of this one. */
  readonly sinceLast = new Conflated();
  readonly intervalMs: number;
  /** `seq` of the newest event that was not sent yet; 0 if there is none. */
  pendingSeq = 0;
  dueAt = 0;

  /** `rate` in messages per second. */
  constructor(options: TopicOptions, rate: number) {
    super(options);
    this.intervalMs = 1000 / rate;
  }

  /** No subscriber and no slow subscriber needs it. */
  get isUnused(): boolean {
    return !this.hasSubscribers && this.conflated.size === 0;
  }
}
