// Turns events of the journal into messages of topics: every message is encoded once and published to a Bun topic, which
// delivers it to all of its sockets.
import type { IndicatorSpec, Timeframe } from '@tickwire/contract';
import {
  asSymbol,
  type BarEvent,
  type FlowEvent,
  type InstrumentSpec,
  type MarketSymbol,
  type MinuteEvent,
  type TickEvent,
} from '@tickwire/engine';
import { type AnySignalEvent, type Batch, type JournalEvent, STREAM_OF_EVENT } from '../journal/journal.ts';
import { barBody, flowBody, signalBody, tickBody, withIndicators } from './encode.ts';
import { type FootprintTopic, FootprintTopics } from './footprint-topics.ts';
import { InstrumentTopics, type TopicKind, type TopicSources } from './instrument-topics.ts';
import { BarRing, EventRing, FlowRing, TickRing } from './message-ring.ts';
import { GROUP_SIZE, ReaderGroups } from './reader-groups.ts';
import { SIGNAL_TOPICS, type SignalStreams } from './signal-topics.ts';
import type { StreamSocket } from './stream-socket.ts';
import type { Subscriber } from './subscriber.ts';
import { TopicThrottle } from './throttle.ts';
import { type Publish, type Subscription, ThrottledTopic, type Topic } from './topic.ts';
import { WriteBatcher } from './write-batcher.ts';

/** Signals in memory; older ones come from the store. */
const SIGNALS_KEPT = 1_024;
/** Closed and amended bars of all symbols and timeframes that are kept for clients that resume, about 60 bytes each. */
const BARS_KEPT = 32_768;

/** `seq` of the last tick and the last order-flow message of each instrument; 0 if there was none lately. */
export type LastSeqs = ReadonlyMap<MarketSymbol, { readonly tick: number; readonly flow: number }>;

export interface HubOptions extends TopicSources {
  readonly instruments: readonly InstrumentSpec[];
  /** Number of ticks, and of order-flow messages, that are kept for clients that resume. */
  readonly capacity: number;
  readonly publish: Publish;
  /** Sockets that are subscribed to a Bun topic, and all sockets. */
  readonly audienceOf: (name: string) => number;
  readonly sockets: () => number;
  /** Whether the market data is simulated. Default false. */
  readonly simulated?: boolean;
  /** This many readers with the same subscriptions share a Bun topic. Default 100. */
  readonly groupSize?: number;
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
    this.#topics = new Map(instruments.map((spec, index) => [spec.symbol, new InstrumentTopics(spec, index, options)]));
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
    return this.#topics.get(symbol)!.of(kind);
  }

  /** What a topic of signals contains. */
  streamsOf(topic: Topic): SignalStreams {
    return this.#topics.get(topic.symbol)!.streamsOf(topic);
  }

  /** The newest message of a topic, at most `maxRate` times per second. */
  throttled(kind: 'market' | 'orderflow', symbol: MarketSymbol, maxRate: number): ThrottledTopic {
    return this.#topics.get(symbol)!.throttled(kind, maxRate);
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
    return this.#topics.get(symbol)!.openBars(timeframe, maxRate, specs);
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
    for (const topics of this.#topics.values()) for (const topic of topics.ofJournal()) topic.epoch = epoch;
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
    this.#throttle.cancel(topic);
    this.#topics.get(topic.symbol)!.remove(topic);
    this.#footprints.remove(topic);
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
      const topic = topics.of(kind);
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
