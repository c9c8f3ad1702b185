// Today's open, high and low of every instrument, and the trail of its price. No endpoint has them for all instruments, so
// they are fetched one by one, slowly, and only while more than half of the allowance is left. The results are kept with the
// tab, so that a reload does not fetch them again.
import type { Allowance, CoreClient, OhlcvBar } from '@tickwire/client';
import { type Polling, poll } from '../ui/poll.ts';
import { readRecord, storeRecord } from '../ui/stored-record.ts';
import type { Candle } from './candle.ts';
import { PriceTrail, type TrailPoint } from './price-trail.ts';
import type { Day, QuoteBoard } from './quote-board.ts';
import { mayFillIn } from './request-pacing.ts';

const NAME = 'tickwire.day';
const BETWEEN_REQUESTS_MS = 250;
const IDLE_MS = 5_000;
/** Beyond this many, only instruments that were charted show their change. */
const MAX_INSTRUMENTS = 100;
const TIMEFRAME = '15m';
/** A whole day and the forming bar. */
const BARS = 97;
/** A stored trail that is older is fetched again. */
const FRESH_MS = 30 * 60_000;

/** Live points, about a minute, that make a line if the service has no history. */
const ENOUGH = 12;

interface StoredDay {
  /** The UTC day, such as `2024-05-12`. */
  readonly date: string;
  /** When it was fetched. */
  readonly at: number;
  readonly day: Day | null;
  readonly trail: readonly TrailPoint[];
}

const dateOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10);

/** `null` if no bar is of that day, or the bars do not reach back to its start. `all`: there are no older bars. */
export function dayFigures(candles: readonly Candle[], midnight: number, all: boolean): Day | null {
  const [oldest] = candles;
  if (!oldest || (oldest.time > midnight && !all)) return null;
  const today = candles.filter(({ time }) => time >= midnight);
  const [first] = today;
  if (!first) return null;
  const high = Math.max(...today.map((candle) => candle.high));
  return { open: first.open, high, low: Math.min(...today.map((candle) => candle.low)) };
}

/** Each bar at its end. The forming bar is left to the live prices. */
export function trailOf(bars: readonly OhlcvBar[], lengthMs: number, now: number): readonly TrailPoint[] {
  return bars
    .map(({ time, close }) => ({ time: Date.parse(time) + lengthMs, price: close }))
    .filter(({ time }) => time <= now);
}

export class DayOpens {
  readonly #board: QuoteBoard;
  readonly #client: CoreClient;
  readonly #allowance: () => Allowance | null;
  readonly #repetition: Polling;
  readonly #trails = new Map<string, PriceTrail>();
  readonly #known = new Set<string>();
  readonly #end = new AbortController();
  #date = dateOf(Date.now());

  constructor(board: QuoteBoard, client: CoreClient, allowance: () => Allowance | null) {
    this.#board = board;
    this.#client = client;
    this.#allowance = allowance;
    for (const { instrument } of board.rows) {
      this.#trails.set(instrument.symbol, new PriceTrail());
      this.#restore(instrument.symbol);
    }
    board.onChange((changed) => this.#addLivePoints(changed), this.#end.signal);
    this.#repetition = poll(() => this.#fetchNext(), BETWEEN_REQUESTS_MS);
  }

  /** Empty until it is known: a line of a few seconds would look like one of a day. */
  trail(symbol: string): readonly TrailPoint[] {
    const points = this.#trails.get(symbol)?.points ?? [];
    return this.#known.has(symbol) || points.length >= ENOUGH ? points : [];
  }

  /** Takes the day from the chart's bars, which are there earlier. */
  learn(symbol: string, candles: readonly Candle[]): void {
    const row = this.#board.row(symbol);
    if (!row || row.day !== null) return;
    const day = dayFigures(candles, Date.parse(this.#date), false);
    if (day !== null) this.#board.setDay(symbol, day);
  }

  stop(): void {
    this.#end.abort();
    this.#repetition.stop();
  }

  #addLivePoints(changed: ReadonlySet<string>): void {
    const now = Date.now();
    for (const symbol of changed) {
      const row = this.#board.row(symbol);
      if (!row || row.bid === null || row.ask === null) continue;
      this.#trails.get(symbol)?.add(now, (row.bid + row.ask) / 2);
    }
  }

  async #fetchNext(): Promise<number> {
    if (this.#date !== dateOf(Date.now())) this.#startNewDay();
    const rows = this.#board.rows.slice(0, MAX_INSTRUMENTS);
    // Without a quote there is no change to show, and probably no bar yet.
    const next = rows.find(({ instrument, bid }) => bid !== null && !this.#known.has(instrument.symbol));
    if (!next || !mayFillIn(this.#allowance())) return IDLE_MS;
    const { symbol } = next.instrument;
    const { signal } = this.#end;
    const date = this.#date;
    try {
      const { ohlcv } = await this.#client.market(symbol, { timeframe: TIMEFRAME, bars: BARS }, { signal });
      // A response from before midnight is of the previous day: fetch it again.
      if (date === this.#date) this.#apply(symbol, ohlcv);
    } catch {
      // Other panels show what is wrong; this column can wait.
      return IDLE_MS;
    }
    return BETWEEN_REQUESTS_MS;
  }

  #apply(symbol: string, bars: readonly OhlcvBar[]): void {
    const now = Date.now();
    const candles = bars.map(({ time, ...rest }) => ({ time: Date.parse(time), ...rest }));
    const day = dayFigures(candles, Date.parse(this.#date), bars.length < BARS);
    const trail = trailOf(bars, 15 * 60_000, now);
    this.#show(symbol, day, trail);
    const stored: StoredDay = { date: this.#date, at: now, day, trail };
    // If the tab's storage is full, a reload fetches it again.
    storeRecord(sessionStorage, `${NAME}.${symbol}`, stored);
  }

  #show(symbol: string, day: Day | null, trail: readonly TrailPoint[]): void {
    this.#known.add(symbol);
    this.#board.setDay(symbol, day);
    this.#trails.get(symbol)?.seed(trail);
  }

  /** A new day has no open yet. */
  #startNewDay(): void {
    this.#date = dateOf(Date.now());
    this.#known.clear();
    for (const { instrument } of this.#board.rows) this.#board.setDay(instrument.symbol, null);
  }

  #restore(symbol: string): void {
    const { date, at, day, trail } = readRecord(sessionStorage, `${NAME}.${symbol}`) as Partial<StoredDay>;
    if (date === this.#date && Array.isArray(trail) && Date.now() - (at ?? 0) < FRESH_MS)
      this.#show(symbol, day ?? null, trail);
  }
}
