// The channel of footprints: volume at price of the forming bar, a few times per second, and of each bar when it closes. Each
// message has the whole bar, so none depends on the one before.
import {
  type ErrorCode,
  FOOTPRINT_TIMEFRAMES,
  type FootprintTimeframe,
  TIMEFRAME_MS,
  type Timeframe,
} from '@tickwire/contract';
import { bySymbol, fromTicks, type InstrumentSpec, type Lookup, type MarketSymbol } from '@tickwire/engine';
import type { ReadWork } from '../../http/read-work.ts';
import type { Journal } from '../../journal/journal.ts';
import { generatedHistogram } from '../../market/feeds/sim/generated-histogram.ts';
import type { MarketView } from '../../market/market-view.ts';
import type { InstrumentChannel } from '../../market/streams/instrument-channel.ts';
import { pauses } from '../../ops/pauses.ts';
import { LruMap } from '../../work/lru-map.ts';
import { Abandoned } from '../../work/work-scheduler.ts';
import type { EventReaders, LoadedTopics, Subscribe, SubscriptionNotice, TopicChannel } from '../../ws/channel.ts';
import type { Encoded } from '../../ws/encode.ts';
import type { Subscriber } from '../../ws/subscriber.ts';
import { removeFrom, sharedRate } from '../../ws/throttle.ts';
import { ThrottledTopic, type ThrottledTopicOptions, type Topic } from '../../ws/topic.ts';
import { type Footprint, LiveFootprint } from '../live-footprint.ts';
import { sideMethodOf } from '../volume-profile.ts';
import type { BarChannel } from './bar-channel.ts';

/** Default `max_rate`, in messages per second. */
const FOOTPRINT_RATE = 2;
/** A footprint is the whole bar, so it is not sent more often. */
const MAX_FOOTPRINT_RATE = 5;
/** Sums of closed minutes that are kept, also for those who subscribe later. */
const MAX_FOOTPRINTS = 512;

export interface FootprintChannelOptions {
  readonly instruments: readonly InstrumentSpec[];
  readonly journal: Pick<Journal, 'epoch'>;
  readonly market: MarketView;
  /** Footprints change with the order flow of their instrument. */
  readonly flows: InstrumentChannel;
  readonly bars: Pick<BarChannel, 'changed'>;
  readonly reads: Pick<ReadWork, 'share'>;
  readonly simulated: boolean;
}

interface FootprintTopicOptions extends ThrottledTopicOptions {
  readonly spec: InstrumentSpec;
  readonly footprint: LiveFootprint;
  readonly version: () => number;
}

class FootprintTopic extends ThrottledTopic {
  readonly footprint: LiveFootprint;
  readonly #spec: InstrumentSpec;
  readonly #version: () => number;

  constructor(options: FootprintTopicOptions) {
    super(options);
    this.#spec = options.spec;
    this.#version = options.version;
    this.footprint = options.footprint;
  }

  /** The message of a bar. */
  encoded(start: number, closed: boolean): Encoded {
    const footprint = this.footprint.at(start, this.#version());
    return { body: footprintBody(this.#spec, this.timeframe!, start, footprint, closed), time: start };
  }
}

export class FootprintChannel implements TopicChannel {
  readonly name = 'footprint';
  readonly isComplete = false;
  readonly #options: FootprintChannelOptions;
  readonly #specs: Lookup<InstrumentSpec>;
  /** Only those with subscribers. */
  readonly #topics = new Map<MarketSymbol, FootprintTopic[]>();
  /** By timeframe and symbol. */
  readonly #footprints = new LruMap<string, LiveFootprint>(MAX_FOOTPRINTS);

  readonly reads: EventReaders = {
    // Closed or amended.
    bar: ({ symbol, timeframe, bar }, seq, publisher) => {
      if (timeframe === '1m')
        for (const each of FOOTPRINT_TIMEFRAMES) this.#footprints.get(`${each} ${symbol}`)?.minuteChanged();
      const topics = this.#topics.get(symbol);
      if (!topics) return;
      // One that is in use may not be kept any longer.
      if (timeframe === '1m') for (const topic of topics) topic.footprint.minuteChanged();
      for (const topic of topics) {
        if (topic.timeframe !== timeframe) continue;
        topic.advance(seq, 0, 0);
        const { body, time } = topic.encoded(bar.time, true);
        publisher.publish(topic, body, time);
        publisher.cancel(topic);
      }
    },
  };

  constructor(options: FootprintChannelOptions) {
    this.#options = options;
    this.#specs = bySymbol(options.instruments);
  }

  fill(timeframe: Timeframe): string {
    return this.#options.flows.fill(timeframe);
  }

  lastEventAt(symbol: MarketSymbol): number | null {
    return this.#options.flows.lastEventAt(symbol);
  }

  invalid({ timeframe, resume_from }: Subscribe): string | null {
    if (!isFootprintTimeframe(timeframe!))
      return `timeframe: footprints are sent for ${FOOTPRINT_TIMEFRAMES.join(', ')}; load longer ones with GET /api/footprint/{symbol}.`;
    return resume_from
      ? 'resume_from: not available for footprints, whose messages are complete; load missed ones with GET /api/footprint/{symbol}.'
      : null;
  }

  /** Adds up the minutes of the bars in turns with other work: one takes milliseconds. */
  async load(
    subscriber: Subscriber,
    message: Subscribe,
    symbols: readonly MarketSymbol[],
    room: number,
  ): Promise<LoadedTopics> {
    const { reads, market } = this.#options;
    const timeframe = message.timeframe!;
    const signal = {
      get aborted() {
        return subscriber.closed;
      },
    };
    const add = async (): Promise<void> => {
      const pause = pauses();
      for (const symbol of symbols.slice(0, Math.max(0, room))) {
        const bar = market.forming(symbol, timeframe) ?? market.latestBar(symbol, timeframe);
        if (bar && this.#hasTrades(symbol)) this.#footprint(symbol, timeframe).at(bar.time, this.#version(symbol));
        await pause();
      }
    };
    await reads.share(subscriber.caller?.account.publicId ?? '', signal, add).catch((error: unknown) => {
      if (!(error instanceof Abandoned)) throw error;
    });
    return { open: (symbol) => this.open(symbol, message), release: () => {} };
  }

  /** `seq` of the newest event that may have changed a footprint. */
  #version(symbol: MarketSymbol): number {
    const { flows, bars } = this.#options;
    return Math.max(flows.topic(symbol).seq, bars.changed(symbol));
  }

  #footprint(symbol: MarketSymbol, timeframe: Timeframe): LiveFootprint {
    const key = `${timeframe} ${symbol}`;
    let footprint = this.#footprints.get(key);
    if (!footprint) {
      const { market, simulated } = this.#options;
      const generate = simulated ? generatedHistogram : null;
      footprint = new LiveFootprint({ view: market, generate }, this.#specs.get(symbol)!, timeframe);
      this.#footprints.set(key, footprint);
    }
    return footprint;
  }

  open(symbol: MarketSymbol, { timeframe: of, max_rate = FOOTPRINT_RATE }: Subscribe): FootprintTopic | ErrorCode {
    if (!this.#hasTrades(symbol)) return 'no_trades';
    const { market, flows, journal } = this.#options;
    const timeframe = of!;
    const rate = sharedRate(Math.min(max_rate, MAX_FOOTPRINT_RATE));
    const topics = this.#topics.get(symbol) ?? [];
    const known = topics.find((topic) => topic.timeframe === timeframe && topic.intervalMs === 1000 / rate);
    if (known) return known;
    const spec = this.#specs.get(symbol)!;
    const flow = flows.topic(symbol);
    const topic: FootprintTopic = new FootprintTopic({
      channel: this.name,
      symbol,
      timeframe,
      name: `footprint:${timeframe}:${symbol}@${rate}`,
      epoch: journal.epoch,
      rate,
      spec,
      footprint: this.#footprint(symbol, timeframe),
      version: () => this.#version(symbol),
      newest: () => {
        const forming = market.forming(symbol, timeframe);
        const bar = forming ?? market.latestBar(symbol, timeframe);
        return bar && topic.encoded(bar.time, forming === null);
      },
      // A bar that has closed meanwhile was published already.
      isOutdated: () => !market.forming(symbol, timeframe),
      onUnused: () => {
        removeFrom(flow.followers, topic);
        removeFrom(topics, topic);
        if (this.#topics.get(symbol)?.length === 0) this.#topics.delete(symbol);
      },
    });
    topic.computed = 1;
    topic.seq = this.#version(symbol);
    flow.followers.push(topic);
    topics.push(topic);
    this.#topics.set(symbol, topics);
    return topic;
  }

  list(topics: readonly Topic[]): Pick<SubscriptionNotice, 'footprints'> {
    const byTimeframe = Map.groupBy(topics, ({ timeframe }) => timeframe!);
    const footprints = [...byTimeframe].map(([timeframe, of]) => ({
      timeframe,
      symbols: of.map((each) => each.symbol),
    }));
    return footprints.length > 0 ? { footprints } : {};
  }

  skipTo(): void {
    for (const topics of this.#topics.values()) for (const topic of topics) topic.epoch = this.#options.journal.epoch;
  }

  /** Whether the feed of the instrument has trades, as far as is known. */
  #hasTrades(symbol: MarketSymbol): boolean {
    return this.#specs.get(symbol)!.bars !== 'quotes' || this.#options.market.flow(symbol) !== null;
  }
}

/** The timeframe, if footprints of it are streamed. */
const isFootprintTimeframe = (timeframe: Timeframe): timeframe is FootprintTimeframe =>
  (FOOTPRINT_TIMEFRAMES as readonly string[]).includes(timeframe) && timeframe in TIMEFRAME_MS;

function footprintBody(
  { symbol, digits }: InstrumentSpec,
  timeframe: Timeframe,
  start: number,
  { profile, levelTicks, sides, uncovered }: Footprint,
  closed: boolean,
): string {
  const price = (ticks: number): number => fromTicks(ticks, digits);
  const levels = (profile?.levels ?? []).map(
    ({ ticks, buy, sell }) => `{"price":${price(ticks)},"buy":${buy},"sell":${sell}}`,
  );
  const method = sideMethodOf(sides);
  return `{"channel":"footprint","symbol":"${symbol}","timeframe":"${timeframe}","time":${Math.floor(start / 1000)},"level":${price(levelTicks)},"side_method":${method === null ? 'null' : `"${method}"`},"volume":${profile?.volume ?? 0},"delta":${profile?.delta ?? 0},"poc":${profile ? price(profile.pointOfControl) : 'null'},"levels":[${levels.join(',')}],"uncovered_volume":${uncovered},"closed":${closed}`;
}
