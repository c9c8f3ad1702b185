// Another instrument as a line on the chart. Its closes are taken at the times of the chart's own bars, so that the time axis
// stays as it is; the newest one follows the live quote.
import type { Interval } from '@tickwire/client';
import { type ISeriesApi, LineSeries } from 'lightweight-charts';
import { type Polling, poll } from '../ui/poll.ts';
import type { ChartBars } from './bars/chart-bars.ts';
import type { ChartHost } from './frame/chart-part.ts';
import { LINE_COLORS } from './layers/line-colors.ts';
import { quietLine, timestampOf } from './layers/plot-options.ts';

const RELOAD_MS = 60_000;
const PAGE = 10_000;

/** Its name and its change since the first visible bar are at the end of the line. */
export const lineLook = (symbol: string, color: string) => ({
  ...quietLine(color),
  lineWidth: 2 as const,
  lastValueVisible: true,
  title: symbol,
});

/** Those that differ most from the usual colours of indicators come first. */
const { olive, pink, teal, violet, orange, azure } = LINE_COLORS;
const COLORS = [olive, pink, teal, violet, orange, azure];

/** A colour that no other line of the chart has. */
export const freeColor = (taken: readonly string[]): string => COLORS.find((color) => !taken.includes(color)) ?? olive;

export class CompareLine {
  readonly symbol: string;
  readonly color: string;
  readonly #host: ChartHost;
  readonly #series: ISeriesApi<'Line'>;
  readonly #polling: Polling;
  readonly #end = new AbortController();
  #closes = new Map<number, number>();
  /** Start of what was requested. */
  #from = Number.POSITIVE_INFINITY;
  #bars = 0;

  constructor(host: ChartHost, symbol: string, color: string) {
    this.#host = host;
    this.symbol = symbol;
    this.color = color;
    this.#series = host.chart.addSeries(LineSeries, lineLook(symbol, color));
    this.#polling = poll(async () => {
      await this.#load().catch((error: unknown) => {
        if (!this.#end.signal.aborted) host.services.notifier.reportError(error, symbol);
      });
      return RELOAD_MS;
    });
    host.services.quotes.onChange((changed) => changed.has(symbol) && this.#follow(), this.#end.signal);
  }

  /** Called when the chart has drawn other bars. */
  draw(series: ChartBars, all: boolean): void {
    const [first] = series.candles;
    if (!first) return;
    if (all) {
      this.#drawAll(series);
      // The next reload tells what is wrong, if anything is.
      if (first.time < this.#from) void this.#load().catch(() => {});
    } else if (series.candles.length !== this.#bars) this.#follow();
    this.#bars = series.candles.length;
  }

  /** Close at a bar; `null` if there is none. */
  closeAt(timeMs: number): number | null {
    return this.#closes.get(timeMs) ?? null;
  }

  remove(): void {
    this.#end.abort();
    this.#polling.stop();
    this.#host.chart.removeSeries(this.#series);
  }

  async #load(): Promise<void> {
    const [bars, market] = [this.#host.bars(), this.#host.market()];
    const first = bars?.candles[0];
    if (!bars || !first || !market) return;
    this.#from = first.time;
    const { signal } = this.#end;
    const closes = new Map<number, number>();
    const query = { interval: market.interval as Interval, from: first.time, limit: PAGE };
    let cursor: string | null = null;
    do {
      const page = await this.#host.services.client.bars(this.symbol, cursor === null ? query : { ...query, cursor }, {
        signal,
      });
      for (const { time, close } of page.items) closes.set(Date.parse(time), close);
      cursor = page.next;
    } while (cursor !== null && !signal.aborted);
    // Another interval may have been opened meanwhile.
    if (signal.aborted || this.#host.bars() !== bars) return;
    this.#closes = closes;
    this.#drawAll(bars);
    this.#host.redraw();
  }

  #drawAll({ candles }: ChartBars): void {
    this.#series.setData(
      candles.flatMap((candle) => {
        const value = this.#closes.get(candle.time);
        return value === undefined ? [] : [{ time: timestampOf(candle), value }];
      }),
    );
  }

  /** The newest bar follows the quote. */
  #follow(): void {
    const last = this.#host.bars()?.candles.at(-1);
    const bid = this.#host.services.quotes.row(this.symbol)?.bid ?? null;
    if (!last || bid === null || this.#closes.size === 0) return;
    this.#closes.set(last.time, bid);
    this.#series.update({ time: timestampOf(last), value: bid });
  }
}
