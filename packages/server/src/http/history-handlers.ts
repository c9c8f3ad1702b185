// Handlers of history in bulk: bars of any interval and ticks, as pages of JSON or as files.
import {
  type BarField,
  type BarsPage,
  type BarsPages,
  type BarsQuery,
  DEFAULT_PAGE,
  MAX_CHART_BARS,
  type SeveralBarsQuery,
  type StreamPosition,
  type TicksQuery,
} from '@tickwire/contract';
import type { Bar, InstrumentSpec, MarketSymbol } from '@tickwire/engine';
import { withStoreErrors } from '../errors/store-error.ts';
import { barColumns } from '../export/bar-columns.ts';
import { RowCounting } from '../export/counted-rows.ts';
import type { FileContent } from '../export/export-files.ts';
import { type FileFormat, type FileMetadata, withSymbol } from '../export/table.ts';
import { tickColumns } from '../export/tick-columns.ts';
import { writeTable } from '../export/write-table.ts';
import { BarDetailReader, MAX_DETAIL_MINUTES, needsMinutes } from '../history/bar-details.ts';
import { streamBars, streamLimitedBars } from '../history/bar-stream.ts';
import { type Chart, invalidParameter, parseChart } from '../history/chart-reader.ts';
import { type Gap, GapFinder } from '../history/gaps.ts';
import type { BarSources } from '../history/recorded-history.ts';
import { tapePosition } from '../history/tape-position.ts';
import type { Tick, TickStore } from '../history/tick-stream.ts';
import type { ReadPosition } from '../journal/read-position.ts';
import type { BarSource } from '../market/bar-source.ts';
import { generatedHistogram } from '../market/feeds/sim/generated-histogram.ts';
import type { MarketView } from '../market/market-view.ts';
import type { MarketStore } from '../store/store.ts';
import { type BarFieldSources, type BarPage, barPageOf, chartHistory } from './chart-history.ts';
import type { HandlerCall, HandlerResult } from './handler.ts';
import { type HistoryFile, type HistoryFiles, isFile } from './history-files.ts';
import { formatOf } from './history-format.ts';
import { symbolNotFound } from './problem.ts';
import { tickHistory, tickPageOf, ticksOfPage } from './tick-history.ts';

const SIMULATED = 'simulated';

export interface HistoryHandlerOptions {
  readonly instruments: readonly InstrumentSpec[];
  readonly market: MarketView;
  readonly store: BarSource;
  readonly tape: TickStore;
  readonly volumes: Pick<MarketStore, 'histograms'>;
  readonly position: ReadPosition;
  /** Resolves when everything so far is on the tape, with false if it cannot be written. Absent if another process writes it. */
  readonly recorded?: () => Promise<boolean>;
  readonly simulated: boolean;
  /** Simulated markets without trading hours. */
  readonly alwaysOpen: boolean;
  /** Days for which ticks are kept. */
  readonly tapeDays: number;
  readonly files: HistoryFiles;
}

export class HistoryHandlers {
  readonly #options: HistoryHandlerOptions;
  readonly #sources: BarSources;
  readonly #specs: ReadonlyMap<MarketSymbol, InstrumentSpec>;
  /** Source of bars; `null`: not recorded. */
  readonly #source: string | null;

  constructor(options: HistoryHandlerOptions) {
    this.#options = options;
    this.#sources = { store: options.store, view: options.market, position: options.position };
    this.#specs = new Map(options.instruments.map((spec) => [spec.symbol, spec]));
    this.#source = options.simulated ? SIMULATED : null;
  }

  async bars(call: HandlerCall): Promise<HandlerResult> {
    const query = call.query as BarsQuery;
    const symbol = this.#known(call.params.symbol!);
    requireOrder(query);
    const format = formatOf(query.format, call.request.headers.get('accept'));
    if (isFile(format)) return this.#file(this.#barFile([symbol], query, format, false), call);
    const { page, position } = await withStoreErrors(() =>
      chartHistory(this.#sources, symbol, query, this.#fields(symbol, query)),
    );
    return { body: JSON.stringify(page), position, headers: nextLink(call.request, `/api/bars/${symbol}`, [page]) };
  }

  async severalBars(call: HandlerCall): Promise<HandlerResult> {
    const query = call.query as SeveralBarsQuery;
    const symbols = [...new Set(query.symbols.map((code) => this.#known(code)))];
    requireOrder(query);
    const format = formatOf(query.format, call.request.headers.get('accept'));
    if (isFile(format)) return this.#file(this.#barFile(symbols, query, format, true), call);
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
    const pages: BarsPages = { items, count: items.length };
    return { body: JSON.stringify(pages), headers: nextLink(call.request, '/api/bars', items) };
  }

  async ticks(call: HandlerCall): Promise<HandlerResult> {
    const query = call.query as TicksQuery;
    const symbol = this.#known(call.params.symbol!);
    requireOrder(query);
    const format = formatOf(query.format, call.request.headers.get('accept'));
    const tape = await withStoreErrors(() => this.#tapeHeaders());
    if (isFile(format)) return this.#file(this.#tickFile(symbol, query, format, tape), call);
    const position = await withStoreErrors(() => this.#tapePosition(symbol, call.now));
    const page = await withStoreErrors(() => tickHistory(this.#options.tape, symbol, query, position?.seq));
    const link = nextLink(call.request, `/api/ticks/${symbol}`, [page]);
    return { body: JSON.stringify(page), position, headers: { ...tape, ...link } };
  }

  /** `symbols`: number of instruments that share the work of a request. */
  #fields(symbol: MarketSymbol, query: Pick<BarsQuery, 'interval' | 'align' | 'fields'>, symbols = 1): BarFieldSources {
    const details = this.#details(symbol, parseChart(query), query.fields ?? []);
    return { source: this.#source, details, maxMinutes: Math.floor(MAX_DETAIL_MINUTES / symbols) };
  }

  #details(symbol: MarketSymbol, chart: Chart, fields: readonly BarField[]): BarDetailReader | null {
    if (!needsMinutes(fields)) return null;
    const { store, volumes, market, simulated, alwaysOpen } = this.#options;
    const sources = {
      store: {
        bars: store.bars.bind(store),
        watched: store.watched.bind(store),
        histograms: volumes.histograms.bind(volumes),
      },
      view: market,
      generate: simulated ? generatedHistogram : null,
      simulated,
      alwaysOpen,
    };
    return new BarDetailReader(sources, this.#specs.get(symbol)!, chart, fields);
  }

  #file(wanted: HistoryFile, { request, caller }: HandlerCall): Promise<HandlerResult> {
    return withStoreErrors(() => this.#options.files.respond(wanted, request, caller!));
  }

  #known(code: string): MarketSymbol {
    const symbol = this.#options.market.resolve(code);
    if (!symbol) throw symbolNotFound(code);
    return symbol;
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

  #barFile(
    symbols: readonly MarketSymbol[],
    query: Omit<BarsQuery, 'cursor'> & { readonly cursor?: string | undefined },
    format: FileFormat,
    isSeveral: boolean,
  ): HistoryFile {
    const chart = parseChart(query);
    const page = barPageOf(query);
    const { interval, align, limit, fields = [] } = query;
    const narrower = (end: number): string | null => narrowerRange(page.from, end, limit);
    return {
      format,
      key: JSON.stringify(['bars', symbols, isSeveral, interval, chart.align, page, limit, fields]),
      name: `${symbols.length > 3 ? `${symbols.length}-symbols` : symbols.join('-')}-${interval}`,
      end: page.to,
      headers: {},
      narrower: isSeveral ? () => null : narrower,
      write: (maxRows) => {
        const found: { symbol: MarketSymbol; finder: GapFinder }[] = [];
        // Before the first row of a further symbol, those before it fit.
        const several = (end: number): string | null => {
          const done = found.slice(0, -1).map(({ symbol }) => symbol);
          if (done.length > 0) return `symbols=${done.join(',')}`;
          const range = narrower(end);
          return range && `symbols=${symbols[0]} ${range}`;
        };
        const counting = new RowCounting(maxRows, isSeveral ? several : narrower);
        const barsOf = async function* (this: HistoryHandlers, symbol: MarketSymbol) {
          const finder = new GapFinder(this.#options, chart, this.#specs.get(symbol)!);
          found.push({ symbol, finder });
          const details = this.#details(symbol, chart, fields);
          for await (const bars of this.#barBatches(symbol, chart, page, limit, !fields.some(needsSides))) {
            finder.add(bars);
            if (details) for (const part of details.parts(bars)) yield await details.read(part);
            else yield bars;
          }
        }.bind(this);
        const columns = barColumns(fields, this.#source);
        let gaps = 0;
        const metadata = async (): Promise<FileMetadata> => {
          const listed: object[] = [];
          for (const { symbol, finder } of found) {
            const result = await finder.result();
            gaps += result.count;
            for (const gap of result.gaps) listed.push({ ...(isSeveral && { symbol }), ...isoGap(gap) });
          }
          return {
            symbol: symbols.join(','),
            interval,
            align,
            source: this.#source ?? 'recorded',
            retention: 'unlimited',
            rows: `${counting.rows}`,
            gap_count: `${gaps}`,
            gaps: JSON.stringify(listed),
          };
        };
        const pieces = isSeveral
          ? writeTable(format, {
              columns: withSymbol(columns),
              batches: counting.count(labelled(symbols, barsOf), ({ row }) => row.time),
              metadata,
            })
          : writeTable(format, {
              columns,
              batches: counting.count(barsOf(symbols[0]!), ({ time }) => time),
              metadata,
            });
        return content(format, pieces, metadata, counting, () => gaps);
      },
    };
  }

  async *#barBatches(
    symbol: MarketSymbol,
    chart: Chart,
    page: BarPage,
    limit: number | undefined,
    pricesOnly: boolean,
  ): AsyncIterable<readonly Bar[]> {
    // The past of simulated markets has no end worth waiting for.
    const from = page.from > 0 ? page.from : ((await this.#options.store.storedFrom?.(symbol)) ?? 0);
    if (limit === undefined) yield* streamBars(this.#sources, chart, { symbol, from, to: page.to, pricesOnly });
    else yield* streamLimitedBars(this.#sources, chart, { symbol, ...page, limit });
  }

  #tickFile(symbol: MarketSymbol, query: TicksQuery, format: FileFormat, tape: Record<string, string>): HistoryFile {
    const page = tickPageOf(query);
    const { kind, limit, fields = [] } = query;
    const { tape: store, tapeDays } = this.#options;
    const narrower = (end: number): string | null => narrowerRange(page.from, end, limit);
    return {
      format,
      key: JSON.stringify(['ticks', symbol, kind, page, limit, fields]),
      name: `${symbol}-${kind}`,
      end: page.to,
      headers: tape,
      narrower,
      write: (maxRows) => {
        const counting = new RowCounting(maxRows, narrower);
        const sources = new Set<string>();
        const batches = async function* (): AsyncGenerator<readonly Tick[], void, void> {
          // Without a limit, a file has the whole range, whatever the direction of its pages.
          const order = limit === undefined ? 'oldest' : page.first;
          const ticks = limited(ticksOfPage(store, symbol, kind, page, order), limit);
          for await (const batch of order === 'oldest' ? ticks : ascending(ticks)) {
            for (const { source } of batch) sources.add(source);
            yield batch;
          }
        };
        const metadata = (): FileMetadata => ({
          symbol,
          kind,
          source: [...sources].filter((source) => source !== '').join(',') || 'recorded',
          retention: `${tapeDays} days`,
          tape_start: tape['Tape-Start'] ?? '',
          rows: `${counting.rows}`,
        });
        const pieces = writeTable(format, {
          columns: tickColumns(kind, fields),
          batches: counting.count(batches(), ({ event }) => event.time),
          metadata,
        });
        return content(format, pieces, metadata, counting, () => 0);
      },
    };
  }
}

/** Only Parquet files ask for the metadata themselves. */
function content(
  format: FileFormat,
  pieces: AsyncIterable<Uint8Array>,
  metadata: () => FileMetadata | Promise<FileMetadata>,
  counting: RowCounting,
  gaps: () => number,
): FileContent {
  const written = async function* (): AsyncGenerator<Uint8Array, void, void> {
    yield* pieces;
    if (format !== 'parquet') await metadata();
  };
  return { pieces: written(), summary: () => ({ rows: counting.rows, marks: counting.marks, gaps: gaps() }) };
}

async function* labelled<Row>(
  symbols: readonly MarketSymbol[],
  rowsOf: (symbol: MarketSymbol) => AsyncIterable<readonly Row[]>,
): AsyncGenerator<readonly { symbol: MarketSymbol; row: Row }[], void, void> {
  for (const symbol of symbols) for await (const rows of rowsOf(symbol)) yield rows.map((row) => ({ symbol, row }));
}

async function* limited<Row>(
  batches: AsyncIterable<readonly Row[]>,
  limit = Number.POSITIVE_INFINITY,
): AsyncGenerator<readonly Row[], void, void> {
  let left = limit;
  for await (const batch of batches) {
    yield batch.length > left ? batch.slice(0, left) : batch;
    left -= batch.length;
    if (left <= 0) return;
  }
}

/** Rows that were read backwards, up to a limit. */
async function* ascending<Row>(batches: AsyncIterable<readonly Row[]>): AsyncGenerator<readonly Row[], void, void> {
  const all: (readonly Row[])[] = [];
  for await (const batch of batches) all.push(batch);
  for (const batch of all.reverse()) yield batch.toReversed();
}

const needsSides = (field: BarField): boolean => field !== 'source';

const iso = (time: number): string => new Date(time).toISOString();
const isoGap = ({ from, to }: Gap): object => ({ from: iso(from), to: iso(to) });

/** `end`: exclusive. */
function narrowerRange(from: number, end: number, limit: number | undefined): string | null {
  if (limit !== undefined || end <= from) return null;
  return `${from > 0 ? `from=${iso(from)} ` : ''}to=${iso(end - 1)}`;
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
