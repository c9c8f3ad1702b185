// Rows into the store: ticks onto the tape, in blocks per minute, and bars of every timeframe from them.
//
// Written in chunks. Of each, the bars, numbers and marks go first and in one transaction, the ticks after: an import that
// was cut off between the two finds its minutes missing from the tape when it is repeated, and does them again. A minute
// that gains nothing is left alone, so repeating an import changes nothing.
import { TIMEFRAME_MS, type Timeframe } from '@tickwire/contract';
import { type Bar, type InstrumentSpec, WholeMinute } from '@tickwire/engine';
import { type Quarantined, SpikeFilter } from '../journal/spike-filter.ts';
import type { MarketStore, TapeBlock, TapeRecord } from '../store/store.ts';
import { dayOf } from '../store/tape-day.ts';
import { type ChangedBars, withLonger } from './longer-bars.ts';
import { gainOf } from './merge-minute.ts';
import { blocksOf, recordsOf } from './minute-blocks.ts';
import { MinuteBuffer, type MinuteTicks } from './minute-buffer.ts';
import type { BarRow, Row } from './row.ts';
import { RowEvents } from './row-events.ts';
import { StoreMarks } from './store-marks.ts';
import { Stretches } from './stretches.ts';

const MINUTE = 60_000;
const DAY = 86_400_000;
const CHUNK_BARS = 20_000;
const SHOWN_SPIKES = 5;

export interface WriterOptions {
  readonly store: MarketStore;
  readonly instrument: InstrumentSpec;
  /** Jump in percent that keeps a tick out; null: absurd jumps, by the limit of the class, are counted and kept. */
  readonly spikePercent?: number | null;
}

export interface Written {
  /** Minutes of the tape that gained ticks, and how many. */
  minutes: number;
  ticks: number;
  /** Minutes of the files that were on the tape already, with all they hold. */
  unchanged: number;
  bars: number;
  /** Ticks whose price is absurd after the one before, and the first of them. */
  spikes: number;
  readonly firstSpikes: Quarantined[];
}

export class ImportWriter {
  readonly written: Written = { minutes: 0, ticks: 0, unchanged: 0, bars: 0, spikes: 0, firstSpikes: [] };
  readonly events: RowEvents;
  readonly #options: WriterOptions;
  readonly #marks: StoreMarks;
  readonly #buffer = new MinuteBuffer();
  readonly #minute = new WholeMinute();
  readonly #stretches = new Stretches();
  #spikes: SpikeFilter;
  #bars: BarRow[] = [];

  private constructor(options: WriterOptions, marks: StoreMarks) {
    this.#options = options;
    this.#marks = marks;
    this.#spikes = new SpikeFilter(options.spikePercent ?? null);
    this.events = new RowEvents(options.instrument.symbol);
  }

  static async open(options: WriterOptions): Promise<ImportWriter> {
    return new ImportWriter(options, await StoreMarks.read(options.store, options.instrument));
  }

  /** Takes rows in the order of the file, and writes what is ready. */
  async add(rows: readonly Row[]): Promise<void> {
    const buffer = this.#buffer;
    const { instrument } = this.#options;
    for (let index = 0; index < rows.length; index++) {
      const row = rows[index]!;
      if (row.kind === 'bar') {
        this.#bars.push(row);
        continue;
      }
      const tick = this.events.of(row);
      // History is taken as its source has it, unless somebody said where the limit is.
      if (this.#spikes.pass(instrument, tick) || this.#flagged()) buffer.add(tick);
    }
    buffer.check();
    if (this.#bars.length >= CHUNK_BARS) await this.#writeBars();
    if (buffer.full) await this.#writeTicks(buffer.take(false));
  }

  /** A file is through: what it holds is complete. */
  async endFile(): Promise<void> {
    await this.#writeBars();
    await this.#writeTicks(this.#buffer.take(true));
    this.events.newFile();
    this.#stretches.newFile();
    this.#spikes = new SpikeFilter(this.#options.spikePercent ?? null);
  }

  /** Counts a spike; whether it is taken all the same. */
  #flagged(): boolean {
    if (this.written.spikes++ < SHOWN_SPIKES) this.written.firstSpikes.push(this.#spikes.quarantine.at(-1)!);
    return (this.#options.spikePercent ?? null) === null;
  }

  async #writeBars(): Promise<void> {
    const rows = this.#bars;
    if (rows.length === 0) return;
    this.#bars = [];
    const changed: ChangedBars = new Map();
    const { firstTrade } = this.#marks;
    let until = 0;
    for (const { kind: _kind, timeframe, ask: _ask, ...bar } of rows) {
      const end = bar.time + TIMEFRAME_MS[timeframe];
      put(changed, timeframe, bar);
      this.#stretches.add(bar.time, end);
      until = Math.max(until, end);
      if (bar.basis === 'trade') this.#marks.firstTrade = Math.min(this.#marks.firstTrade, bar.time - MINUTE);
    }
    await this.#reconsider(firstTrade, changed);
    await this.#writeChanged(changed, until, []);
  }

  async #writeTicks(minutes: readonly MinuteTicks[]): Promise<void> {
    if (minutes.length === 0) return;
    const stored = await this.#stored(minutes);
    const changed: ChangedBars = new Map();
    const fresh: TapeBlock[] = [];
    const rewritten: TapeBlock[] = [];
    const marks = this.#marks;
    const { firstTrade } = marks;
    let until = 0;
    for (const { minute, ticks } of minutes) {
      this.#stretches.add(minute, minute + MINUTE);
      marks.saw(ticks);
      const before = stored.get(minute) ?? [];
      const gain = gainOf(before, ticks);
      if (gain.length === 0) {
        this.written.unchanged++;
        continue;
      }
      const records = before.concat(marks.numbered(gain));
      if (minute < marks.firstTrade && gain.some(({ kind }) => kind === 'trade')) marks.firstTrade = minute;
      const bar = this.#barOf(minute, records);
      if (bar) put(changed, '1m', bar);
      const blocks = stored.has(minute) ? rewritten : fresh;
      for (const block of blocksOf(this.#options.instrument, minute, records)) blocks.push(block);
      until = minute + MINUTE;
      this.written.minutes++;
      this.written.ticks += gain.length;
    }
    if (fresh.length + rewritten.length === 0) return;
    await this.#reconsider(firstTrade, changed);
    await this.#writeChanged(changed, until, daysOf([...fresh, ...rewritten]));
    await this.#options.store.writeTape(fresh);
    await this.#options.store.replaceTape(rewritten);
  }

  /** What counted as the first minute with trades was made of quotes, if of anything: now there may be earlier ones. */
  async #reconsider(minute: number, changed: ChangedBars): Promise<void> {
    if (this.#marks.firstTrade >= minute || minute === Number.POSITIVE_INFINITY || changed.get('1m')?.has(minute))
      return;
    const bar = this.#barOf(minute, (await this.#stored([{ minute }])).get(minute) ?? []);
    if (bar) put(changed, '1m', bar);
  }

  /** What the tape has of these minutes already. */
  async #stored(minutes: readonly { readonly minute: number }[]): Promise<Map<number, TapeRecord[]>> {
    const { store, instrument } = this.#options;
    const wanted = new Set(minutes.map(({ minute }) => minute));
    const found = new Map<number, TapeRecord[]>();
    for (const inDay of Map.groupBy(wanted, (minute) => minute - (minute % DAY)).values()) {
      const blocks = await store.tapeOf(instrument.symbol, inDay[0]!, inDay.at(-1)! + MINUTE);
      for (const [minute, list] of Map.groupBy(blocks, (block) => block.minute as number)) {
        if (wanted.has(minute)) found.set(minute, recordsOf(list));
      }
    }
    return found;
  }

  #barOf(start: number, records: readonly TapeRecord[]): Bar | null {
    const minute = this.#minute;
    minute.begin(start, start > this.#marks.firstTrade);
    for (const { event } of records) {
      if (event.kind === 'quote') minute.quote(event.time, event.bid, event.bidSize);
      else minute.trade(event.time, event.price, event.size, event.side);
    }
    return minute.bar();
  }

  async #writeChanged(changed: ChangedBars, until: number, days: readonly string[]): Promise<void> {
    const { store, instrument } = this.#options;
    const bars = await withLonger(store, instrument.symbol, changed);
    const watched = this.#stretches.take().map((stretch) => ({ symbols: [instrument.symbol], ...stretch }));
    await store.writeImported({ bars, ...this.#marks.take(until, Date.now()), days, watched });
    this.written.bars += bars.length;
  }
}

const daysOf = (blocks: readonly TapeBlock[]): string[] =>
  [...new Set(blocks.map(({ minute }) => minute - (minute % DAY)))].map(dayOf);

function put(bars: ChangedBars, timeframe: Timeframe, bar: Bar): void {
  const known = bars.get(timeframe);
  if (known) known.set(bar.time, bar);
  else bars.set(timeframe, new Map([[bar.time, bar]]));
}
