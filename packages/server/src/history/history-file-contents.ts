// Bars and ticks as files: their columns, rows and metadata.
import { type BarField, type BarsQuery, iso, type TicksQuery } from '@tickwire/contract';
import type { Bar, InstrumentSpec, Lookup, MarketSymbol } from '@tickwire/engine';
import type { BarSource } from '../market/bar-source.ts';
import type { BarDetailReader } from './bar-details.ts';
import { streamBars, streamLimitedBars } from './bar-stream.ts';
import { type BarPage, barPageOf } from './chart-history.ts';
import { type Chart, parseChart } from './chart-reader.ts';
import { type Gap, GapFinder, gapMetadata } from './gaps.ts';
import type { HistoryFile } from './history-files.ts';
import type { BarSources } from './recorded-history.ts';
import { barColumns } from './tables/bar-columns.ts';
import { RowCounting } from './tables/counted-rows.ts';
import type { FileContent } from './tables/export-files.ts';
import { type FileFormat, type FileMetadata, withSymbol } from './tables/table.ts';
import { tickColumns } from './tables/tick-columns.ts';
import { writeTable } from './tables/write-table.ts';
import { tickPageOf, ticksOfPage } from './tick-history.ts';
import type { Tick, TickStore } from './tick-stream.ts';

export interface HistoryFileContentOptions {
  readonly store: BarSource;
  readonly tape: TickStore;
  readonly sources: BarSources;
  readonly specs: Lookup<InstrumentSpec>;
  /** Source of bars; `null`: not recorded. */
  readonly source: string | null;
  /** Reads the details that the fields need; `null` if they need none. */
  readonly details: (symbol: MarketSymbol, chart: Chart, fields: readonly BarField[]) => BarDetailReader | null;
  readonly simulated: boolean;
  /** Simulated markets without trading hours. */
  readonly alwaysOpen: boolean;
  /** Days for which ticks are kept. */
  readonly tapeDays: number;
}

export class HistoryFileContents {
  readonly #options: HistoryFileContentOptions;

  constructor(options: HistoryFileContentOptions) {
    this.#options = options;
  }

  /** `isSeveral`: each row has its symbol. */
  bars(
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
        const barsOf = async function* (this: HistoryFileContents, symbol: MarketSymbol) {
          const finder = new GapFinder(this.#options, chart, this.#options.specs.get(symbol)!);
          found.push({ symbol, finder });
          const details = this.#options.details(symbol, chart, fields);
          for await (const bars of this.#barBatches(symbol, chart, page, limit, !fields.some(needsSides))) {
            finder.add(bars);
            if (details) for (const part of details.parts(bars)) yield await details.read(part);
            else yield bars;
          }
        }.bind(this);
        const columns = barColumns(fields, this.#options.source);
        let gaps = 0;
        const metadata = async (): Promise<FileMetadata> => {
          const listed: (Gap & { symbol?: string })[] = [];
          gaps = 0;
          for (const { symbol, finder } of found) {
            const result = await finder.result();
            gaps += result.count;
            for (const gap of result.gaps) listed.push({ ...(isSeveral && { symbol }), ...gap });
          }
          return {
            symbol: symbols.join(','),
            interval,
            align,
            source: this.#options.source ?? 'recorded',
            retention: 'unlimited',
            rows: `${counting.rows}`,
            ...gapMetadata(listed, gaps),
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
    if (limit === undefined) yield* streamBars(this.#options.sources, chart, { symbol, from, to: page.to, pricesOnly });
    else yield* streamLimitedBars(this.#options.sources, chart, { symbol, ...page, limit });
  }

  /** `tape`: headers about the tape. */
  ticks(symbol: MarketSymbol, query: TicksQuery, format: FileFormat, tape: Record<string, string>): HistoryFile {
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
        const finder = GapFinder.ofTicks(this.#options, this.#options.specs.get(symbol)!);
        let gaps = 0;
        const batches = async function* (): AsyncGenerator<readonly Tick[], void, void> {
          // Without a limit, a file has the whole range, whatever the direction of its pages.
          const order = limit === undefined ? 'oldest' : page.first;
          const ticks = limited(ticksOfPage(store, symbol, kind, page, order), limit);
          for await (const batch of order === 'oldest' ? ticks : ascending(ticks)) {
            for (const { source } of batch) sources.add(source);
            finder.addTicks(batch);
            yield batch;
          }
        };
        const metadata = async (): Promise<FileMetadata> => {
          const found = await finder.result();
          gaps = found.count;
          return {
            symbol,
            kind,
            source: [...sources].filter((source) => source !== '').join(',') || 'recorded',
            retention: `${tapeDays} days`,
            tape_start: tape['Tape-Start'] ?? '',
            rows: `${counting.rows}`,
            ...gapMetadata(found.gaps, found.count),
          };
        };
        const pieces = writeTable(format, {
          columns: tickColumns(kind, fields),
          batches: counting.count(batches(), ({ event }) => event.time),
          metadata,
        });
        return content(format, pieces, metadata, counting, () => gaps);
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

/** `end`: exclusive. */
function narrowerRange(from: number, end: number, limit: number | undefined): string | null {
  if (limit !== undefined || end <= from) return null;
  return `${from > 0 ? `from=${iso(from)} ` : ''}to=${iso(end)}`;
}
