// Handlers of history: bars of any interval and ticks, as pages of JSON or as files (history-file-contents.ts); indicators, volume
// at price, and what is absent.
import {
  type BarField,
  type BarsPage,
  type BarsQuery,
  type CoverageQuery,
  DEFAULT_PAGE,
  type FootprintQuery,
  type IndicatorsQuery,
  iso,
  MAX_CHART_BARS,
  type ProfileQuery,
  type SeveralBarsQuery,
  type StreamPosition,
  type TicksQuery,
} from '@tickwire/contract';
import { bySymbol, type InstrumentSpec, type Lookup, type MarketSymbol } from '@tickwire/engine';
import { invalidParameter, symbolNotFound } from '../errors/service-error.ts';
import { withStoreErrors } from '../errors/store-error.ts';
import type { HandlerCall, HandlerResult, ReadCost } from '../http/handler.ts';
import type { ReadPosition } from '../journal/read-position.ts';
import type { BarSource } from '../market/bar-source.ts';
import { generatedHistogram } from '../market/feeds/sim/generated-histogram.ts';
import type { MarketView } from '../market/market-view.ts';
import type { MarketStore } from '../store/store.ts';
import { BarDetailReader, MAX_DETAIL_MINUTES, needsMinutes } from './bar-details.ts';
import { type BarFieldSources, chartHistory } from './chart-history.ts';
import { type Chart, parseChart } from './chart-reader.ts';
import { coverageOf } from './coverage.ts';
import { HistoryFileContents } from './history-file-contents.ts';
import { countPage, type HistoryFile, type HistoryFiles, isFile, type RowCounts } from './history-files.ts';
import { formatOf } from './history-format.ts';
import { indicatorCatalogue, indicatorValues } from './indicator-handlers.ts';
import type { BarSources } from './recorded-history.ts';
import { pageText } from './tables/json-items.ts';
import { tapePosition } from './tape-position.ts';
import { tickHistory } from './tick-history.ts';
import type { TickStore } from './tick-stream.ts';
import { VolumeHandlers } from './volume-handlers.ts';

const SIMULATED = 'simulated';

export interface HistoryHandlerOptions extends RowCounts {
  readonly instruments: readonly InstrumentSpec[];
  readonly market: MarketView;
  readonly store: BarSource;
  readonly tape: TickStore;
  readonly volumes: Pick<MarketStore, 'histograms' | 'firstTradeBar'>;
  readonly position: ReadPosition;
  /** Resolves when everything so far is on the tape, with false if it cannot be written. Absent if another process writes it. */
  readonly recorded?: () => Promise<boolean>;
  readonly simulated: boolean;
  /** Simulated markets without trading hours. */
  readonly alwaysOpen: boolean;
  /** Instruments that a live venue delivers. */
  readonly venueSymbols: ReadonlySet<MarketSymbol>;
  /** Market time in epoch milliseconds if it is not the current time, as in a replay. */
  readonly marketTime?: () => number;
  /** The clock of a replay. Its ticks have the numbers of the tape, which are not those of its journal. */
  readonly asOf?: () => number;
  /** Days for which ticks are kept. */
  readonly tapeDays: number;
  readonly files: HistoryFiles;
}

export class HistoryHandlers {
  readonly #options: HistoryHandlerOptions;
  readonly #sources: BarSources;
  readonly #specs: Lookup<InstrumentSpec>;
  /** Source of bars; `null`: not recorded. */
  readonly #source: string | null;
  readonly #contents: HistoryFileContents;
  readonly #volumes: VolumeHandlers;
  readonly #indicators = indicatorCatalogue();

  constructor(options: HistoryHandlerOptions) {
    this.#options = options;
    this.#sources = { store: options.store, view: options.market, position: options.position };
    this.#specs = bySymbol(options.instruments);
    this.#source = options.simulated ? SIMULATED : null;
    this.#volumes = new VolumeHandlers({ ...options, history: options.store });
    this.#contents = new HistoryFileContents({
      ...options,
      sources: this.#sources,
      specs: this.#specs,
      source: this.#source,
      details: (...wanted) => this.#details(...wanted),
    });
  }

  /** The costs of a request for an instrument, once its code is known. */
  costOf(cost: (call: HandlerCall) => ReadCost): (call: HandlerCall) => ReadCost {
    return (call) => {
      this.#known(call.params.symbol!);
      return cost(call);
    };
  }

  async bars(call: HandlerCall): Promise<HandlerResult> {
    const query = call.query as BarsQuery;
    const symbol = this.#known(call.params.symbol!);
    requireOrder(query);
    const format = formatOf(query.format, call.request.headers.get('accept'));
    if (isFile(format)) return this.#file(this.#contents.bars([symbol], query, format, false), call);
    const { page, position } = await withStoreErrors(() =>
      chartHistory(this.#sources, symbol, query, this.#fields(symbol, query)),
    );
    const headers = {
      ...nextLink(call.request, `/api/bars/${symbol}`, [page]),
      ...(await countPage(this.#options, call.caller!, page.items.length)),
    };
    return { body: await pageText(page), position, headers };
  }

  async severalBars(call: HandlerCall): Promise<HandlerResult> {
    const query = call.query as SeveralBarsQuery;
    const symbols = [...new Set(query.symbols.map((code) => this.#known(code)))];
    requireOrder(query);
    const format = formatOf(query.format, call.request.headers.get('accept'));
    if (isFile(format)) return this.#file(this.#contents.bars(symbols, query, format, true), call);
    const most = Math.floor(MAX_CHART_BARS / symbols.length);
    const { limit = Math.min(DEFAULT_PAGE, most) } = query;
    if (limit > most)
      throw invalidParameter('limit', `${limit}`, `an integer between 1 and ${most} for ${symbols.length} symbols`);
    const items: BarsPage[] = [];
    for (const symbol of symbols)
      items.push(
        (
          await withStoreErrors(() =>
            chartHistory(this.#sources, symbol, { ...query, limit }, this.#fields(symbol, query, symbols.length)),
          )
        ).page,
      );
    const pages: string[] = [];
    for (const page of items) pages.push(await pageText(page));
    const rows = items.reduce((sum, page) => sum + page.items.length, 0);
    const headers = {
      ...nextLink(call.request, '/api/bars', items),
      ...(await countPage(this.#options, call.caller!, rows)),
    };
    return { body: `{"items":[${pages.join(',')}],"count":${pages.length}}`, headers };
  }

  async ticks(call: HandlerCall): Promise<HandlerResult> {
    const query = call.query as TicksQuery;
    const symbol = this.#known(call.params.symbol!);
    requireOrder(query);
    const format = formatOf(query.format, call.request.headers.get('accept'));
    const tape = await withStoreErrors(() => this.#tapeHeaders());
    if (isFile(format)) return this.#file(this.#contents.ticks(symbol, query, format, tape), call);
    const position = await withStoreErrors(() => this.#tapePosition(symbol, call.now));
    const last = this.#options.asOf ? undefined : position?.seq;
    const page = await withStoreErrors(() => tickHistory(this.#options.tape, symbol, query, last));
    const link = nextLink(call.request, `/api/ticks/${symbol}`, [page]);
    const count = await countPage(this.#options, call.caller!, page.items.length);
    return { body: await pageText(page), position, headers: { ...tape, ...link, ...count } };
  }

  indicatorList(): HandlerResult {
    return this.#indicators;
  }

  async indicators({ params, query, caller }: HandlerCall): Promise<HandlerResult> {
    const symbol = this.#known(params.symbol!);
    const { body, bars } = await withStoreErrors(() =>
      indicatorValues(this.#sources, symbol, query as IndicatorsQuery),
    );
    return { body, headers: await countPage(this.#options, caller!, bars) };
  }

  async profile({ params, query, now }: HandlerCall): Promise<string> {
    const { marketTime } = this.#options;
    return this.#volumes.profile(this.#spec(params.symbol!), query as ProfileQuery, marketTime?.() ?? now);
  }

  async footprint({ params, query, caller }: HandlerCall): Promise<HandlerResult> {
    const { body, bars } = await this.#volumes.footprints(this.#spec(params.symbol!), query as FootprintQuery);
    return { body, headers: await countPage(this.#options, caller!, bars) };
  }

  async coverage({ params, query, now }: HandlerCall): Promise<string> {
    const spec = this.#spec(params.symbol!);
    const options = { ...this.#options, view: this.#options.market };
    return JSON.stringify(await withStoreErrors(() => coverageOf(options, spec, query as CoverageQuery, now)));
  }

  /** `symbols`: number of instruments that share the work of a request. */
  #fields(symbol: MarketSymbol, query: Pick<BarsQuery, 'interval' | 'align' | 'fields'>, symbols = 1): BarFieldSources {
    const details = this.#details(symbol, parseChart(query), query.fields ?? []);
    return { source: this.#source, details, maxMinutes: Math.floor(MAX_DETAIL_MINUTES / symbols) };
  }

  #details(symbol: MarketSymbol, chart: Chart, fields: readonly BarField[]): BarDetailReader | null {
    if (!needsMinutes(fields) && (this.#options.simulated || !fields.includes('source'))) return null;
    const { store, volumes, market, simulated, alwaysOpen, marketTime, now } = this.#options;
    const sources = {
      store: {
        bars: store.bars.bind(store),
        watched: store.watched.bind(store),
        fetched: store.fetched.bind(store),
        histograms: volumes.histograms.bind(volumes),
      },
      view: market,
      generate: simulated ? generatedHistogram : null,
      simulated,
      alwaysOpen,
      now: marketTime ?? now,
    };
    return new BarDetailReader(sources, this.#specs.get(symbol)!, chart, fields);
  }

  #file(wanted: HistoryFile, { request, caller }: HandlerCall): Promise<HandlerResult> {
    const { files, asOf } = this.#options;
    const file = asOf ? { ...wanted, key: `${asOf()} ${wanted.key}` } : wanted;
    return withStoreErrors(() => files.respond(file, request, caller!));
  }

  #known(code: string): MarketSymbol {
    const symbol = this.#options.market.resolve(code);
    if (!symbol) throw symbolNotFound(code, this.#options.market.similar(code));
    return symbol;
  }

  #spec(code: string): InstrumentSpec {
    return this.#specs.get(this.#known(code))!;
  }

  /** Up to where the tape of the instrument is stored. */
  async #tapePosition(symbol: MarketSymbol, now: number): Promise<StreamPosition | null> {
    const { recorded, position, tape, market } = this.#options;
    const at = position();
    // The recorder of this process can store everything first; a gateway can only look.
    if (at === null || (recorded && (await recorded()))) return at;
    const seq = await tapePosition(tape, symbol, market.time || now);
    return seq === null ? null : { epoch: at.epoch, seq };
  }

  async #tapeHeaders(): Promise<Record<string, string>> {
    const { tapeDays, tape } = this.#options;
    const [first] = await tape.tapeDays();
    return {
      'Tape-Retention-Days': `${tapeDays}`,
      ...(first !== undefined && { 'Tape-Start': `${first}T00:00:00.000Z` }),
    };
  }
}

function requireOrder({ from, to }: { readonly from?: number | undefined; readonly to?: number | undefined }): void {
  if (from === undefined || to === undefined || from <= to) return;
  throw invalidParameter('from', iso(from), 'a time at or before to');
}

/** The header Link (RFC 8288) with the next page of each symbol. */
function nextLink(
  request: Request,
  path: string,
  pages: readonly { readonly symbol: string; readonly next: string | null }[],
): Record<string, string> {
  const links = pages.flatMap(({ symbol, next }) => {
    if (next === null) return [];
    const parameters = new URLSearchParams(new URL(request.url).search);
    parameters.delete('symbols');
    parameters.set('cursor', next);
    const target = path.endsWith(symbol) ? path : `${path}/${symbol}`;
    return `<${target}?${parameters}>; rel="next"${pages.length > 1 ? `; title="${symbol}"` : ''}`;
  });
  return links.length === 0 ? {} : { Link: links.join(', ') };
}
