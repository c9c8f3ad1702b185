// Rows into the store: ticks onto the tape, in blocks per minute, and bars of every timeframe from them.
//
// Written in chunks. Of each, the bars, numbers and marks go first and in one transaction, the ticks after: an import that
// was cut off between the two finds its minutes missing from the tape when it is repeated, and does them again. A minute
// that gains nothing is left alone, so repeating an import changes nothing.
import { TIMEFRAME_MS, type Timeframe } from '@tickwire/contract';
import { type Bar, type InstrumentSpec, type QuoteEvent, type TradeEvent, WholeMinute } from '@tickwire/engine';
import { type Quarantined, SpikeFilter } from '../journal/spike-filter.ts';
import type { LastPrices, MarketStore, TapeBlock, TapeRecord } from '../store/store.ts';
import { dayOf } from '../store/tape-day.ts';
import { type ChangedBars, withLonger } from './longer-bars.ts';
import { gainOf } from './merge-minute.ts';
import { blocksOf, recordsOf } from './minute-blocks.ts';
import { MinuteBuffer, type MinuteTicks } from './minute-buffer.ts';
import type { BarRow, Row } from './row.ts';
import { isCrossed, RowEvents, type Tick } from './row-events.ts';
import { Stretches } from './stretches.ts';

const MINUTE = 60_000;
const DAY = 86_400_000;
const CHUNK_BARS = 20_000;

export interface WriterOptions {
  readonly store: MarketStore;
  readonly instrument: InstrumentSpec;
  /** Jump in percent that puts a tick in quarantine; null for the limit of the instrument's class. */
  readonly spikePercent?: number | null;
  readonly now?: () => number;
}

export interface Written {
  /** Minutes of the tape that gained ticks, and how many. */
  minutes: number;
  ticks: number;
  /** Minutes of the files that were on the tape already, with all they hold. */
  unchanged: number;
  bars: number;
  /** Ticks kept out because their price is absurd, and the first of them. */
  spikes: number;
  readonly firstSpikes: Quarantined[];
}

const SHOWN_SPIKES = 5;

export class ImportWriter {
  readonly written: Written = {
    minutes: 0,
    ticks: 0,
    unchanged: 0,
    bars: 0,
    spikes: 0,
    firstSpikes: [],
  };
  readonly events: RowEvents;
  readonly #options: WriterOptions;
  readonly #buffer = new MinuteBuffer();
  readonly #minute = new WholeMinute();
  readonly #stretches = new Stretches();
  #spikes: SpikeFilter;
  #bars: BarRow[] = [];
  #last: LastPrices;
  #lastChanged = false;
  #nextSeq: number;
  /** The minute of the instrument's first trade: later ones are made of trades. */
  #firstTrade: number;
  #barsUntil: number;
  #importedUntil: number;

  private constructor(options: WriterOptions, start: Start) {
    this.#options = options;
    this.#last = start.last;
    this.#nextSeq = start.nextSeq;
    this.#firstTrade = start.firstTrade;
    this.#barsUntil = start.barsUntil;
    this.#importedUntil = start.importedUntil;
    this.#spikes = new SpikeFilter(options.spikePercent ?? null);
    this.events = new RowEvents(options.instrument.symbol);
  }

  static async open(options: WriterOptions): Promise<ImportWriter> {
    const { store, instrument } = options;
    const { symbol } = instrument;
    const known = (await store.lastPrices()).find((prices) => prices.symbol === symbol);
    return new ImportWriter(options, {
      last: known ?? { symbol, quote: null, trade: null },
      nextSeq: Math.max(1, (await store.number('seq_reserved')) ?? 1),
      firstTrade: (await store.number(firstTradeName(symbol))) ?? (await firstTradeOf(options)),
      barsUntil: (await store.number('bars_until')) ?? 0,
      importedUntil: (await store.number('imported_until')) ?? 0,
    });
  }

  /** Takes rows in the order of the file, and writes what is ready. */
  async add(rows: readonly Row[]): Promise<void> {
    const buffer = this.#buffer;
    const { events } = this;
    for (let index = 0; index < rows.length; index++) {
      const row = rows[index]!;
      if (row.kind === 'bar') this.#bars.push(row);
      else {
        const tick = events.of(row);
        if (this.#spikes.pass(this.#options.instrument, tick)) buffer.add(tick);
        else this.#quarantined();
      }
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

  #quarantined(): void {
    if (this.written.spikes++ < SHOWN_SPIKES) this.written.firstSpikes.push(this.#spikes.quarantine.at(-1)!);
  }

  async #writeBars(): Promise<void> {
    const rows = this.#bars;
    if (rows.length === 0) return;
    this.#bars = [];
    const changed: ChangedBars = new Map();
    const firstTrade = this.#firstTrade;
    let until = 0;
    for (const { kind: _kind, timeframe, ask: _ask, ...bar } of rows) {
      put(changed, timeframe, bar);
      this.#stretches.add(bar.time, bar.time + TIMEFRAME_MS[timeframe]);
      until = Math.max(until, bar.time + TIMEFRAME_MS[timeframe]);
      if (bar.basis === 'trade') this.#firstTrade = Math.min(this.#firstTrade, bar.time - MINUTE);
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
    const firstTrade = this.#firstTrade;
    let until = 0;
    for (const { minute, ticks } of minutes) {
      this.#stretches.add(minute, minute + MINUTE);
      const before = stored.get(minute) ?? [];
      const gain = gainOf(before, ticks);
      this.#remember(ticks);
      if (gain.length === 0) {
        this.written.unchanged++;
        continue;
      }
      const records = before.concat(this.#numbered(gain));
      if (minute < this.#firstTrade && gain.some(({ kind }) => kind === 'trade')) this.#firstTrade = minute;
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
    if (this.#firstTrade >= minute || minute === Number.POSITIVE_INFINITY || changed.get('1m')?.has(minute)) return;
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

  #numbered(ticks: readonly Tick[]): TapeRecord[] {
    const first = this.#nextSeq;
    this.#nextSeq += ticks.length;
    return ticks.map((event, index) => ({ seq: first + index, event }));
  }

  #barOf(start: number, records: readonly TapeRecord[]): Bar | null {
    const minute = this.#minute;
    minute.begin(start, start > this.#firstTrade);
    for (const { event } of records) {
      if (event.kind === 'quote') minute.quote(event.time, event.bid, event.bidSize);
      else minute.trade(event.time, event.price, event.size, event.side);
    }
    return minute.bar();
  }

  /** The newest quote and trade are what an instrument shows until a live one comes. */
  #remember(ticks: readonly Tick[]): void {
    let { quote, trade }: { quote: QuoteEvent | null; trade: TradeEvent | null } = this.#last;
    for (const tick of ticks) {
      if (tick.kind === 'trade') {
        if (trade === null || tick.time >= trade.time) trade = tick;
      } else if ((quote === null || tick.time >= quote.time) && !isCrossed(tick)) quote = tick;
    }
    if (quote === this.#last.quote && trade === this.#last.trade) return;
    this.#last = { ...this.#last, quote, trade };
    this.#lastChanged = true;
  }

  async #writeChanged(changed: ChangedBars, until: number, days: readonly string[]): Promise<void> {
    const { store, instrument, now = Date.now } = this.#options;
    const bars = await withLonger(store, instrument.symbol, changed);
    const numbers: Record<string, number> = {};
    if (days.length > 0) numbers.seq_reserved = this.#nextSeq;
    if (this.#firstTrade < Number.POSITIVE_INFINITY) numbers[firstTradeName(instrument.symbol)] = this.#firstTrade;
    // A start reads the tape from here on: not what was imported. A bar may end in the future, the mark may not.
    const mark = Math.min(until, now() - (now() % MINUTE));
    if (mark > this.#barsUntil) {
      if (this.#barsUntil > this.#importedUntil) numbers.served_until = this.#barsUntil;
      this.#barsUntil = this.#importedUntil = mark;
      numbers.bars_until = numbers.tape_from = numbers.imported_until = mark;
    }
    const prices = this.#lastChanged ? [this.#last] : [];
    const watched = this.#stretches.take().map((stretch) => ({ symbols: [instrument.symbol], ...stretch }));
    await store.writeImported({ bars, prices, numbers, days, watched });
    this.#lastChanged = false;
    this.written.bars += bars.length;
  }
}

interface Start {
  readonly last: LastPrices;
  readonly nextSeq: number;
  readonly firstTrade: number;
  readonly barsUntil: number;
  readonly importedUntil: number;
}

/** Of a store that no import has written to: the service counts trades in bars from the minute after the first one. */
async function firstTradeOf({ store, instrument }: WriterOptions): Promise<number> {
  const first = await store.firstTradeBar(instrument.symbol);
  return first === undefined ? Number.POSITIVE_INFINITY : first - MINUTE;
}

const daysOf = (blocks: readonly TapeBlock[]): string[] =>
  [...new Set(blocks.map(({ minute }) => minute - (minute % DAY)))].map(dayOf);

const firstTradeName = (symbol: string): string => `first_trade ${symbol}`;

function put(bars: ChangedBars, timeframe: Timeframe, bar: Bar): void {
  const known = bars.get(timeframe);
  if (known) known.set(bar.time, bar);
  else bars.set(timeframe, new Map([[bar.time, bar]]));
}
