// A client of the UDF protocol that behaves as the public data feed of TradingView charts: it knows only the start of an address,
// sends no header, reads every body as JSON whatever the status, and looks at `s`.
import type { UdfConfig, UdfSymbol } from '@tickwire/contract';

export interface UdfBar {
  /** Epoch milliseconds. */
  readonly time: number;
  readonly open: number;
  readonly high: number;
  readonly low: number;
  readonly close: number;
  readonly volume: number;
}

export interface UdfPage {
  readonly bars: readonly UdfBar[];
  readonly noData: boolean;
  /** Seconds. */
  readonly nextTime: number | undefined;
}

export interface UdfMark {
  readonly id: string;
  readonly time: number;
  readonly color: string;
  readonly text: string;
  readonly label: string;
  readonly labelFontColor: string;
  readonly minSize: number;
}

type Parameters = Readonly<Record<string, string | number>>;
type Columns = Readonly<Record<string, readonly unknown[]>>;

/** Bars that a chart asks for at once. */
const SCREEN_BARS = 20;

export class UdfDatafeed {
  readonly #url: string;
  readonly #headers: Readonly<Record<string, string>>;
  /** Requests so far. */
  requests = 0;
  configuration: UdfConfig | null = null;

  /** `url`: start of the address, without a slash at its end. */
  constructor(url: string, headers: Readonly<Record<string, string>> = {}) {
    this.#url = url;
    this.#headers = headers;
  }

  /** The body of a response, parsed, whatever its status. */
  async send<T>(path: string, parameters: Parameters = {}): Promise<T> {
    this.requests++;
    const query = Object.entries(parameters)
      .map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(String(value))}`)
      .join('&');
    const response = await fetch(`${this.#url}/${path}${query && '?'}${query}`, { headers: this.#headers });
    return JSON.parse(await response.text()) as T;
  }

  async onReady(): Promise<UdfConfig> {
    this.configuration = await this.send<UdfConfig>('config');
    if (!this.configuration.supports_search && !this.configuration.supports_group_request)
      throw new Error('unsupported datafeed configuration');
    return this.configuration;
  }

  async resolveSymbol(symbol: string): Promise<UdfSymbol> {
    const response = await this.send<UdfSymbol & { s?: string }>('symbols', { symbol });
    if (response.s !== undefined) throw new Error('unknown_symbol');
    return response;
  }

  async searchSymbols(typed: string, type = '', exchange = ''): Promise<{ symbol: string; full_name: string }[]> {
    const parameters = { limit: 30, query: typed.toUpperCase(), type, exchange };
    const response = await this.send<{ s?: string } & { symbol: string; full_name: string }[]>('search', parameters);
    return response.s === undefined ? response : [];
  }

  async getBars(
    { ticker, currency_code }: UdfSymbol,
    resolution: string,
    { from, to, countBack }: { readonly from: number; readonly to: number; readonly countBack?: number },
  ): Promise<UdfPage> {
    const response = await this.send<{ s: string; errmsg?: string; nextTime?: number } & Record<string, number[]>>(
      'history',
      {
        symbol: ticker,
        resolution,
        from,
        to,
        ...(countBack !== undefined && { countback: countBack }),
        ...(currency_code !== undefined && { currencyCode: currency_code }),
      },
    );
    if (response.s !== 'ok' && response.s !== 'no_data') throw new Error(response.errmsg);
    if (response.s === 'no_data') return { bars: [], noData: true, nextTime: response.nextTime };
    const { t, o, h, l, c, v } = response as unknown as Record<string, number[]>;
    const bars = t!.map((time, at) => ({
      time: time * 1000,
      open: Number.parseFloat(String(o![at])),
      high: Number.parseFloat(String(h![at])),
      low: Number.parseFloat(String(l![at])),
      close: Number.parseFloat(String(c![at])),
      volume: Number.parseFloat(String(v![at])),
    }));
    return { bars, noData: false, nextTime: undefined };
  }

  /** Scrolls back from a time until the history ends, as a user does who drags the chart to the right. */
  async allBars(symbol: UdfSymbol, resolution: string, end: number, barSeconds: number): Promise<UdfBar[]> {
    const all: UdfBar[] = [];
    for (let to = end; ; ) {
      const from = to - SCREEN_BARS * barSeconds;
      const { bars, noData, nextTime } = await this.getBars(symbol, resolution, { from, to });
      all.unshift(...bars);
      if (noData && nextTime === undefined) return all;
      // After a gap, the chart goes on with the bar that the feed named.
      to = noData ? nextTime! + 1 : Math.min(from, bars[0]!.time / 1000);
    }
  }

  async getMarks({ ticker }: UdfSymbol, from: number, to: number, resolution: string): Promise<UdfMark[]> {
    const columns = await this.send<Columns | UdfMark[]>('marks', { symbol: ticker, from, to, resolution });
    if (Array.isArray(columns)) return columns;
    return (columns as Columns).id!.map(
      (_, at) =>
        Object.fromEntries(
          Object.entries(columns).map(([name, value]) => [name, Array.isArray(value) ? value[at] : value]),
        ) as unknown as UdfMark,
    );
  }

  async getServerTime(): Promise<number> {
    const time = Number.parseInt(String(await this.send<unknown>('time')), 10);
    if (Number.isNaN(time)) throw new Error('the time is no number');
    return time;
  }
}
