// The topics of one instrument: its ticks, order flow and signals, and those that exist only as long as they have subscribers:
// throttled ones, and bars.
import type { Channel, IndicatorSpec, Timeframe } from '@tickwire/contract';
import { DAY_MS, type FlowEvent, type InstrumentSpec, type MarketSymbol, roundSize } from '@tickwire/engine';
import type { LiveIndicators } from '../history/live-indicators.ts';
import type { Journal } from '../journal/journal.ts';
import type { MarketView } from '../market/market-view.ts';
import type { LastEventNumbers } from '../store/signal-store.ts';
import type { Conflated } from './conflated.ts';
import { barBody, type Encoded, flowBody, flowSnapshotBody, tickBody, withIndicators } from './encode.ts';
import { newestOf, SIGNAL_TOPICS, type SignalStreams, type SignalTopicKind } from './signal-topics.ts';
import { sharedRate } from './throttle.ts';
import { ThrottledTopic, Topic } from './topic.ts';

/** Kinds of topics, each with its own continuity numbers. */
export type TopicKind = Exclude<Channel, 'news' | 'alerts' | 'signals'> | SignalTopicKind;

/** The numbers of the signal log, which signal topics use as `seq`. They stay valid across restarts. */
export interface SignalSequence {
  readonly epoch: string;
  /** Number of the newest record. */
  readonly newest: number;
  lastOf(symbol: MarketSymbol): LastEventNumbers;
}

/** What the messages of topics are made of. */
export interface TopicSources {
  readonly journal: Pick<Journal, 'epoch'>;
  readonly market: MarketView;
  readonly signals: SignalSequence;
  readonly indicators: LiveIndicators;
  readonly now: () => number;
}

export class InstrumentTopics {
  /** Index of the instrument in the catalogue. */
  readonly index: number;
  readonly digits: number;
  readonly market: Topic;
  readonly orderflow: Topic;
  readonly bars: ThrottledTopic[] = [];
  /** `seq` of the newest event that may have changed a bar. */
  changed = 0;
  readonly #symbol: MarketSymbol;
  readonly #sources: TopicSources;
  readonly #signals: ReadonlyMap<SignalTopicKind, Topic>;

  constructor({ symbol, digits }: InstrumentSpec, index: number, sources: TopicSources) {
    const { journal, market, signals } = sources;
    this.index = index;
    this.digits = digits;
    this.#symbol = symbol;
    this.#sources = sources;
    const common = { symbol, epoch: journal.epoch };
    this.market = new Topic({
      ...common,
      channel: 'market',
      name: `market:${symbol}`,
      newest: ({ volume }) => {
        const tick = market.tick(symbol);
        return tick && { body: tickBody(tick, roundSize(volume), digits), time: tick.time };
      },
    });
    this.orderflow = new Topic({
      ...common,
      channel: 'orderflow',
      name: `orderflow:${symbol}`,
      newest: (conflated) => {
        const flow = market.flow(symbol);
        return flow && { body: this.#flowBody(flow, conflated), time: flow.time };
      },
    });
    const last = signals.lastOf(symbol);
    this.#signals = new Map(
      [...SIGNAL_TOPICS].map(([kind, streams]) => {
        const name = `${kind}:${symbol}`;
        const topic = new Topic({ channel: 'signals', symbol, name, epoch: signals.epoch, newest: () => null });
        topic.seq = newestOf(last, streams);
        return [kind, topic];
      }),
    );
  }

  of(kind: TopicKind): Topic {
    return kind === 'market' || kind === 'orderflow' ? this[kind] : this.#signals.get(kind)!;
  }

  /** What a topic of signals contains. */
  streamsOf(topic: Topic): SignalStreams {
    for (const [kind, streams] of SIGNAL_TOPICS) if (this.#signals.get(kind) === topic) return streams;
    return [];
  }

  /** The newest message of a topic, at most `maxRate` times per second. */
  throttled(kind: 'market' | 'orderflow', maxRate: number): ThrottledTopic {
    const source = this[kind];
    const rate = sharedRate(maxRate);
    const intervalMs = 1000 / rate;
    const known = source.throttled.find((topic) => topic.intervalMs === intervalMs);
    if (known) return known;
    const { name, symbol, epoch, newest } = source;
    const topic = new ThrottledTopic({ channel: kind, symbol, name: `${name}@${rate}`, epoch, newest }, rate);
    [topic.seq, topic.prev] = [source.seq, source.prev];
    source.throttled.push(topic);
    source.conflated.add(topic.sinceLast);
    return topic;
  }

  /**
   * The forming bar at most `maxRate` times per second, and each bar when it closes; with the values of indicators, which must
   * have been loaded.
   */
  openBars(timeframe: Timeframe, maxRate: number, specs: readonly IndicatorSpec[]): ThrottledTopic {
    const symbol = this.#symbol;
    const rate = sharedRate(maxRate);
    const variant = specs.length === 0 ? '' : ` ${specs.map(({ text }) => text).join(' ')}`;
    const name = `bars:${timeframe}:${symbol}@${rate}${variant}`;
    const known = this.bars.find((topic) => topic.name === name);
    if (known) return known;
    const { market, journal, indicators: live } = this.#sources;
    const indicators = specs.length === 0 ? null : live.open(symbol, timeframe, specs);
    const newest = (): Encoded | null => {
      const forming = market.forming(symbol, timeframe);
      const bar = forming ?? market.latestBar(symbol, timeframe);
      if (!bar) return null;
      const body = barBody(symbol, timeframe, bar, forming === null);
      const { time } = bar;
      if (!indicators) return { body, time };
      return { body: withIndicators(body, forming ? indicators.forming(bar) : indicators.closed(bar)), time };
    };
    const { epoch } = journal;
    const options = { channel: 'bars' as const, symbol, timeframe, name, epoch, newest };
    const topic = new ThrottledTopic({ ...options, ...(indicators && { indicators }) }, rate);
    topic.seq = Math.max(this.market.seq, this.orderflow.seq, this.changed);
    this.bars.push(topic);
    return topic;
  }

  /** Removes a throttled topic, or one of bars. */
  remove(topic: ThrottledTopic): void {
    topic.indicators?.release();
    for (const list of [this.bars, this.market.throttled, this.orderflow.throttled]) {
      const at = list.indexOf(topic);
      if (at >= 0) list.splice(at, 1);
    }
    this.market.conflated.delete(topic.sinceLast);
    this.orderflow.conflated.delete(topic.sinceLast);
  }

  /** The topics whose numbers are those of the journal. */
  ofJournal(): readonly Topic[] {
    const { market, orderflow, bars } = this;
    return [market, orderflow, ...market.throttled, ...orderflow.throttled, ...bars];
  }

  #flowBody(flow: FlowEvent, { messages, volume, askVolume }: Readonly<Conflated>): string {
    if (messages > 0) return flowBody(flow, roundSize(volume - askVolume), roundSize(askVolume));
    // The cumulative delta starts at 0 every day (UTC).
    const ended = Math.floor(flow.time / DAY_MS) < Math.floor(this.#sources.now() / DAY_MS);
    return flowSnapshotBody(ended ? { ...flow, cumulativeDelta: 0 } : flow);
  }
}
