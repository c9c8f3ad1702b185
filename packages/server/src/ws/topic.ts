// A topic is one ordered sequence of messages about one symbol. It knows its continuity numbers (`seq`, `prev`, `epoch`), how
// many subscribers it has, and what it conflates for slow ones. A throttled topic follows other topics and sends only the
// newest message, a limited number of times per second.
import type { StreamChannel, Timeframe } from '@tickwire/contract';
import type { MarketSymbol } from '@tickwire/engine';
import type { AccountState } from '../access/account-state.ts';
import { Conflated } from './conflated.ts';
import { type Encoded, naming, plain, sequenced, withMs } from './encode.ts';

/** Sends a message to all sockets that are subscribed to the Bun topic `name`. */
export type Publish = (name: string, text: string) => void;

/** Variants of a message: the sum of these. */
const SEQUENCED = 1;
const WITH_MS = 2;
const NAMING_CHANNEL = 4;
const VARIANTS = 8;

/** A message as text for the subscribers of a variant. */
export function variantOf(
  variant: number,
  channel: StreamChannel,
  body: string,
  time: number | null,
  seq: number,
  prev: number,
  epoch: string,
): string {
  const named = variant & NAMING_CHANNEL ? naming(channel, body) : body;
  const complete = variant & WITH_MS ? withMs(named, time) : named;
  return variant & SEQUENCED ? sequenced(complete, seq, prev, epoch) : plain(complete);
}

export interface TopicOptions {
  readonly channel: StreamChannel;
  readonly symbol: MarketSymbol;
  /** Name of the Bun topic. Unique among all topics. */
  readonly name: string;
  readonly epoch: string;
  /** For bars. */
  readonly timeframe?: Timeframe;
  /** The newest message without its closing brace, including the conflated volume; `null` if there is none. */
  readonly newest: (conflated: Readonly<Conflated>) => Encoded | null;
}

export class Topic {
  readonly channel: StreamChannel;
  readonly symbol: MarketSymbol;
  readonly timeframe: Timeframe | null;
  /** Changes when continuity is lost. */
  epoch: string;
  readonly newest: TopicOptions['newest'];
  /** Identifies the topic within a connection, which holds one subscription per key. */
  readonly key: string;
  seq = 0;
  prev = 0;
  /** Indicators and footprints that are computed for it. They count against the tier of each subscriber. */
  computed = 0;
  /** Subscriptions that are still replayed. */
  held = 0;
  /** One total for each slow subscriber and each throttled topic. */
  readonly conflated = new Set<Conflated>();
  /** Topics with the same messages at a lower rate. */
  readonly throttled: ThrottledTopic[] = [];
  /** Topics of other channels that change with each message of this one. */
  readonly followers: ThrottledTopic[] = [];
  /** Name of the topic among all topics. */
  readonly name: string;
  /** Names of the Bun topics, by variant. */
  readonly #names: readonly string[];
  readonly #subscriptions: Subscription[] = [];
  /** By variant. */
  readonly #subscribers: number[] = Array(VARIANTS).fill(0);
  /** The variants that have subscribers. */
  #active: readonly number[] = [];
  #total = 0;

  constructor({ channel, symbol, name, epoch, timeframe = undefined, newest }: TopicOptions) {
    this.channel = channel;
    this.symbol = symbol;
    this.timeframe = timeframe ?? null;
    this.key = timeframe ? `${timeframe} ${symbol}` : symbol;
    this.epoch = epoch;
    this.newest = newest;
    this.name = name;
    this.#names = ['', '+', '~', '+~', '#', '+#', '~#', '+~#'].map((suffix) => name + suffix);
  }

  /** Returns one shared object for all subscribers with the same options. */
  subscription({ sequenced: withSeq, ms, naming: names, latest }: SubscriptionOptions): Subscription {
    // Bars and footprints name their channel on every endpoint.
    const naming = names && this.timeframe === null;
    const variant = (withSeq ? SEQUENCED : 0) + (ms ? WITH_MS : 0) + (naming ? NAMING_CHANNEL : 0);
    const at = variant + (latest ? VARIANTS : 0);
    const name = this.#names[variant]!;
    this.#subscriptions[at] ??= { topic: this, sequenced: withSeq, ms, naming, latest, name, variant };
    return this.#subscriptions[at];
  }

  countSubscribers({ variant }: Subscription, change: 1 | -1): void {
    const before = this.#subscribers[variant]!;
    this.#subscribers[variant] = before + change;
    this.#total += change;
    if (before === 0 || before + change === 0)
      this.#active = [...this.#subscribers.keys()].filter((each) => this.#subscribers[each]! > 0);
  }

  /** A stream of an account begins to read the topic (1), or no longer does (-1). Called if something is `computed` for it. */
  countReader(_account: AccountState, _change: 1 | -1): void {}

  /** If false, a message need not be encoded. */
  get hasSubscribers(): boolean {
    return this.#total > 0;
  }

  /** Counts a message, with or without subscribers: continuity does not depend on them. */
  advance(seq: number, volume: number, askVolume: number): void {
    this.prev = this.seq;
    this.seq = seq;
    if (this.conflated.size > 0) for (const conflated of this.conflated) conflated.add(volume, askVolume);
  }

  /** Publishes the message that `advance` just counted. */
  publish(body: string, time: number | null, publish: Publish): void {
    for (const variant of this.#active)
      publish(this.#names[variant]!, variantOf(variant, this.channel, body, time, this.seq, this.prev, this.epoch));
  }

  /** The newest message as text for a single subscriber. */
  newestText({ variant }: Subscription, conflated: Readonly<Conflated>, prev = this.prev): string | null {
    const message = this.newest(conflated);
    return message && variantOf(variant, this.channel, message.body, message.time, this.seq, prev, this.epoch);
  }
}

/** What a subscriber requested. */
export interface SubscriptionOptions {
  /** `"seq":true`. */
  readonly sequenced: boolean;
  /** `"ms":true`. */
  readonly ms: boolean;
  /** Messages name their channel, as on `/ws`. */
  readonly naming: boolean;
  /** `"delivery":"latest"`: a slow subscriber gets only the newest message, without a notice. */
  readonly latest: boolean;
}

/** A topic with the options of a subscriber. */
export interface Subscription extends SubscriptionOptions {
  readonly topic: Topic;
  /** Which variant of the messages it gets. */
  readonly variant: number;
  /** Name of the Bun topic. */
  readonly name: string;
}

export interface ThrottledTopicOptions extends TopicOptions {
  /** Messages per second. */
  readonly rate: number;
  /** Whether the scheduled message was published meanwhile. Default: never. */
  readonly isOutdated?: () => boolean;
  /** Called when nobody needs the topic any more. */
  readonly onUnused: () => void;
}

export class ThrottledTopic extends Topic {
  /** Messages of the followed topic since the last message of this one. */
  readonly sinceLast = new Conflated();
  readonly intervalMs: number;
  readonly isOutdated: () => boolean;
  readonly onUnused: () => void;
  /** `seq` of the newest event that was not sent yet; 0 if there is none. */
  pendingSeq = 0;
  dueAt = 0;

  constructor(options: ThrottledTopicOptions) {
    super(options);
    this.intervalMs = 1000 / options.rate;
    this.isOutdated = options.isOutdated ?? never;
    this.onUnused = options.onUnused;
  }

  /** No subscriber needs it, not even a slow one or one that is still replayed. */
  get isUnused(): boolean {
    return !this.hasSubscribers && this.held === 0 && this.conflated.size === 0;
  }
}

const never = (): boolean => false;
