// The channel of bars: the forming bar a few times per second, and each bar when it closes or is amended; with the values of
// indicators, if the client wants them.
import type { IndicatorSpec, Timeframe } from '@tickwire/contract';
import { type BarEvent, type InstrumentSpec, type MarketSymbol, PerInstrument } from '@tickwire/engine';
import type { RowAllowance } from '../../access/row-allowance.ts';
import type { ReadWork } from '../../http/read-work.ts';
import type { Journal } from '../../journal/journal.ts';
import type { MarketView } from '../../market/market-view.ts';
import type { InstrumentChannel } from '../../market/streams/instrument-channel.ts';
import type {
  EventReaders,
  LoadedTopics,
  ReplayRequest,
  Subscribe,
  SubscriptionNotice,
  TopicChannel,
  TopicPublisher,
} from '../../ws/channel.ts';
import type { Encoded } from '../../ws/encode.ts';
import type { Replay, Subscriber } from '../../ws/subscriber.ts';
import { removeFrom, sharedRate } from '../../ws/throttle.ts';
import type { Topic } from '../../ws/topic.ts';
import type { LiveIndicators } from '../live-indicators.ts';
import { BarRing, barBody, withIndicators } from './bar-messages.ts';
import { BarReplay } from './bar-replay.ts';
import { BarTopic } from './bar-topic.ts';
import { IndicatorLoader, parseSpecs } from './indicator-loader.ts';

/** Default `max_rate`, in messages per second. */
const BAR_RATE = 5;
/** Closed and amended bars of all symbols and timeframes that are kept for clients that resume, about 60 bytes each. */
const BARS_KEPT = 32_768;

export interface BarChannelOptions {
  readonly instruments: readonly InstrumentSpec[];
  readonly journal: Pick<Journal, 'epoch' | 'lastSeq'>;
  readonly market: MarketView;
  /** Bars change with the ticks and the order flow of their instrument. */
  readonly ticks: InstrumentChannel;
  readonly flows: InstrumentChannel;
  readonly indicators: LiveIndicators;
  /** The bars that are read for indicators count, as the rows of files do. */
  readonly rows: RowAllowance;
  readonly reads: ReadWork;
  readonly now: () => number;
}

interface InstrumentBars {
  /** Index of the instrument in the catalogue, which the ring uses. */
  readonly index: number;
  readonly topics: BarTopic[];
  /** `seq` of the newest event that may have changed a bar, other than a tick or order flow. */
  changed: number;
}

type BarList = NonNullable<SubscriptionNotice['bars']>;

export class BarChannel implements TopicChannel {
  readonly name = 'bars';
  readonly isComplete = false;
  readonly #options: BarChannelOptions;
  readonly #loader: IndicatorLoader;
  readonly #ring: BarRing;
  readonly #bars: PerInstrument<InstrumentBars>;

  readonly reads: EventReaders = {
    bar: (event, seq, publisher) => this.#close(event, seq, publisher),
    // Bars of the past are not sent, but the forming ones may have changed with them.
    history: ({ symbol }, seq, publisher) => {
      const bars = this.#bars.get(symbol)!;
      bars.changed = seq;
      this.#options.indicators.reload(symbol);
      publisher.schedule(bars.topics, seq);
    },
    minute: ({ symbol }, seq, publisher) => {
      const bars = this.#bars.get(symbol)!;
      bars.changed = seq;
      publisher.schedule(bars.topics, seq);
    },
  };

  constructor(options: BarChannelOptions) {
    const { instruments } = options;
    this.#options = options;
    this.#loader = new IndicatorLoader(options);
    this.#ring = new BarRing(instruments, BARS_KEPT);
    this.#bars = PerInstrument.of(instruments, (_, index) => ({ index, topics: [], changed: 0 }));
  }

  /** `seq` of the newest event that may have changed a bar, other than a tick or order flow. */
  changed(symbol: MarketSymbol): number {
    return this.#bars.get(symbol)!.changed;
  }

  startBatch(): void {
    this.#options.indicators.startBatch();
  }

  fill(timeframe: Timeframe): string {
    return this.#options.ticks.fill(timeframe);
  }

  lastEventAt(symbol: MarketSymbol): number | null {
    return this.#options.ticks.lastEventAt(symbol);
  }

  invalid(message: Subscribe): string | null {
    if (message.indicators && message.resume_from)
      return 'resume_from: cannot be combined with indicators; load earlier values with GET /api/indicators/{symbol}.';
    const specs = parseSpecs(message);
    return typeof specs === 'string' ? specs : null;
  }

  load(
    subscriber: Subscriber,
    message: Subscribe,
    symbols: readonly MarketSymbol[],
    room: number,
  ): Promise<LoadedTopics> | null {
    const specs = parseSpecs(message) as readonly IndicatorSpec[];
    if (specs.length === 0) return null;
    return this.#loader.load(subscriber, message.timeframe!, symbols, specs, room).then(({ rejected, release }) => ({
      open: (symbol) => rejected.get(symbol) ?? this.open(symbol, message, specs),
      release,
    }));
  }

  /** `specs` must have been loaded. */
  open(
    symbol: MarketSymbol,
    { timeframe: of, max_rate }: Pick<Subscribe, 'timeframe' | 'max_rate'>,
    specs: readonly IndicatorSpec[] = [],
  ): BarTopic {
    const { market, journal, indicators: live, ticks, flows } = this.#options;
    const timeframe = of!;
    const bars = this.#bars.get(symbol)!;
    const rate = sharedRate(max_rate ?? BAR_RATE);
    const variant = specs.length === 0 ? '' : ` ${specs.map(({ text }) => text).join(' ')}`;
    const name = `bars:${timeframe}:${symbol}@${rate}${variant}`;
    const known = bars.topics.find((topic) => topic.name === name);
    if (known) return known;
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
    const [tick, flow] = [ticks.topic(symbol), flows.topic(symbol)];
    const lists = [bars.topics, tick.followers, flow.followers];
    const topic = new BarTopic({
      ...{ channel: this.name, symbol, timeframe, name, epoch: journal.epoch, rate, indicators, newest },
      // A bar that has closed meanwhile was published already.
      isOutdated: () => !market.forming(symbol, timeframe),
      onUnused: () => {
        indicators?.release();
        for (const list of lists) removeFrom(list, topic);
      },
    });
    topic.computed = specs.length;
    topic.seq = Math.max(tick.seq, flow.seq, bars.changed);
    for (const list of lists) list.push(topic);
    return topic;
  }

  list(topics: readonly Topic[]): { bars?: BarList } {
    const bars = new Map<string, BarList[number]>();
    for (const { symbol, timeframe, indicators } of topics as readonly BarTopic[]) {
      const names = indicators?.names ?? [];
      const key = `${timeframe} ${names.join(' ')}`;
      const same = bars.get(key) ?? {
        timeframe: timeframe!,
        symbols: [],
        ...(indicators && { indicators: [...names] }),
      };
      same.symbols.push(symbol);
      bars.set(key, same);
    }
    return bars.size > 0 ? { bars: [...bars.values()] } : {};
  }

  replay(request: ReplayRequest): Replay {
    const numberOf = ({ symbol, timeframe }: Topic): number =>
      BarRing.topicOf(this.#bars.get(symbol)!.index, timeframe!);
    return new BarReplay(request, { ring: this.#ring, numberOf, journal: this.#options.journal });
  }

  skipTo(seq: number): void {
    const { indicators, journal } = this.#options;
    this.#ring.forget(seq);
    indicators.reload();
    for (const { topics } of this.#bars.values()) for (const topic of topics) topic.epoch = journal.epoch;
  }

  /** Publishes a closed or amended bar. The event that closed it follows, and schedules the forming bar again. */
  #close(event: BarEvent, seq: number, publisher: TopicPublisher): void {
    const { symbol, timeframe, bar } = event;
    const bars = this.#bars.get(symbol)!;
    bars.changed = seq;
    this.#options.indicators.close(event);
    this.#ring.add(seq, bars.index, timeframe, bar);
    for (const topic of bars.topics) {
      if (topic.timeframe !== timeframe) continue;
      topic.advance(seq, 0, 0);
      const body = barBody(symbol, timeframe, bar, true);
      const shown = topic.indicators ? withIndicators(body, topic.indicators.closed(bar)) : body;
      publisher.publish(topic, shown, bar.time);
      publisher.cancel(topic);
    }
  }
}
