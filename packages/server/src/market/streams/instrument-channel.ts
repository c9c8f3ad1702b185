// A channel with one topic for each instrument, numbered by the journal. The newest messages are kept for clients that resume.
import type { Timeframe } from '@tickwire/contract';
import { type InstrumentSpec, type MarketSymbol, PerInstrument } from '@tickwire/engine';
import type { Journal } from '../../journal/journal.ts';
import type { EventReaders, LastSeqs, ReplayRequest, Subscribe, TopicChannel } from '../../ws/channel.ts';
import type { Conflated } from '../../ws/conflated.ts';
import type { Encoded } from '../../ws/encode.ts';
import type { MessageRing } from '../../ws/message-ring.ts';
import { RingReplay } from '../../ws/ring-replay.ts';
import type { Replay } from '../../ws/subscriber.ts';
import { throttledTopic } from '../../ws/throttle.ts';
import { Topic } from '../../ws/topic.ts';

export interface InstrumentEntry {
  readonly topic: Topic;
  /** Index of the instrument in the catalogue, which the ring uses. */
  readonly index: number;
  readonly digits: number;
}

export interface InstrumentChannelOptions<R> {
  readonly name: 'market' | 'orderflow';
  readonly instruments: readonly InstrumentSpec[];
  readonly journal: Pick<Journal, 'epoch' | 'lastSeq'>;
  readonly ring: R;
  /** The newest message of an instrument, with the conflated volume; `null` if there is none. */
  readonly newest: (spec: InstrumentSpec, conflated: Readonly<Conflated>) => Encoded | null;
}

export abstract class InstrumentChannel<R extends MessageRing = MessageRing> implements TopicChannel {
  readonly name: 'market' | 'orderflow';
  readonly isComplete = false;
  abstract readonly reads: EventReaders;
  protected readonly ring: R;
  protected readonly entries: PerInstrument<InstrumentEntry>;
  readonly #journal: InstrumentChannelOptions<R>['journal'];

  constructor({ name, instruments, journal, ring, newest }: InstrumentChannelOptions<R>) {
    this.name = name;
    this.ring = ring;
    this.#journal = journal;
    const topicOf = (spec: InstrumentSpec): Topic =>
      new Topic({
        channel: name,
        symbol: spec.symbol,
        name: `${name}:${spec.symbol}`,
        epoch: journal.epoch,
        newest: (conflated) => newest(spec, conflated),
      });
    this.entries = PerInstrument.of(instruments, (spec, index) => ({
      topic: topicOf(spec),
      index,
      digits: spec.digits,
    }));
  }

  abstract lastEventAt(symbol: MarketSymbol): number | null;

  topic(symbol: MarketSymbol): Topic {
    return this.entries.get(symbol)!.topic;
  }

  fill(timeframe: Timeframe): string {
    return `/api/market/{symbol}?timeframe=${timeframe}&from={since}`;
  }

  open(symbol: MarketSymbol, { max_rate: rate }: Pick<Subscribe, 'max_rate'>): Topic {
    const topic = this.topic(symbol);
    return rate === undefined ? topic : throttledTopic(topic, rate);
  }

  replay(request: ReplayRequest): Replay {
    const numberOf = ({ symbol }: Topic): number => this.entries.get(symbol)!.index;
    return new RingReplay(request, { ring: this.ring, numberOf, journal: this.#journal });
  }

  /** The first message of each topic names the last one before as `prev`. */
  skipTo(seq: number, lastSeqs: LastSeqs): void {
    this.ring.forget(seq);
    for (const [symbol, { topic }] of this.entries) {
      topic.seq = lastSeqs.get(symbol)?.[this.name] ?? topic.seq;
      for (const each of [topic, ...topic.throttled]) each.epoch = this.#journal.epoch;
    }
  }
}
