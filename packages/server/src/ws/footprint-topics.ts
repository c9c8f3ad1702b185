// Topics of footprints: volume at price of the forming bar, a few times per second, and of each bar when it closes. Each
// message has the whole bar, so none depends on the one before.
import { FOOTPRINT_TIMEFRAMES, type FootprintTimeframe, TIMEFRAME_MS, type Timeframe } from '@tickwire/contract';
import { type BarEvent, fromTicks, type InstrumentSpec, type MarketSymbol } from '@tickwire/engine';
import { type Footprint, LiveFootprint } from '../history/live-footprint.ts';
import { sideMethodOf } from '../history/volume-profile.ts';
import { generatedHistogram } from '../market/feeds/sim/generated-histogram.ts';
import type { MarketView } from '../market/market-view.ts';
import type { Encoded } from './encode.ts';
import { sharedRate } from './throttle.ts';
import { ThrottledTopic } from './topic.ts';

export interface FootprintTopicsOptions {
  readonly instruments: readonly InstrumentSpec[];
  readonly market: MarketView;
  readonly simulated: boolean;
}

export class FootprintTopic extends ThrottledTopic {
  readonly footprint: LiveFootprint;
  readonly spec: InstrumentSpec;

  constructor(
    options: ConstructorParameters<typeof ThrottledTopic>[0],
    rate: number,
    spec: InstrumentSpec,
    live: LiveFootprint,
  ) {
    super(options, rate);
    this.spec = spec;
    this.footprint = live;
  }

  /** The message of a bar. */
  encoded(start: number, closed: boolean): Encoded {
    return {
      body: footprintBody(this.spec, this.timeframe!, start, this.footprint.at(start), closed),
      time: start,
    };
  }
}

export class FootprintTopics {
  readonly #options: FootprintTopicsOptions;
  readonly #specs: ReadonlyMap<MarketSymbol, InstrumentSpec>;
  /** Only those with subscribers. */
  readonly #topics = new Map<MarketSymbol, FootprintTopic[]>();

  constructor(options: FootprintTopicsOptions) {
    this.#options = options;
    this.#specs = new Map(options.instruments.map((spec) => [spec.symbol, spec]));
  }

  /** Whether the feed of the instrument has trades, as far as is known. */
  hasTrades(symbol: MarketSymbol): boolean {
    return this.#specs.get(symbol)!.bars !== 'quotes' || this.#options.market.flow(symbol) !== null;
  }

  /** The topic with this timeframe and rate; a new one continues after `seq`. */
  open(symbol: MarketSymbol, timeframe: Timeframe, maxRate: number, epoch: string, seq: number): FootprintTopic {
    const rate = sharedRate(maxRate);
    const topics = this.#topics.get(symbol) ?? [];
    const known = topics.find((topic) => topic.timeframe === timeframe && topic.intervalMs === 1000 / rate);
    if (known) return known;
    const { market, simulated } = this.#options;
    const spec = this.#specs.get(symbol)!;
    const live = new LiveFootprint({ view: market, generate: simulated ? generatedHistogram : null }, spec, timeframe);
    const newest = (): Encoded | null => {
      const forming = market.forming(symbol, timeframe);
      const bar = forming ?? market.latestBar(symbol, timeframe);
      return bar && topic.encoded(bar.time, forming === null);
    };
    const name = `footprint:${timeframe}:${symbol}@${rate}`;
    const topic: FootprintTopic = new FootprintTopic(
      { channel: 'footprint', symbol, timeframe, name, epoch, newest },
      rate,
      spec,
      live,
    );
    topic.seq = seq;
    this.#topics.set(symbol, [...topics, topic]);
    return topic;
  }

  of(symbol: MarketSymbol): readonly FootprintTopic[] {
    return this.#topics.get(symbol) ?? NONE;
  }

  all(): FootprintTopic[] {
    return [...this.#topics.values()].flat();
  }

  remove(topic: ThrottledTopic): void {
    const left = this.of(topic.symbol).filter((each) => each !== topic);
    if (left.length > 0) this.#topics.set(topic.symbol, left);
    else this.#topics.delete(topic.symbol);
  }

  /** Notes a closed or amended bar. Returns the topics that have it. */
  barClosed({ symbol, timeframe }: BarEvent): readonly FootprintTopic[] {
    const topics = this.of(symbol);
    if (timeframe === '1m') for (const topic of topics) topic.footprint.minuteChanged();
    return topics.filter((topic) => topic.timeframe === timeframe);
  }
}

const NONE: readonly FootprintTopic[] = [];

/** The timeframe, if footprints of it are streamed. */
export const isFootprintTimeframe = (timeframe: Timeframe): timeframe is FootprintTimeframe =>
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
