// Random scenarios: quotes in and out of order, outages with missed trades and minutes, gaps, requests at any moment. Times near
// deadlines, publications and the ends of minutes are frequent.
import { fromTicks } from '@tickwire/engine';
import { Random } from './random.fixture.ts';
import { type Market, randomRequest } from './random-request.fixture.ts';
import type { Scenario, ScenarioEvent, SignalRequest } from './scenario.fixture.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
const START = Date.UTC(2026, 2, 2, 11, 24);
const INSTRUMENTS = [
  { digits: 5, pip_size: 0.0001, base: 110_000, step: 10 },
  { digits: 3, pip_size: 0.01, base: 151_200, step: 20 },
  { digits: 2, pip_size: 0.1, base: 205_000, step: 30 },
  { digits: 0, pip_size: 1, base: 43_000, step: 3 },
  { digits: 8, pip_size: 0.00000001, base: 1_234, step: 2 },
] as const;
const PAUSES_MS = [0, 0, 0, 1, 1, 100, 100, 700, 700, 1_000, 1_000, 2_000, 4_999, 5_000, 9_000, 20_000];
const SOURCES = ['sim', 'sim', 'sim', 'oanda', 'push:p1', 'push:p2'];
const EVENTS = {
  quote: 40,
  clock: 8,
  trade: 4,
  bar: 4,
  disconnect: 3,
  backfilled: 0.5,
  gap: 1,
  failover: 0.5,
  publish: 24,
  amend: 10,
  close: 7,
  void: 0.7,
};
const OUTAGE = { ...EVENTS, quote: 14, trade: 25, bar: 14, backfilled: 6, gap: 4, failover: 4, publish: 3 };

/** What a scenario is mostly about. Weights: of pauses to the end of a minute, of times near a deadline; factors of minutes and amendments. */
const THEMES = [
  { minutePauses: 4, moments: 2.5, bars: 1, amendments: 1 },
  { minutePauses: 40, moments: 1, bars: 4, amendments: 3 },
  { minutePauses: 2, moments: 8, bars: 3, amendments: 1 },
] as const;

export const randomScenario = (seed: number): Scenario => new Generator(seed).scenario();

class Generator {
  readonly #seed: number;
  readonly #random: Random;
  readonly #instrument: (typeof INSTRUMENTS)[number];
  readonly #theme: (typeof THEMES)[number];
  /** Signals that may still be active, and their stops. */
  readonly #signals: { readonly id: string; readonly request: SignalRequest }[] = [];
  /** Times at which something changes. */
  #moments: number[] = [];
  #now = START;
  #seq = 100;
  #disconnected = false;
  /** Publications after this are rejected, as far as the generator knows. */
  #liveUntil = 0;
  #market: Market;

  constructor(seed: number) {
    this.#seed = seed;
    this.#random = new Random(seed);
    this.#instrument = this.#random.pick(INSTRUMENTS);
    this.#theme = this.#random.pick(THEMES);
    const { digits, step, base } = this.#instrument;
    this.#market = { digits, step, bid: base, ask: base + step };
  }

  scenario(): Scenario {
    const { digits, pip_size } = this.#instrument;
    const length = this.#random.integer(15, 90);
    const events = [this.#quote()];
    while (events.length < length) {
      const event = this.#next();
      if (event) events.push(event);
    }
    return { scenario: this.#seed, instrument: { digits, pip_size }, events };
  }

  #next(): ScenarioEvent | null {
    const random = this.#random;
    this.#now += this.#pause();
    const weights = this.#disconnected ? OUTAGE : EVENTS;
    const { bars, amendments } = this.#theme;
    const type = random.weighted({ ...weights, bar: weights.bar * bars, amend: weights.amend * amendments });
    if (type === 'bar' || type === 'disconnect') this.#liveUntil = 0;
    switch (type) {
      case 'quote':
        return this.#quote();
      case 'publish':
        return this.#publish();
      case 'amend':
      case 'close':
      case 'void':
        return this.#request(type);
      case 'trade':
        return {
          type,
          ...this.#priced(),
          price: this.#price(this.#level()),
          side: random.pick(['buy', 'sell']),
        };
      case 'bar':
        return this.#bar();
      case 'gap': {
        const from = this.#now - random.integer(0, 90_000);
        this.#disconnected = false;
        return { type, ...this.#numbered(this.#now), from, to: from + random.integer(0, 60_000) };
      }
      default:
        if (type !== 'clock') this.#disconnected = type === 'disconnect';
        return { type, ...this.#numbered(type === 'clock' ? this.#near() : this.#now) };
    }
  }

  #pause(): number {
    const random = this.#random;
    const kind = random.weighted({ short: 90, minute: this.#theme.minutePauses, long: 1 });
    if (kind === 'minute') return MINUTE_MS - (this.#now % MINUTE_MS);
    return random.pick(kind === 'long' ? [61_000, DAY_MS, 30 * DAY_MS] : PAUSES_MS);
  }

  #quote(): ScenarioEvent {
    const random = this.#random;
    const { step } = this.#instrument;
    const bid = this.#level();
    const ask = bid + random.pick([0, 1, step, step, step, step + 1, 2 * step]);
    this.#market = { ...this.#market, bid, ask };
    this.#disconnected = false;
    const event = this.#priced();
    this.#liveUntil = event.time + MINUTE_MS;
    return { type: 'quote', ...event, bid: this.#price(bid), ask: this.#price(ask) };
  }

  #bar(): ScenarioEvent {
    const random = this.#random;
    const prices = [this.#level(), this.#level(), this.#level(), this.#level()];
    const [high, low] = [Math.max(...prices), Math.min(...prices)];
    const time = Math.floor(this.#near() / MINUTE_MS) * MINUTE_MS - MINUTE_MS * random.integer(-1, 2);
    const values = { open: prices[0]!, high, low, close: prices[3]! };
    const [open, close] = [this.#price(values.open), this.#price(values.close)];
    const bar = { open, high: this.#price(high), low: this.#price(low), close, partial: random.chance(0.15) };
    return { type: 'bar', ...this.#priced(), time, ...bar };
  }

  #publish(): ScenarioEvent {
    const random = this.#random;
    if (this.#now > this.#liveUntil && random.chance(0.8)) return this.#quote();
    const request = randomRequest(random, this.#market, this.#now);
    const id = `s${this.#signals.length}`;
    this.#signals.push({ id, request });
    const end = request.expires_at ?? this.#now + MINUTE_MS;
    this.#moments = [...this.#moments, this.#now, end, end + 5_000, this.#now + MINUTE_MS, this.#now + 65_000].slice(
      -25,
    );
    return { type: 'publish', at: this.#now, signal: id, publisher: random.pick(['p1', 'p2']), request };
  }

  #request(type: 'amend' | 'close' | 'void'): ScenarioEvent | null {
    const random = this.#random;
    const signal = this.#signals.at(-random.integer(1, 8));
    if (!signal) return null;
    this.#moments.push(this.#now);
    const common = { at: this.#now, signal: signal.id };
    if (type !== 'amend') return { type, ...common };
    const { step, digits } = this.#instrument;
    const sign = signal.request.direction === 'buy' ? 1 : -1;
    const ticks =
      Math.round(signal.request.stop_loss * 10 ** digits) +
      sign * step * random.integer(random.chance(0.1) ? -1 : 1, 5);
    return { type, ...common, stop_loss: this.#price(ticks) };
  }

  /** A price on the grid, near the last one or near the base. */
  #level(): number {
    const { base, step } = this.#instrument;
    const from = this.#random.chance(0.6) ? this.#market.bid : base;
    const ticks = from + step * this.#random.integer(-3, 3) + (this.#random.chance(0.1) ? 1 : 0);
    return Math.max(base - 8 * step, Math.min(base + 8 * step, ticks));
  }

  /** A time near now, or near a moment of a signal. */
  #near(): number {
    const random = this.#random;
    const kind = random.weighted({ now: 6, late: 1.5, ahead: 1, moment: this.#theme.moments });
    if (kind === 'late') return this.#now - random.pick([1, 500, 3_000, 30_000, 120_000]);
    if (kind === 'ahead') return this.#now + random.pick([1, 500, 3_000, 10_000]);
    const moments = this.#moments.filter((time) => Math.abs(time - this.#now) < 70_000);
    if (kind === 'moment' && moments.length > 0) return random.pick(moments) + random.pick([-1, 0, 0, 1]);
    return this.#now;
  }

  #priced(): { seq: number; time: number; source: string } {
    return { ...this.#numbered(this.#near()), source: this.#random.pick(SOURCES) };
  }

  #numbered(time: number): { seq: number; time: number } {
    this.#seq += this.#random.integer(1, 3);
    return { seq: this.#seq, time };
  }

  #price(ticks: number): number {
    return fromTicks(ticks, this.#instrument.digits);
  }
}
