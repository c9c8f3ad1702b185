// Indicators that follow the market. Each indicator of a symbol and a timeframe is computed once, whatever the number of its
// users: a closed bar is added once, the forming bar is computed at most once per batch of events and only if someone reads it.
// A late tick changes a closed bar: the run goes back to a checkpoint before that bar and adds the bars again.
import { type IndicatorSpec, TIMEFRAME_MS, type Timeframe } from '@tickwire/contract';
import {
  asEpochMs,
  type Bar,
  type BarEvent,
  chartContext,
  definitionOf,
  type EpochMs,
  historyNeed,
  IndicatorSeries,
  type IndicatorValues,
  LATE_WINDOW_MS,
  type MarketSymbol,
  parseChartInterval,
  type Restore,
  UTC_DAY,
} from '@tickwire/engine';
import { ServiceError } from '../errors/service-error.ts';
import type { ReadWork } from '../http/read-work.ts';
import { pauses } from '../ops/pauses.ts';
import type { WorkSignal } from '../work/work-scheduler.ts';
import type { Chart } from './chart-reader.ts';
import { type IndicatorOwner, IndicatorShares } from './indicator-shares.ts';
import type { BarSources } from './recorded-history.ts';
import { barsBefore, requireTrades, WarmUp } from './warm-up.ts';

/** Indicators of all symbols and timeframes in this process. */
export const MAX_LIVE_INDICATORS = 5_000;
const NO_ACCOUNT: IndicatorOwner = { publicId: '', tierName: '' };

/** Values of some indicators of one symbol and timeframe, kept up to date until it is released. */
export interface LiveIndicatorSet {
  /** Texts of the indicators, in the order of the request. */
  readonly names: readonly string[];
  /** JSON with the values if the forming bar closed now. */
  forming(bar: Bar): string;
  /** JSON with the values at a closed bar. */
  closed(bar: Bar): string;
  release(): void;
}

/** What waits for the history of indicators, such as a subscriber. */
export interface IndicatorReader {
  readonly caller: { readonly account: IndicatorOwner } | null;
  /** It has gone. */
  readonly closed: boolean;
}

interface Group {
  readonly symbol: MarketSymbol;
  readonly timeframe: Timeframe;
  readonly byText: Map<string, LiveIndicator>;
}

export class LiveIndicators {
  readonly #sources: BarSources;
  readonly #reads: Pick<ReadWork, 'queue'>;
  readonly #groups = new Map<string, Group>();
  readonly #shares: IndicatorShares;
  /** Rises with each batch of events, which may have changed forming bars. */
  #version = 0;

  constructor(
    sources: BarSources,
    reads: Pick<ReadWork, 'queue'>,
    tiers: ConstructorParameters<typeof IndicatorShares>[1],
  ) {
    this.#sources = sources;
    this.#reads = reads;
    this.#shares = new IndicatorShares(MAX_LIVE_INDICATORS, tiers);
  }

  /** Number of indicators that are computed. */
  get size(): number {
    return this.#shares.used;
  }

  /** Bars that are read, about, for those of these indicators that nobody uses yet. */
  rowsOf(symbol: MarketSymbol, timeframe: Timeframe, specs: readonly IndicatorSpec[]): number {
    const known = this.#groups.get(keyOf(symbol, timeframe))?.byText;
    return specs.reduce((sum, spec) => sum + (known?.has(spec.text) ? 0 : barsBefore(spec)), 0);
  }

  /**
   * Loads the history of indicators, so that `open` finds them. Returns what keeps them until then, and how many bars were read
   * for those that nobody used before. Throws a `ServiceError` if one is not available for the symbol, or if there are too many,
   * and `Abandoned` if all that wait for one have gone.
   */
  async load(
    symbol: MarketSymbol,
    timeframe: Timeframe,
    specs: readonly IndicatorSpec[],
    reader: IndicatorReader,
  ): Promise<{ readonly rows: number; release(): void }> {
    const group = this.#group(symbol, timeframe);
    const held: LiveIndicator[] = [];
    const release = (): void => this.#release(group, held.splice(0));
    try {
      for (const spec of specs) held.push(this.#hold(group, spec, reader));
      const added = held.filter(({ users }) => users === 1);
      for (const indicator of held) await indicator.loaded(reader);
      return { rows: added.reduce((sum, { rows }) => sum + rows, 0), release };
    } catch (error) {
      for (const { waiting } of held) waiting.delete(reader);
      release();
      throw error;
    }
  }

  /** Indicators that were loaded. */
  open(symbol: MarketSymbol, timeframe: Timeframe, specs: readonly IndicatorSpec[]): LiveIndicatorSet {
    const group = this.#group(symbol, timeframe);
    const held = specs.map((spec) => this.#hold(group, spec, null));
    return {
      names: specs.map(({ text }) => text),
      forming: (bar) => objectOf(held, (indicator) => indicator.forming(bar, this.#version)),
      closed: (bar) => objectOf(held, (indicator) => indicator.closed(bar)),
      release: () => this.#release(group, held.splice(0)),
    };
  }

  /** Forming bars may have changed. */
  startBatch(): void {
    this.#version++;
  }

  /** A bar has closed, or a closed bar has changed. */
  close({ symbol, timeframe, bar }: BarEvent): void {
    const group = this.#groups.get(keyOf(symbol, timeframe));
    if (group) for (const indicator of group.byText.values()) indicator.close(bar);
  }

  /** Events were lost, or bars of the past have changed: reads histories again, by default all. */
  reload(symbol?: MarketSymbol): void {
    for (const group of this.#groups.values())
      if (symbol === undefined || group.symbol === symbol)
        for (const indicator of group.byText.values()) indicator.reload();
  }

  #group(symbol: MarketSymbol, timeframe: Timeframe): Group {
    const key = keyOf(symbol, timeframe);
    const group = this.#groups.get(key) ?? { symbol, timeframe, byText: new Map() };
    this.#groups.set(key, group);
    return group;
  }

  /** `reader`: waits for it; `null` if it was loaded. */
  #hold({ symbol, timeframe, byText }: Group, spec: IndicatorSpec, reader: IndicatorReader | null): LiveIndicator {
    let indicator = byText.get(spec.text);
    if (!indicator) {
      if (reader === null) throw new Error(`the indicator ${spec.text} was not loaded`);
      const account = reader.caller?.account ?? NO_ACCOUNT;
      const giveBack = this.#shares.take(account);
      if (!giveBack)
        throw new ServiceError(
          'subscription_limit',
          `The service computes ${MAX_LIVE_INDICATORS} indicators at most, and your account has its share of them.`,
        );
      const read: Read = (signal, work) => this.#reads.queue(account.publicId, signal, work);
      indicator = new LiveIndicator(this.#sources, read, symbol, timeframe, spec, giveBack);
      byText.set(spec.text, indicator);
    }
    indicator.users++;
    if (reader) indicator.waiting.add(reader);
    return indicator;
  }

  #release(group: Group, held: readonly LiveIndicator[]): void {
    for (const indicator of held) {
      if (--indicator.users > 0) continue;
      indicator.stop();
      group.byText.delete(indicator.spec.text);
    }
    if (group.byText.size === 0) this.#groups.delete(keyOf(group.symbol, group.timeframe));
  }
}

const keyOf = (symbol: MarketSymbol, timeframe: Timeframe): string => `${timeframe} ${symbol}`;

function objectOf(held: readonly LiveIndicator[], text: (indicator: LiveIndicator) => string): string {
  let json = '{';
  for (let at = 0; at < held.length; at++) json += (at > 0 ? ',' : '') + text(held[at]!);
  return `${json}}`;
}

/** A closed bar that may still change, with its values. */
interface Closed {
  readonly bar: Bar;
  readonly values: IndicatorValues;
}

/** Bars since a state of the run that can be restored. */
interface Checkpoint {
  readonly restore: Restore;
  readonly closed: Closed[];
}

/** A history that could not be read is read again after this time. */
const RETRY_MS = 5_000;
const NOT_KNOWN: IndicatorValues = { values: [], settled: false };

type Read = (signal: WorkSignal, work: () => Promise<void>) => Promise<void>;

class LiveIndicator {
  users = 0;
  /** Users that wait for the history. */
  readonly waiting = new Set<IndicatorReader>();
  /** Bars of the history that were read. */
  rows = 0;
  readonly spec: IndicatorSpec;
  /** Rejects if the history cannot be read. */
  ready: Promise<void>;
  readonly #sources: BarSources;
  /** Reads the history in turns with other work. */
  readonly #readInTurns: Read;
  readonly #onStop: () => void;
  readonly #symbol: MarketSymbol;
  readonly #timeframe: Timeframe;
  readonly #lines: readonly string[];
  /** Bars that a late tick can change. */
  readonly #recent: number;
  #series: IndicatorSeries | null = null;
  /** At most two: the older one reaches back over all bars that can change. */
  #checkpoints: Checkpoint[] = [];
  /** Bars that closed while the history is being read; `null` if it is not. */
  #waiting: Bar[] | null = null;
  #isStopped = false;
  /** The values are those of a history that has changed since. */
  #isStale = false;
  /** The history has changed while it is being read. */
  #isOutdated = false;
  #hasFailed = false;
  #formingVersion = -1;
  #formingText = '';

  constructor(
    sources: BarSources,
    read: Read,
    symbol: MarketSymbol,
    timeframe: Timeframe,
    spec: IndicatorSpec,
    onStop: () => void,
  ) {
    this.#onStop = onStop;
    this.#sources = sources;
    this.#readInTurns = read;
    this.#symbol = symbol;
    this.#timeframe = timeframe;
    this.spec = spec;
    this.#lines = definitionOf(spec).lines;
    this.#recent = Math.ceil(LATE_WINDOW_MS / TIMEFRAME_MS[timeframe]) + 1;
    this.ready = this.#start();
  }

  stop(): void {
    this.#isStopped = true;
    this.#onStop();
  }

  /** Nobody uses the indicator, and all that wait for it have gone. */
  get aborted(): boolean {
    if (this.#isStopped) return true;
    if (this.waiting.size === 0 || this.waiting.size < this.users) return false;
    for (const { closed } of this.waiting) if (!closed) return false;
    return true;
  }

  /** The text is the same for all readers of one version. */
  forming(bar: Bar, version: number): string {
    if (this.#formingVersion !== version) {
      this.#formingVersion = version;
      this.#formingText = this.#text(this.#series?.preview(bar) ?? NOT_KNOWN);
    }
    return this.#formingText;
  }

  closed({ time }: Bar): string {
    for (const { closed } of this.#checkpoints)
      for (const each of closed) if (each.bar.time === time) return this.#text(each.values);
    return this.#text(NOT_KNOWN);
  }

  close(bar: Bar): void {
    this.#formingVersion = -1;
    if (this.#waiting) this.#waiting.push(bar);
    else if (!this.#put(bar)) this.reload(bar);
  }

  /** Reads the history again, up to a bar that has just closed. Until then, values are not settled. */
  reload(closed?: Bar): void {
    this.#isStale = true;
    if (this.#waiting) this.#isOutdated = true;
    else if (!this.#isStopped) this.ready = this.#start(closed);
  }

  /** Waits for the history, and tries again if it could not be read before. */
  async loaded(reader: IndicatorReader | null): Promise<void> {
    if (this.#hasFailed && !this.#waiting) this.reload();
    try {
      await this.ready;
    } finally {
      if (reader) this.waiting.delete(reader);
    }
  }

  #start(closed?: Bar): Promise<void> {
    this.#hasFailed = false;
    const ready = this.#load(closed);
    // Callers that await `ready` get the error; this only schedules the next attempt.
    ready.catch(() => {
      this.#hasFailed = true;
      setTimeout(() => void this.loaded(null).catch(() => {}), RETRY_MS).unref();
    });
    return ready;
  }

  /** Adds a bar, or replaces one and adds those after it again. Returns false if it is older than any that can change. */
  #put(bar: Bar): boolean {
    if (this.#isStale) return false;
    const last = this.#checkpoints.at(-1)?.closed.at(-1)?.bar;
    if (!last || bar.time > last.time) {
      this.#add(bar);
      return true;
    }
    const at = this.#checkpoints.findLastIndex(({ closed }) => closed[0]!.bar.time <= bar.time);
    if (at < 0) return false;
    const undone = this.#checkpoints.splice(at);
    const bars = undone.flatMap(({ closed }) => closed.map((each) => each.bar));
    const kept = bars.filter(({ time }) => time !== bar.time);
    undone[0]!.restore();
    for (const each of [...kept, bar].sort((a, b) => a.time - b.time)) this.#add(each);
    return true;
  }

  #add(bar: Bar): void {
    const series = this.#series!;
    let checkpoint = this.#checkpoints.at(-1);
    if (!checkpoint || checkpoint.closed.length >= this.#recent) {
      checkpoint = { restore: series.save(), closed: [] };
      if (this.#checkpoints.length === 2) this.#checkpoints.shift();
      this.#checkpoints.push(checkpoint);
    }
    checkpoint.closed.push({ bar, values: series.add(bar) });
  }

  async #load(closed?: Bar): Promise<void> {
    this.#waiting = [];
    try {
      for (;;) {
        this.#isOutdated = false;
        const first = this.#nextBar();
        await this.#readInTurns(this, () => this.#read(first));
        const missed: Bar[] = this.#waiting;
        this.#waiting = [];
        // A bar that was being read has changed: read it again.
        if ((this.#isOutdated || missed.some(({ time }) => time < first)) && !this.#isStopped) continue;
        this.#isStale = false;
        if (closed && closed.time >= first) this.#put(closed);
        for (const bar of missed) this.#put(bar);
        return;
      }
    } finally {
      this.#waiting = null;
    }
  }

  /** Start of the first bar that has not closed. */
  #nextBar(): EpochMs {
    const { view } = this.#sources;
    const forming = view.forming(this.#symbol, this.#timeframe);
    if (forming) return forming.time;
    const latest = view.latestBar(this.#symbol, this.#timeframe);
    return latest ? asEpochMs(latest.time + TIMEFRAME_MS[this.#timeframe]) : asEpochMs(view.time);
  }

  async #read(first: EpochMs): Promise<void> {
    const { spec } = this;
    const chart: Chart = { interval: parseChartInterval(this.#timeframe)!, day: UTC_DAY, align: 'utc' };
    const warmUp = new WarmUp(this.#sources, chart, this.#symbol, first);
    const pause = pauses();
    await warmUp.until(historyNeed(spec), async ({ bars, isWhole }) => {
      const forming = this.#sources.view.forming(this.#symbol, this.#timeframe);
      requireTrades(this.#sources, spec, this.#symbol, forming ? [...bars, forming] : bars);
      const series = new IndicatorSeries(definitionOf(spec), spec.inputs, chartContext(UTC_DAY, isWhole));
      const early = Math.max(0, bars.length - this.#recent);
      let last = NOT_KNOWN;
      for (let at = 0; at < early; at++) {
        last = series.add(bars[at]!);
        await pause();
      }
      this.#series = series;
      this.#checkpoints = [];
      this.#formingVersion = -1;
      for (let at = early; at < bars.length; at++) this.#add(bars[at]!);
      return this.#checkpoints.at(-1)?.closed.at(-1)?.values.settled ?? last.settled;
    });
    this.rows += warmUp.rows;
  }

  #text({ values, settled }: IndicatorValues): string {
    const end = `,"settled":${settled && !this.#isStale}}`;
    if (this.#lines.length === 1) return `"${this.spec.text}":{"value":${numberText(values[0])}${end}`;
    let json = `"${this.spec.text}":{"values":{`;
    for (let at = 0; at < this.#lines.length; at++)
      json += `${at > 0 ? ',' : ''}"${this.#lines[at]}":${numberText(values[at])}`;
    return `${json}}${end}`;
  }
}

const numberText = (value: number | undefined): string => (Number.isFinite(value) ? String(value) : 'null');
