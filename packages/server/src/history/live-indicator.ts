// An indicator of a symbol and a timeframe that follows the market: it reads the history, again after losses and changes of the
// past, and has the values as text, which is the same for all its readers.
import { type IndicatorSpec, TIMEFRAME_MS, type Timeframe } from '@tickwire/contract';
import {
  asEpochMs,
  type Bar,
  definitionOf,
  type EpochMs,
  historyNeed,
  type IndicatorValues,
  type MarketSymbol,
  parseChartInterval,
  UTC_DAY,
} from '@tickwire/engine';
import { pauses } from '../ops/pauses.ts';
import type { WorkSignal } from '../work/work-scheduler.ts';
import type { Chart } from './chart-reader.ts';
import { changeableBars, IndicatorRun } from './indicator-run.ts';
import type { BarSources } from './recorded-history.ts';
import { requireTrades, WarmUp } from './warm-up.ts';

/** A history that could not be read is read again after this time. */
const RETRY_MS = 5_000;
const NOT_KNOWN: IndicatorValues = { values: [], settled: false };

/** What waits for the history, such as a subscriber. */
interface Waiting {
  /** It has gone. */
  readonly closed: boolean;
}

export interface LiveIndicatorOptions {
  readonly sources: BarSources;
  readonly symbol: MarketSymbol;
  readonly timeframe: Timeframe;
  readonly spec: IndicatorSpec;
  /** Reads the history in turns with other work. */
  readonly readInTurns: (signal: WorkSignal, work: () => Promise<void>) => Promise<void>;
}

export class LiveIndicator {
  users = 0;
  /** Users that wait for the history. */
  readonly waiting = new Set<Waiting>();
  /** Bars of the history that were read. */
  rows = 0;
  /** Rejects if the history cannot be read. */
  ready: Promise<void>;
  readonly #options: LiveIndicatorOptions;
  readonly #lines: readonly string[];
  #run: IndicatorRun | null = null;
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

  constructor(options: LiveIndicatorOptions) {
    this.#options = options;
    this.#lines = definitionOf(options.spec).lines;
    this.ready = this.#start();
  }

  stop(): void {
    this.#isStopped = true;
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
      this.#formingText = this.#text(this.#run?.preview(bar) ?? NOT_KNOWN);
    }
    return this.#formingText;
  }

  closed({ time }: Bar): string {
    return this.#text(this.#run?.closed(time) ?? NOT_KNOWN);
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
  async loaded(reader: Waiting | null): Promise<void> {
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

  /** Returns false if the history must be read again. */
  #put(bar: Bar): boolean {
    return !this.#isStale && this.#run?.put(bar) === true;
  }

  async #load(closed?: Bar): Promise<void> {
    this.#waiting = [];
    try {
      for (;;) {
        this.#isOutdated = false;
        const first = this.#nextBar();
        await this.#options.readInTurns(this, () => this.#read(first));
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
    const { sources, symbol, timeframe } = this.#options;
    const { view } = sources;
    const forming = view.forming(symbol, timeframe);
    if (forming) return forming.time;
    const latest = view.latestBar(symbol, timeframe);
    return latest ? asEpochMs(latest.time + TIMEFRAME_MS[timeframe]) : asEpochMs(view.time);
  }

  async #read(first: EpochMs): Promise<void> {
    const { sources, symbol, timeframe, spec } = this.#options;
    const chart: Chart = { interval: parseChartInterval(timeframe)!, day: UTC_DAY, align: 'utc' };
    const warmUp = new WarmUp(sources, chart, symbol, first);
    const pause = pauses();
    await warmUp.until(historyNeed(spec), async ({ bars, isWhole }) => {
      const forming = sources.view.forming(symbol, timeframe);
      requireTrades(sources, spec, symbol, forming ? [...bars, forming] : bars);
      const run = new IndicatorRun(spec, timeframe, isWhole);
      const final = Math.max(0, bars.length - changeableBars(timeframe));
      for (let at = 0; at < final; at++) {
        run.addFinal(bars[at]!);
        await pause();
      }
      for (let at = final; at < bars.length; at++) run.add(bars[at]!);
      this.#run = run;
      this.#formingVersion = -1;
      return run.settled;
    });
    this.rows += warmUp.rows;
  }

  #text({ values, settled }: IndicatorValues): string {
    const { text } = this.#options.spec;
    const end = `,"settled":${settled && !this.#isStale}}`;
    if (this.#lines.length === 1) return `"${text}":{"value":${numberText(values[0])}${end}`;
    let json = `"${text}":{"values":{`;
    for (let at = 0; at < this.#lines.length; at++)
      json += `${at > 0 ? ',' : ''}"${this.#lines[at]}":${numberText(values[at])}`;
    return `${json}}${end}`;
  }
}

const numberText = (value: number | undefined): string => (Number.isFinite(value) ? String(value) : 'null');
