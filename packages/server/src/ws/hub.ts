// Connects topics with subscribers: every message is encoded once and published to a Bun topic, which delivers it to all of
// its sockets.
import type { Channel, IndicatorSpec, Timeframe } from '@tickwire/contract';
import {
  asSymbol,
  type BarEvent,
  DAY_MS,
  type FlowEvent,
  type InstrumentSpec,
  type MarketSymbol,
  type MinuteEvent,
  roundSize,
  type TickEvent,
} from '@tickwire/engine';
import type { LiveIndicators } from '../history/live-indicators.ts';
import {
  type AnySignalEvent,
  type Batch,
  type Journal,
  type JournalEvent,
  STREAM_OF_EVENT,
} from '../journal/journal.ts';
import type { MarketView } from '../market/market-view.ts';
import type { LastEventNumbers } from '../store/signal-store.ts';
import type { Conflated } from './conflated.ts';
import { barBody, type Encoded, flowBody, flowSnapshotBody, signalBody, tickBody, withIndicators } from './encode.ts';
import { type FootprintTopic, FootprintTopics } from './footprint-topics.ts';
import { BarRing, EventRing, FlowRing, TickRing } from './message-ring.ts';
import { GROUP_SIZE, ReaderGroups } from './reader-groups.ts';
import { newestOf, SIGNAL_TOPICS, type SignalStreams, type SignalTopicKind } from './signal-topics.ts';
import type { StreamSocket } from './stream-socket.ts';
import type { Subscriber } from './subscriber.ts';
import { sharedRate, TopicThrottle } from './throttle.ts';
import { type Publish, type Subscription, ThrottledTopic, Topic } from './topic.ts';
import { WriteBatcher } from './write-batcher.ts';

/** Signals in memory; older ones come from the store. */
const SIGNALS_KEPT = 1_024;
/** Closed and amended bars of all symbols and timeframes that are kept for clients that resume, about 60 bytes each. */
const BARS_KEPT = 32_768;

/** `seq` of the last tick and the last order-flow message of each instrument; 0 if there was none lately. */
export type LastSeqs = ReadonlyMap<MarketSymbol, { readonly tick: number; readonly flow: number }>;

/** Kinds of topics, each with its own continuity numbers. */
export type TopicKind = Exclude<Channel, 'news' | 'alerts' | 'signals'> | SignalTopicKind;

/** The numbers of the signal log, which signal topics use as `seq`. They stay valid across restarts. */
export interface SignalSequence {
  readonly epoch: string;
  /** Number of the newest record. */
  readonly newest: number;
  lastOf(symbol: MarketSymbol): LastEventNumbers;
}

export interface HubOptions {
  readonly instruments: readonly InstrumentSpec[];
  readonly journal: Journal;
  readonly market: MarketView;
  readonly signals: SignalSequence;
  readonly indicators: LiveIndicators;
  /** Number of ticks, and of order-flow messages, that are kept for clients that resume. */
  readonly capacity: number;
  readonly now: () => number;
  readonly publish: Publish;
  /** Sockets that are subscribed to a Bun topic, and all sockets. */
  readonly audienceOf: (name: string) => number;
  readonly sockets: () => number;
  /** Whether the market data is simulated. Default false. */
  readonly simulated?: boolean;
  /** This many readers with the same subscriptions share a Bun topic. Default 100. */
  readonly groupSize?: number;
}

/** All topics of one instrument. */
interface InstrumentTopics extends Record<TopicKind, Topic> {
  /** Index of the instrument in the catalogue. */
  readonly index: number;
  readonly digits: number;
  readonly bars: ThrottledTopic[];
  /** `seq` of the newest event that may have changed a bar. */
  changed: number;
}

export class Hub {
  /** Messages published, for the metrics. */
  published = 0;
  readonly ticks: TickRing;
  readonly flows: FlowRing;
  readonly closedBars: BarRing;
  readonly signals: EventRing<AnySignalEvent>;
  readonly #options: HubOptions;
  readonly #topics: Map<MarketSymbol, InstrumentTopics>;
  readonly #footprints: FootprintTopics;
  readonly #groups: ReaderGroups;
  readonly #batcher: WriteBatcher;
  readonly #throttle: TopicThrottle;

  constructor(options: HubOptions) {
    const {
      instruments,
      market,
      signals,
      capacity,
      publish: send,
      audienceOf,
      sockets,
      now,
      simulated = false,
      groupSize = GROUP_SIZE,
    } = options;
    this.#options = options;
    this.ticks = new TickRing(instruments, capacity);
    this.flows = new FlowRing(instruments, capacity);
    this.closedBars = new BarRing(instruments, BARS_KEPT);
    this.signals = new EventRing(SIGNALS_KEPT, signals.newest);
    this.#footprints = new FootprintTopics({ instruments, market, simulated });
    this.#groups = new ReaderGroups({ send, audienceOf, now, size: groupSize });
    this.#batcher = new WriteBatcher({
      send: this.#groups.publish,
      audienceOf: (name) => this.#groups.audienceOf(name),
      sockets,
    });
    this.#throttle = new TopicThrottle((topic) => this.#sendThrottled(topic), now);
    this.#topics = new Map(instruments.map((spec, index) => [spec.symbol, this.#createTopics(spec, index)]));
  }

  get symbols(): Iterable<MarketSymbol> {
    return this.#topics.keys();
  }

  /** Groups of readers that share a Bun topic. */
  get groups(): number {
    return this.#groups.count;
  }

  /** The symbol for a client's spelling, or `undefined`. */
  resolve(code: string): MarketSymbol | undefined {
    return this.#options.market.resolve(code);
  }

  /** Whether a client's code names an instrument. */
  hasCode(code: string): boolean {
    return this.#topics.has(asSymbol(code));
  }

  /** Index of an instrument in the catalogue, which the rings use. */
  indexOf(symbol: MarketSymbol): number {
    return this.#topics.get(symbol)!.index;
  }

  topic(kind: TopicKind, symbol: MarketSymbol): Topic {
    return this.#topics.get(symbol)![kind];
  }

  /** What a topic of signals contains. */
  streamsOf(topic: Topic): SignalStreams {
    const topics = this.#topics.get(topic.symbol)!;
    for (const [kind, streams] of SIGNAL_TOPICS) if (topics[kind] === topic) return streams;
    return [];
  }

  /** The newest message of a topic, at most `maxRate` times per second. */
  throttled(kind: 'market' | 'orderflow', symbol: MarketSymbol, maxRate: number): ThrottledTopic {
    const source = this.topic(kind, symbol);
    const rate = sharedRate(maxRate);
    const intervalMs = 1000 / rate;
    const known = source.throttled.find((topic) => topic.intervalMs === intervalMs);
    if (known) return known;
    const name = `${kind}:${symbol}@${rate}`;
    const { epoch, newest } = source;
    const topic = new ThrottledTopic({ channel: kind, symbol, name, epoch, newest }, rate);
    [topic.seq, topic.prev] = [source.seq, source.prev];
    source.throttled.push(topic);
    source.conflated.add(topic.sinceLast);
    return topic;
  }

  /**
   * The forming bar at most `maxRate` times per second, and each bar when it closes; with the values of indicators, which must
   * have been loaded.
   */
  bars(
    symbol: MarketSymbol,
    timeframe: Timeframe,
    maxRate: number,
    specs: readonly IndicatorSpec[] = [],
  ): ThrottledTopic {
    const topics = this.#topics.get(symbol)!;
    const rate = sharedRate(maxRate);
    const variant = specs.length === 0 ? '' : ` ${specs.map(({ text }) => text).join(' ')}`;
    const name = `bars:${timeframe}:${symbol}@${rate}${variant}`;
    const known = topics.bars.find((topic) => topic.name === name);
    if (known) return known;
    const { market, journal, indicators: live } = this.#options;
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
    topic.seq = Math.max(topics.market.seq, topics.orderflow.seq, topics.changed);
    topics.bars.push(topic);
    return topic;
  }

  /** Volume at price of the forming bar at most `maxRate` times per second, and of each bar when it closes. */
  footprint(symbol: MarketSymbol, timeframe: Timeframe, maxRate: number): FootprintTopic {
    const { orderflow, changed } = this.#topics.get(symbol)!;
    const seq = Math.max(orderflow.seq, changed);
    return this.#footprints.open(symbol, timeframe, maxRate, this.#options.journal.epoch, seq);
  }

  /** Whether the feed of the instrument has trades, as far as is known. */
  hasTrades(symbol: MarketSymbol): boolean {
    return this.#footprints.hasTrades(symbol);
  }

  readonly read = ({ firstSeq, events }: Batch): void => {
    this.#options.indicators.startBatch();
    for (let index = 0; index < events.length; index++) this.#dispatch(events[index]!, firstSeq + index);
    this.#throttle.run();
    this.#batcher.endBatch();
  };

  /** Continues the tick and order-flow topics after `seq`: the first message of each names the last one before as `prev`. */
  startAfter(seq: number, lastSeqs: LastSeqs): void {
    this.ticks.forget(seq);
    this.flows.forget(seq);
    this.closedBars.forget(seq);
    for (const [symbol, { tick, flow }] of lastSeqs) {
      const topics = this.#topics.get(symbol);
      if (!topics) continue;
      topics.market.seq = tick;
      topics.orderflow.seq = flow;
    }
  }

  /** Messages up to `seq` never reached this process. Topics continue with the epoch of the journal, which may have changed. */
  skipTo(seq: number, lastSeqs: LastSeqs): void {
    const { epoch } = this.#options.journal;
    this.#batcher.flush();
    this.startAfter(seq, lastSeqs);
    this.#options.indicators.reload();
    for (const { market, orderflow, bars } of this.#topics.values())
      for (const topic of [market, orderflow, ...market.throttled, ...orderflow.throttled, ...bars])
        topic.epoch = epoch;
    for (const topic of this.#footprints.all()) topic.epoch = epoch;
  }

  /** Sends delayed messages now. Call it before sending anything directly that refers to them. */
  flush(): void {
    this.#batcher.flush();
  }

  join({ socket }: Subscriber, subscription: Subscription): void {
    this.#batcher.flush();
    subscription.topic.countSubscribers(subscription, 1);
    this.#groups.join(socket, subscription.name);
  }

  leave({ socket }: Subscriber, subscription: Subscription): void {
    this.#batcher.flush();
    this.#groups.leave(socket, subscription.name);
    subscription.topic.countSubscribers(subscription, -1);
    this.removeIfUnused(subscription.topic);
  }

  /** Call it several times per second: lets readers with the same subscriptions share one Bun topic. */
  formGroups(): void {
    this.#groups.formGroups();
  }

  /** The socket is closing. Call it before its subscribers leave. */
  remove(socket: StreamSocket): void {
    this.#batcher.flush();
    this.#groups.remove(socket);
  }

  /** Removes a throttled topic without subscribers. */
  removeIfUnused(topic: Topic): void {
    if (!(topic instanceof ThrottledTopic) || !topic.isUnused) return;
    const topics = this.#topics.get(topic.symbol)!;
    this.#throttle.cancel(topic);
    topic.indicators?.release();
    for (const list of [topics.bars, topics.market.throttled, topics.orderflow.throttled]) {
      const at = list.indexOf(topic);
      if (at >= 0) list.splice(at, 1);
    }
    this.#footprints.remove(topic);
    topics.market.conflated.delete(topic.sinceLast);
    topics.orderflow.conflated.delete(topic.sinceLast);
  }

  #createTopics({ symbol, digits }: InstrumentSpec, index: number): InstrumentTopics {
    const { journal, market, signals } = this.#options;
    const create = (kind: TopicKind, epoch: string, newest: Topic['newest']): Topic => {
      const channel = kind === 'market' || kind === 'orderflow' ? kind : 'signals';
      return new Topic({ channel, symbol, name: `${kind}:${symbol}`, epoch, newest });
    };
    const newestTick = ({ volume }: Readonly<Conflated>): Encoded | null => {
      const tick = market.tick(symbol);
      return tick && { body: tickBody(tick, roundSize(volume), digits), time: tick.time };
    };
    const newestFlow = (conflated: Readonly<Conflated>): Encoded | null => {
      const flow = market.flow(symbol);
      return flow && { body: this.#flowBody(flow, conflated), time: flow.time };
    };
    const none = (): null => null;
    const topics: InstrumentTopics = {
      index,
      digits,
      bars: [],
      changed: 0,
      market: create('market', journal.epoch, newestTick),
      orderflow: create('orderflow', journal.epoch, newestFlow),
      ...(Object.fromEntries(
        [...SIGNAL_TOPICS.keys()].map((kind) => [kind, create(kind, signals.epoch, none)]),
      ) as Record<SignalTopicKind, Topic>),
    };
    const last = signals.lastOf(symbol);
    for (const [kind, streams] of SIGNAL_TOPICS) topics[kind].seq = newestOf(last, streams);
    return topics;
  }

  #flowBody(flow: FlowEvent, { messages, volume, askVolume }: Readonly<Conflated>): string {
    if (messages > 0) return flowBody(flow, roundSize(volume - askVolume), roundSize(askVolume));
    // The cumulative delta starts at 0 every day (UTC).
    const ended = Math.floor(flow.time / DAY_MS) < Math.floor(this.#options.now() / DAY_MS);
    return flowSnapshotBody(ended ? { ...flow, cumulativeDelta: 0 } : flow);
  }

  #dispatch(event: JournalEvent, seq: number): void {
    switch (event.kind) {
      case 'tick':
        this.#tick(event, seq);
        break;
      case 'flow':
        this.#flow(event, seq);
        break;
      case 'bar':
        this.#bar(event, seq);
        break;
      case 'minute':
        this.#minute(event, seq);
        break;
      case 'signal':
      case 'signal_filled':
      case 'signal_changed':
      case 'signal_closed':
        this.#signal(event);
    }
  }

  #tick(event: TickEvent, seq: number): void {
    const topics = this.#topics.get(event.symbol)!;
    const topic = topics.market;
    topic.advance(seq, event.volume, 0);
    this.ticks.add(seq, topic.prev, topics.index, event);
    if (topic.hasSubscribers) this.#publish(topic, tickBody(event, event.volume, topics.digits), event.time);
    this.#schedule(topic.throttled, topics.bars, seq);
  }

  #flow(event: FlowEvent, seq: number): void {
    const topics = this.#topics.get(event.symbol)!;
    const topic = topics.orderflow;
    const bought = event.side === 'buy';
    topic.advance(seq, event.size, bought ? event.size : 0);
    this.flows.add(seq, topic.prev, topics.index, event);
    if (topic.hasSubscribers)
      this.#publish(topic, flowBody(event, bought ? 0 : event.size, bought ? event.size : 0), event.time);
    this.#schedule(topic.throttled, topics.bars, seq);
    this.#schedule(this.#footprints.of(event.symbol), [], seq);
  }

  #minute({ symbol }: MinuteEvent, seq: number): void {
    const topics = this.#topics.get(symbol)!;
    topics.changed = seq;
    this.#schedule([], topics.bars, seq);
  }

  #schedule(throttled: readonly ThrottledTopic[], bars: readonly ThrottledTopic[], seq: number): void {
    for (let at = 0; at < throttled.length; at++) this.#throttle.schedule(throttled[at]!, seq);
    for (let at = 0; at < bars.length; at++) this.#throttle.schedule(bars[at]!, seq);
  }

  /** Publishes a closed or amended bar. The event that closed it follows, and schedules the forming bar again. */
  #bar(event: BarEvent, seq: number): void {
    const { symbol, timeframe, bar } = event;
    for (const topic of this.#footprints.barClosed(event)) {
      topic.advance(seq, 0, 0);
      const { body, time } = topic.encoded(bar.time, true);
      this.#publish(topic, body, time);
      this.#throttle.cancel(topic);
    }
    const topics = this.#topics.get(symbol)!;
    topics.changed = seq;
    this.#options.indicators.close(event);
    this.closedBars.add(seq, topics.index, timeframe, bar);
    for (const topic of topics.bars) {
      if (topic.timeframe !== timeframe) continue;
      topic.advance(seq, 0, 0);
      const body = barBody(symbol, timeframe, bar, true);
      const shown = topic.indicators ? withIndicators(body, topic.indicators.closed(bar)) : body;
      this.#publish(topic, shown, bar.time);
      this.#throttle.cancel(topic);
    }
  }

  #signal(event: AnySignalEvent): void {
    const { symbol, n } = event;
    const topics = this.#topics.get(symbol);
    this.signals.add(n, event);
    if (!topics) return;
    for (const [kind, streams] of SIGNAL_TOPICS) {
      if (!streams.includes(STREAM_OF_EVENT[event.kind])) continue;
      const topic = topics[kind];
      topic.advance(n, 0, 0);
      if (topic.hasSubscribers) this.#publish(topic, signalBody(event), null);
    }
  }

  #sendThrottled(topic: ThrottledTopic): void {
    // A bar that has closed meanwhile was published already.
    if (topic.timeframe && !this.#options.market.forming(topic.symbol, topic.timeframe)) return;
    topic.advance(topic.pendingSeq, topic.sinceLast.volume, topic.sinceLast.askVolume);
    const message = topic.hasSubscribers ? topic.newest(topic.sinceLast) : null;
    topic.sinceLast.reset(topic.seq);
    if (message === null) return;
    this.#publish(topic, message.body, message.time);
    this.#batcher.endBatch();
  }

  #publish(topic: Topic, body: string, time: number | null): void {
    this.published++;
    topic.publish(body, time, this.#batcher.add);
  }
}
