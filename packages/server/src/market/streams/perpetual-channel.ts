// The channel of perpetuals, and what REST answers from: the newest figures and liquidations of each. It is filled by the journal
// alone, so that figures are unknown after a start until the venue has sent them.
import { type ErrorCode, MAX_LIQUIDATIONS } from '@tickwire/contract';
import type { MarketSymbol } from '@tickwire/engine';
import type { Journal } from '../../journal/journal.ts';
import type { AnyPerpetualEvent, LiquidationEvent, PerpetualEvent } from '../../journal/perpetual-events.ts';
import type { EventReaders, ReplayRequest, TopicChannel, TopicPublisher } from '../../ws/channel.ts';
import { RingReplay } from '../../ws/ring-replay.ts';
import type { Replay } from '../../ws/subscriber.ts';
import { Topic } from '../../ws/topic.ts';
import { PerpetualRing, perpetualBody } from './perpetual-messages.ts';

/** Messages that are kept for clients that resume. */
const MESSAGES_KEPT = 16_384;

export interface PerpetualState {
  /** `null` before the first. */
  readonly figures: PerpetualEvent | null;
  /** Newest last. */
  readonly liquidations: readonly LiquidationEvent[];
}

interface Entry {
  figures: PerpetualEvent | null;
  readonly liquidations: LiquidationEvent[];
  readonly topic: Topic;
  /** Of the topic in the ring. */
  readonly number: number;
}

export interface PerpetualChannelOptions {
  readonly isPerpetual: (symbol: MarketSymbol) => boolean;
  readonly journal: Pick<Journal, 'epoch' | 'lastSeq'>;
}

export class PerpetualChannel implements TopicChannel {
  readonly name = 'perpetual';
  readonly isComplete = true;
  readonly #options: PerpetualChannelOptions;
  readonly #ring = new PerpetualRing(MESSAGES_KEPT);
  readonly #entries = new Map<MarketSymbol, Entry>();

  readonly reads: EventReaders = {
    perpetual: (event, seq, publisher) => {
      const entry = this.#entry(event.symbol);
      entry.figures = event;
      this.#publish(entry, event, seq, publisher);
    },
    liquidation: (event, seq, publisher) => {
      const entry = this.#entry(event.symbol);
      entry.liquidations.push(event);
      if (entry.liquidations.length > MAX_LIQUIDATIONS) entry.liquidations.shift();
      this.#publish(entry, event, seq, publisher);
    },
  };

  constructor(options: PerpetualChannelOptions) {
    this.#options = options;
  }

  /** `null` for an instrument that is not a perpetual. */
  state(symbol: MarketSymbol): PerpetualState | null {
    return this.offers(symbol) ? this.#entry(symbol) : null;
  }

  offers(symbol: MarketSymbol): boolean {
    return this.#options.isPerpetual(symbol);
  }

  fill(): string {
    return `/api/market/{symbol}/perpetual?limit=${MAX_LIQUIDATIONS}`;
  }

  lastEventAt(symbol: MarketSymbol): number | null {
    return this.#entries.get(symbol)?.figures?.time ?? null;
  }

  open(symbol: MarketSymbol): Topic | ErrorCode {
    return this.offers(symbol) ? this.#entry(symbol).topic : 'not_perpetual';
  }

  replay(request: ReplayRequest): Replay {
    const numberOf = ({ symbol }: Topic): number => this.#entry(symbol).number;
    return new RingReplay(request, { ring: this.#ring, numberOf, journal: this.#options.journal });
  }

  /** The numbers of its last messages are not known: they are not on the tape. */
  skipTo(seq: number): void {
    this.#ring.forget(seq);
    for (const { topic } of this.#entries.values()) {
      topic.epoch = this.#options.journal.epoch;
      topic.seq = Math.max(topic.seq, seq);
    }
  }

  #entry(symbol: MarketSymbol): Entry {
    const known = this.#entries.get(symbol);
    if (known) return known;
    const entry: Entry = {
      figures: null,
      liquidations: [],
      number: this.#entries.size,
      topic: new Topic({
        channel: 'perpetual',
        symbol,
        name: `perpetual:${symbol}`,
        epoch: this.#options.journal.epoch,
        newest: () => entry.figures && { body: perpetualBody(entry.figures), time: entry.figures.time },
      }),
    };
    this.#entries.set(symbol, entry);
    return entry;
  }

  #publish({ topic, number }: Entry, event: AnyPerpetualEvent, seq: number, publisher: TopicPublisher): void {
    topic.advance(seq, 0, 0);
    this.#ring.add(seq, topic.prev, number, event);
    if (topic.hasSubscribers) publisher.publish(topic, perpetualBody(event), event.time);
  }
}
