// Random alerts near the prices of a stretch of events.
import { AlertCondition, type Repeat, type SimpleCondition, TIMEFRAMES } from '@tickwire/contract';
import { type AlertSpec, asEpochMs, type EpochMs, HOUR_MS, type InstrumentSpec, MINUTE_MS } from '@tickwire/engine';
import type { Random } from '../signals/random.fixture.ts';
import { PUBLISHERS } from './recorded-events.fixture.ts';

export interface PriceRange {
  readonly low: number;
  readonly high: number;
}

/** From the closing of gold to its opening. */
const WEEKEND_MS = 49 * HOUR_MS;
const INTERVALS = ['1m', '1m', '5m'] as const;
const INDICATORS = [
  { indicator: 'sma(3)', low: 0, high: 0 },
  { indicator: 'ema(4)', low: 0, high: 0 },
  { indicator: 'rsi(3)', low: 20, high: 80 },
  { indicator: 'macd(2,4,2)', line: 'histogram', low: -0.01, high: 0.01 },
  { indicator: 'stochastic(3,1,2)', line: 'k', low: 20, high: 80 },
] as const;
const WORDS = [['rates'], ['jobs data', 'opec'], ['ETF'], ['rate'], ['gold', 'euro falls']] as const;

export class RandomAlerts {
  readonly #random: Random;
  readonly #spec: InstrumentSpec;
  readonly #range: PriceRange;
  readonly #hasTrades: boolean;

  constructor(random: Random, spec: InstrumentSpec, range: PriceRange, hasTrades: boolean) {
    this.#random = random;
    this.#spec = spec;
    this.#range = range;
    this.#hasTrades = hasTrades;
  }

  next(id: string, since: { readonly seq: number; readonly time: EpochMs }): AlertSpec {
    const random = this.#random;
    const condition = AlertCondition.parse(random.chance(0.25) ? this.#combined(since.time) : this.#simple(since.time));
    const symbolless = ['headline', 'signal', 'calendar'].includes(condition.type) && random.chance(0.5);
    return {
      id,
      symbol: symbolless ? null : this.#spec.symbol,
      condition,
      repeat: random.of<Repeat>(['once', 'once_per_bar', 'every_time', 'every_time']),
      interval: random.chance(0.3) ? random.of(TIMEFRAMES) : null,
      cooldownMs: random.chance(0.5) ? 0 : random.whole(1, 120) * 1_000,
      expiresAt: random.chance(0.1) ? asEpochMs(since.time + random.whole(1, 1_200_000)) : null,
      sinceSeq: since.seq,
      sinceTime: since.time,
      state: null,
    };
  }

  #combined(since: EpochMs): unknown {
    const random = this.#random;
    const states = Array.from({ length: random.whole(1, 3) }, () => this.#state());
    return { type: 'all', of: random.chance(0.5) ? [this.#moment(since), ...states] : [this.#state(), ...states] };
  }

  #simple(since: EpochMs): unknown {
    return this.#random.chance(0.6) ? this.#moment(since) : this.#state();
  }

  #level(): number {
    const { low, high } = this.#range;
    const level = low + (high - low) * (this.#random.next() * 1.1 - 0.05);
    // Some levels have more decimals than the instrument.
    const digits = this.#spec.digits + (this.#random.chance(0.05) ? 1 : 0);
    return Number(level.toFixed(digits));
  }

  #side(): string {
    return this.#random.of(this.#hasTrades ? ['bid', 'ask', 'trade'] : ['bid', 'ask']);
  }

  #moment(since: EpochMs): unknown {
    const random = this.#random;
    const direction = random.of(['above', 'below', 'either']);
    const kind = random.next();
    if (kind < 0.4)
      return { type: 'price', [random.of(['cross', 'touch'])]: direction, level: this.#level(), side: this.#side() };
    if (kind < 0.45) {
      const percent = Number((random.next() * this.#rangePercent()).toFixed(3)) + 0.001;
      const [minutes, way] = [random.whole(1, 5), random.of(['up', 'down', 'either'])];
      return { type: 'move', percent, direction: way, minutes, side: this.#side() };
    }
    if (kind < 0.55)
      return {
        type: 'bar_close',
        interval: random.of(INTERVALS),
        close: random.of(['above', 'below']),
        level: this.#level(),
      };
    if (kind < 0.65) return this.#indicator({ cross: direction });
    if (kind < 0.7) return this.#trendLine(direction, since);
    if (kind < 0.75 && this.#hasTrades) return { type: 'absorption', side: random.of(['buy', 'sell', 'either']) };
    if (kind < 0.82) return this.#headline();
    if (kind < 0.89)
      return {
        type: 'signal',
        events: random.of([['published'], ['filled', 'closed'], ['published', 'filled', 'closed']]),
        ...(random.chance(0.5) ? { publisher: random.of([PUBLISHERS[0].id, 'GOLDSMITH', 'northwind']) } : {}),
      };
    if (kind < 0.96)
      return {
        type: 'calendar',
        minutes: random.whole(0, 6),
        impact: random.of(['low', 'medium', 'high']),
        ...(random.chance(0.3) ? { country: 'US' } : {}),
      };
    return { type: 'market', state: random.of(['opens', 'closes']) };
  }

  #trendLine(cross: string, since: EpochMs): unknown {
    const random = this.#random;
    const { low, high } = this.#range;
    const minutes = random.whole(-30, 30);
    // Every other one starts before the weekend if there was one.
    const earlier = minutes % 2 === 0 ? WEEKEND_MS : 0;
    const time = new Date(since + minutes * MINUTE_MS - earlier).toISOString();
    const per_bar = Number((((high - low) / 20) * (random.next() - 0.5)).toFixed(this.#spec.digits + 2));
    return { type: 'trend_line', interval: random.of(INTERVALS), cross, time, price: this.#level(), per_bar };
  }

  #headline(): unknown {
    const random = this.#random;
    return {
      type: 'headline',
      ...(random.chance(0.3) ? { category: random.of(['forex', 'gold']) } : {}),
      ...(random.chance(0.3) ? { sentiment: random.of(['bullish', 'bearish']) } : {}),
      ...(random.chance(0.6) ? { words: [...random.of(WORDS)] } : {}),
    };
  }

  #state(): SimpleCondition | unknown {
    const random = this.#random;
    const kind = random.next();
    const is = random.of(['above', 'below']);
    if (kind < 0.5) return { type: 'price', is, level: this.#level(), side: this.#side() };
    if (kind < 0.65) return this.#indicator({ is });
    if (kind < 0.75)
      return { type: 'spread', above: Number((random.next() * this.#spec.pipSize * 8).toFixed(6)) + 1e-6 };
    if (kind < 0.8) return { type: 'stale', seconds: random.magnitude(1, 120) };
    if (!this.#hasTrades) return { type: 'price', is, level: this.#level(), side: 'ask' };
    const interval = random.of(['1m', '1m', '5m', '1h']);
    if (kind < 0.87) return { type: 'volume', interval, above: random.magnitude(1, 2_000) / 10 };
    return { type: 'delta', interval, [is]: (random.of([1, -1]) * random.magnitude(1, 200)) / 10 };
  }

  #indicator(how: object): unknown {
    const random = this.#random;
    const interval = random.of(INTERVALS);
    const { low, high, ...of } = random.of(INDICATORS);
    if (low === high && random.chance(0.5))
      return { type: 'indicator', ...of, interval, ...how, other: random.of(['sma(5)', 'wma(2)']) };
    const value = low === high ? this.#level() : low + (high - low) * random.next();
    return { type: 'indicator', ...of, interval, ...how, value };
  }

  #rangePercent(): number {
    const { low, high } = this.#range;
    return ((high - low) / low) * 60;
  }
}
