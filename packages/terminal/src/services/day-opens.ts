// Today's open, high and low of every instrument, and the trail of its price: one request for all, repeated now and then because a
// tick may be missed while the connection is down. Live prices extend both in between.
import type { Allowance, CoreClient, OverviewItem } from '@tickwire/client';
import { type Polling, poll } from '../ui/poll.ts';
import type { Candle } from './candle.ts';
import { PriceTrail, type TrailPoint } from './price-trail.ts';
import type { Day, QuoteBoard } from './quote-board.ts';
import { mayFillIn } from './request-pacing.ts';

const EVERY_MS = 5 * 60_000;
/** After midnight until the day has a price, after a failure, and while the allowance is low. */
const SOON_MS = 30_000;
const STEP_MS = 15 * 60_000;
/** Live points, about a minute, that make a line if the service has no history. */
const ENOUGH = 12;

const dateOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10);

/** `null` if no bar is of that day, or the bars do not reach back to its start. */
export function dayFigures(candles: readonly Candle[], midnight: number): Day | null {
  const [oldest] = candles;
  if (!oldest || oldest.time > midnight) return null;
  const today = candles.filter(({ time }) => time >= midnight);
  const [first] = today;
  if (!first) return null;
  const high = Math.max(...today.map((candle) => candle.high));
  return { open: first.open, high, low: Math.min(...today.map((candle) => candle.low)) };
}

/** The closes of the last quarter hours with their times. The newest one ended with the last whole quarter hour. */
export function trailOf(sparkline: readonly number[], now: number): readonly TrailPoint[] {
  const end = Math.floor(now / STEP_MS) * STEP_MS;
  return sparkline.map((price, at) => ({ time: end - (sparkline.length - 1 - at) * STEP_MS, price }));
}

export class DayOpens {
  readonly #board: QuoteBoard;
  readonly #client: Pick<CoreClient, 'overview'>;
  readonly #allowance: () => Allowance | null;
  readonly #repetition: Polling;
  readonly #trails = new Map<string, PriceTrail>();
  readonly #known = new Set<string>();
  readonly #end = new AbortController();
  #date: string;
  #loaded = false;

  constructor(
    board: QuoteBoard,
    client: Pick<CoreClient, 'overview'>,
    allowance: () => Allowance | null,
    repeat: typeof poll = poll,
  ) {
    this.#board = board;
    this.#date = dateOf(board.serviceNow);
    this.#client = client;
    this.#allowance = allowance;
    for (const { instrument } of board.rows) this.#trails.set(instrument.symbol, new PriceTrail());
    board.onChange((changed) => this.#addLivePoints(changed), this.#end.signal);
    this.#repetition = repeat(() => this.#load());
  }

  /** Empty until it is known: a line of a few seconds would look like one of a day. */
  trail(symbol: string): readonly TrailPoint[] {
    const points = this.#trails.get(symbol)?.points ?? [];
    return this.#known.has(symbol) || points.length >= ENOUGH ? points : [];
  }

  /** Takes the day from the chart's bars if it is not known. */
  learn(symbol: string, candles: readonly Candle[]): void {
    const row = this.#board.row(symbol);
    if (!row || row.day !== null) return;
    const day = dayFigures(candles, Date.parse(this.#date));
    if (day !== null) this.#board.setDay(symbol, day);
  }

  stop(): void {
    this.#end.abort();
    this.#repetition.stop();
  }

  #addLivePoints(changed: ReadonlySet<string>): void {
    const now = this.#board.serviceNow;
    for (const symbol of changed) {
      const row = this.#board.row(symbol);
      if (!row || row.bid === null || row.ask === null) continue;
      this.#trails.get(symbol)?.add(now, (row.bid + row.ask) / 2);
    }
  }

  /** Returns the milliseconds until the next request. */
  async #load(): Promise<number> {
    if (this.#date !== dateOf(this.#board.serviceNow)) this.#startNewDay();
    if (this.#loaded && !mayFillIn(this.#allowance())) return SOON_MS;
    const date = this.#date;
    try {
      const { items } = await this.#client.overview({ signal: this.#end.signal });
      // A response from before midnight is of the previous day.
      if (date !== dateOf(this.#board.serviceNow)) return 0;
      this.#loaded = true;
      for (const item of items) this.#apply(item);
    } catch {
      // Other panels show what is wrong; these columns can wait.
      return SOON_MS;
    }
    const quoted = this.#board.rows.filter(({ bid }) => bid !== null);
    const complete = quoted.length > 0 && quoted.every(({ day }) => day !== null);
    return Math.min(complete ? EVERY_MS : SOON_MS, Date.parse(date) + 86_400_000 - this.#board.serviceNow + 1_000);
  }

  #apply({ symbol, day_open, day_high, day_low, sparkline }: OverviewItem): void {
    const row = this.#board.row(symbol);
    if (!row) return;
    if (day_open !== null && day_high !== null && day_low !== null) {
      // A tick since the response may have been beyond.
      const { high, low } = row.day ?? { high: day_high, low: day_low };
      this.#board.setDay(symbol, { open: day_open, high: Math.max(high, day_high), low: Math.min(low, day_low) });
    }
    if (this.#known.has(symbol) || sparkline.length === 0) return;
    this.#known.add(symbol);
    this.#trails.get(symbol)?.seed(trailOf(sparkline, this.#board.serviceNow));
  }

  /** A new day has no open yet. */
  #startNewDay(): void {
    this.#date = dateOf(this.#board.serviceNow);
    for (const { instrument } of this.#board.rows) this.#board.setDay(instrument.symbol, null);
  }
}
