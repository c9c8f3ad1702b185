// Writes rows to the store: ticks to the tape, in blocks per minute, bars of every timeframe, and volume at price of trades.
//
// Rows are written in chunks. Bars, numbers and watermarks of a chunk are written first, in one transaction, then its ticks:
// an import that was interrupted between the two finds its minutes missing from the tape when it is repeated, and writes them
// again. A minute without new ticks is not touched, so repeating an import changes nothing.
import { isTimeframe } from '@tickwire/contract';
import {
  type Bar,
  DAY_MS,
  histogramOfTrades,
  type InstrumentSpec,
  intervalMs,
  MINUTE_MS,
  MinuteAggregator,
  seriesName,
} from '@tickwire/engine';
import { type HeldEvent, type Quarantined, SpikeFilter } from '../../market/spike-filter.ts';
import type { HistogramRow, MarketStore, TapeBlock, TapeRecord } from '../../store/store.ts';
import { dayOf } from '../../store/tape-day.ts';
import { IMPORTED } from '../../store/tape-records.ts';
import type { ImportBar, ImportRow } from '../rows/import-row.ts';
import type { FileFindings } from '../survey/file-findings.ts';
import { CoveredRanges } from './covered-ranges.ts';
import { newTicks } from './deduplicate-ticks.ts';
import { type ChangedBars, withLongerBars } from './longer-bars.ts';
import { decodeMinuteBlocks, encodeMinuteBlocks } from './minute-blocks.ts';
import { MinuteBuffer, type MinuteTicks } from './minute-buffer.ts';
import { NewestFirst } from './newest-first.ts';
import { RowEvents } from './row-events.ts';
import { SecondFold } from './second-fold.ts';
import { StoreWatermarks } from './store-watermarks.ts';

const CHUNK_BARS = 20_000;
const MAX_LISTED_SPIKES = 5;

export interface WriterOptions {
  readonly store: MarketStore;
  readonly instrument: InstrumentSpec;
  /** Price change in percent above which a tick is skipped; `null`: spikes, by the limit of the class, are only counted. */
  readonly spikePercent?: number | null;
}

export interface WriteCounts {
  /** Minutes of the tape with new ticks, and the number of those ticks. */
  minutes: number;
  ticks: number;
  /** Minutes of the files whose ticks were all on the tape already. */
  unchanged: number;
  bars: number;
  /** Imported bars in series that /api/market does not serve, by their names. */
  readonly otherSeries: Map<string, number>;
  /** Price spikes, and the first of them. */
  spikes: number;
  readonly firstSpikes: Quarantined[];
}

export class ImportWriter {
  readonly written: WriteCounts = {
    minutes: 0,
    ticks: 0,
    unchanged: 0,
    bars: 0,
    otherSeries: new Map(),
    spikes: 0,
    firstSpikes: [],
  };
  readonly events: RowEvents;
  readonly #options: WriterOptions;
  readonly #watermarks: StoreWatermarks;
  readonly #buffer = new MinuteBuffer();
  readonly #minute = new MinuteAggregator();
  readonly #ranges = new CoveredRanges();
  readonly #keepsSpikes: boolean;
  #spikes: SpikeFilter;
  #bars: ImportBar[] = [];
  readonly #seconds = new SecondFold();
  /** Set for a file whose rows run backwards. */
  #reversed: NewestFirst | null = null;

  private constructor(options: WriterOptions, watermarks: StoreWatermarks) {
    this.#options = options;
    this.#watermarks = watermarks;
    this.#keepsSpikes = (options.spikePercent ?? null) === null;
    this.#spikes = new SpikeFilter(options.spikePercent ?? null);
    this.events = new RowEvents(options.instrument.symbol);
  }

  static async open(options: WriterOptions): Promise<ImportWriter> {
    return new ImportWriter(options, await StoreWatermarks.read(options.store, options.instrument));
  }

  /** Writes the rest of the file before, and begins another. */
  async startFile({ newestFirst }: Pick<FileFindings, 'newestFirst'>): Promise<void> {
    await this.#endFile();
    this.#reversed = newestFirst ? new NewestFirst() : null;
  }

  /** Adds rows in the order of the file, and writes complete minutes. */
  async add(rows: readonly ImportRow[]): Promise<void> {
    const reversed = this.#reversed;
    if (!reversed) return this.#add(rows);
    reversed.add(rows);
    if (reversed.isFull) await this.#addReversed(reversed, false);
  }

  /** Rows of these times were skipped: their minutes do not count as covered. */
  exclude(times: readonly number[]): void {
    for (const time of times) this.#ranges.exclude(time);
  }

  /** Writes what is left. */
  async end(): Promise<void> {
    await this.#endFile();
    this.#bars.push(...this.#seconds.take(true));
    await this.#writeBars();
  }

  /** Each part of a file that runs backwards is a separate file, in the order of time. */
  async #addReversed(reversed: NewestFirst, all: boolean): Promise<void> {
    const rows = reversed.take(all);
    this.events.startAfter(reversed.before);
    await this.#add(rows);
    await this.#flush();
  }

  async #add(rows: readonly ImportRow[]): Promise<void> {
    const buffer = this.#buffer;
    const { instrument } = this.#options;
    for (let index = 0; index < rows.length; index++) {
      const row = rows[index]!;
      if (row.kind === 'bar') {
        if (intervalMs(row.timeframe) < MINUTE_MS) this.#seconds.add(row);
        else this.#bars.push(row);
        continue;
      }
      const tick = this.events.convert(row);
      const { held, released, dropped } = this.#spikes.decide(instrument, tick, IMPORTED);
      if (dropped.length > 0) this.#countSpikes(dropped);
      // History is imported as its source has it, unless a limit is set.
      if (this.#keepsSpikes) buffer.add(tick);
      else {
        for (const { event } of released) buffer.add(event);
        if (!held) buffer.add(tick);
      }
    }
    if (this.#seconds.isFull) this.#bars.push(...this.#seconds.take(false));
    if (this.#bars.length >= CHUNK_BARS) await this.#writeBars();
    if (buffer.isFull) await this.#writeTicks(buffer.take(false));
  }

  async #endFile(): Promise<void> {
    if (this.#reversed) await this.#addReversed(this.#reversed, true);
    this.#reversed = null;
    await this.#flush();
    this.#ranges.startFile();
  }

  async #flush(): Promise<void> {
    this.#countSpikes(this.#spikes.dropHeld());
    await this.#writeBars();
    await this.#writeTicks(this.#buffer.take(true));
    this.events.startFile();
    this.#spikes = new SpikeFilter(this.#options.spikePercent ?? null);
  }

  #countSpikes(spikes: readonly HeldEvent[]): void {
    this.written.spikes += spikes.length;
    const { firstSpikes } = this.written;
    for (const { listed } of spikes) if (firstSpikes.length < MAX_LISTED_SPIKES) firstSpikes.push(listed);
  }

  async #writeBars(): Promise<void> {
    const rows = this.#bars;
    if (rows.length === 0) return;
    this.#bars = [];
    const changed: ChangedBars = new Map();
    const { firstTrade } = this.#watermarks;
    let until = 0;
    for (const { kind: _kind, timeframe, align = 'utc', ...bar } of rows) {
      const series = seriesName(timeframe, align);
      put(changed, series, bar);
      if (!isTimeframe(series)) this.written.otherSeries.set(series, (this.written.otherSeries.get(series) ?? 0) + 1);
      // Other series say nothing about the bars that the service serves, unless those are made of them.
      if (series.includes('@') || intervalMs(timeframe) > DAY_MS) continue;
      const end = bar.time + intervalMs(timeframe);
      this.#ranges.add(bar.time, end);
      until = Math.max(until, end);
      if (bar.basis === 'trade')
        this.#watermarks.firstTrade = Math.min(this.#watermarks.firstTrade, bar.time - MINUTE_MS);
    }
    await this.#rebuildFirstTradeBar(firstTrade, changed);
    await this.#writeChanged(changed, until, []);
  }

  async #writeTicks(minutes: readonly MinuteTicks[]): Promise<void> {
    if (minutes.length === 0) return;
    const stored = await this.#readStored(minutes);
    const changed: ChangedBars = new Map();
    const histograms: HistogramRow[] = [];
    const fresh: TapeBlock[] = [];
    const rewritten: TapeBlock[] = [];
    const watermarks = this.#watermarks;
    const { firstTrade } = watermarks;
    let until = 0;
    for (const { minute, ticks } of minutes) {
      this.#ranges.add(minute, minute + MINUTE_MS);
      watermarks.updateLastPrices(ticks);
      const before = stored.get(minute) ?? [];
      const added = newTicks(before, ticks);
      if (added.length === 0) {
        this.written.unchanged++;
        continue;
      }
      const records = before.concat(watermarks.assignNumbers(added));
      if (minute < watermarks.firstTrade && added.some(({ kind }) => kind === 'trade')) watermarks.firstTrade = minute;
      const bar = this.#barOf(minute, records);
      if (bar) put(changed, '1m', bar);
      const histogram = this.#histogramOf(minute, records);
      if (histogram) histograms.push(histogram);
      const blocks = stored.has(minute) ? rewritten : fresh;
      for (const block of encodeMinuteBlocks(this.#options.instrument, minute, records)) blocks.push(block);
      until = minute + MINUTE_MS;
      this.written.minutes++;
      this.written.ticks += added.length;
    }
    if (fresh.length + rewritten.length === 0) return;
    await this.#rebuildFirstTradeBar(firstTrade, changed);
    await this.#writeChanged(changed, until, daysOf([...fresh, ...rewritten]), histograms);
    await this.#options.store.writeTape(fresh);
    await this.#options.store.replaceTape(rewritten);
  }

  /** The bar of the former first minute with trades was made of quotes: rebuild it if there are earlier trades now. */
  async #rebuildFirstTradeBar(minute: number, changed: ChangedBars): Promise<void> {
    if (this.#watermarks.firstTrade >= minute || minute === Number.POSITIVE_INFINITY || changed.get('1m')?.has(minute))
      return;
    const bar = this.#barOf(minute, (await this.#readStored([{ minute }])).get(minute) ?? []);
    if (bar) put(changed, '1m', bar);
  }

  /** The ticks of these minutes on the tape. */
  async #readStored(minutes: readonly { readonly minute: number }[]): Promise<Map<number, TapeRecord[]>> {
    const { store, instrument } = this.#options;
    const wanted = new Set(minutes.map(({ minute }) => minute));
    const found = new Map<number, TapeRecord[]>();
    for (const inDay of Map.groupBy(wanted, (minute) => minute - (minute % DAY_MS)).values()) {
      const blocks = await store.tapeOf(instrument.symbol, inDay[0]!, inDay.at(-1)! + MINUTE_MS);
      for (const [minute, list] of Map.groupBy(blocks, (block) => block.minute as number)) {
        if (wanted.has(minute)) found.set(minute, decodeMinuteBlocks(list));
      }
    }
    return found;
  }

  #barOf(start: number, records: readonly TapeRecord[]): Bar | null {
    const minute = this.#minute;
    minute.begin(start, start > this.#watermarks.firstTrade);
    for (const { event } of records) {
      if (event.kind === 'quote') minute.quote(event.time, event.bid, event.bidSize);
      else minute.trade(event.time, event.price, event.size, event.side);
    }
    return minute.bar();
  }

  #histogramOf(start: number, records: readonly TapeRecord[]): HistogramRow | null {
    const { instrument } = this.#options;
    const trades = records.flatMap(({ event }) => (event.kind === 'trade' ? event : []));
    const histogram = histogramOfTrades(instrument, start, trades);
    return histogram && { symbol: instrument.symbol, ...histogram };
  }

  async #writeChanged(
    changed: ChangedBars,
    until: number,
    days: readonly string[],
    histograms: readonly HistogramRow[] = [],
  ): Promise<void> {
    const { store, instrument } = this.#options;
    const bars = await withLongerBars(store, instrument, changed);
    const watched = this.#ranges.take().map((range) => ({ symbols: [instrument.symbol], ...range }));
    await store.writeImported({ bars, ...this.#watermarks.take(until, Date.now()), days, watched, histograms });
    this.written.bars += bars.length;
  }
}

const daysOf = (blocks: readonly TapeBlock[]): string[] =>
  [...new Set(blocks.map(({ minute }) => minute - (minute % DAY_MS)))].map(dayOf);

function put(bars: ChangedBars, timeframe: string, bar: Bar): void {
  const known = bars.get(timeframe);
  if (known) known.set(bar.time, bar);
  else bars.set(timeframe, new Map([[bar.time, bar]]));
}
