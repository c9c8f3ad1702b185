// Indicators over the closed bars of one interval of an instrument, each computed once for all alerts. An amended bar is
// computed again with those after it, as far back as a late tick can amend one.
import { parseIndicator, TIMEFRAME_MS, type Timeframe } from '@tickwire/contract';
import { LATE_WINDOW_MS } from '../market/bar-series.ts';
import type { Bar } from '../market/events.ts';
import type { Restore } from '../market/indicators/indicator.ts';
import { definitionOf, IndicatorSeries } from '../market/indicators/indicators.ts';
import { ValueStream } from './value-stream.ts';

interface AddedBar {
  readonly bar: Bar;
  /** Puts the series back to before this bar. */
  readonly before: Restore;
}

/** An indicator, and the streams of its lines. */
class Indicator {
  values: readonly number[] = [];
  readonly #series: IndicatorSeries;
  readonly #kept: number;
  #recent: AddedBar[] = [];

  constructor(text: string, interval: Timeframe) {
    const spec = parseIndicator(text);
    this.#series = new IndicatorSeries(definitionOf(spec), spec.inputs);
    this.#kept = LATE_WINDOW_MS / TIMEFRAME_MS[interval] + 2;
  }

  get newest(): Bar | null {
    return this.#recent.at(-1)?.bar ?? null;
  }

  /** Returns whether the bar counts: one that is too old does not. */
  read(bar: Bar): boolean {
    let at = this.#recent.length;
    while (at > 0 && this.#recent[at - 1]!.bar.time >= bar.time) at--;
    const isOlder = at === 0 && this.#recent.length === this.#kept && this.#recent[0]!.bar.time > bar.time;
    if (!isOlder) this.#replace(at, bar);
    return !isOlder;
  }

  #replace(at: number, bar: Bar): void {
    const later = this.#recent.slice(at);
    later[0]?.before();
    this.#recent.length = at;
    this.#add(bar);
    for (const added of later) if (added.bar.time > bar.time) this.#add(added.bar);
  }

  #add(bar: Bar): void {
    const before = this.#series.save();
    this.values = [...this.#series.add(bar).values];
    this.#recent.push({ bar, before });
    if (this.#recent.length > this.#kept) this.#recent.shift();
  }
}

interface Line {
  /** The indicators that it is made of. */
  readonly texts: readonly string[];
  readonly stream: ValueStream;
  readonly read: () => number;
}

export class IndicatorLines {
  readonly #interval: Timeframe;
  readonly #indicators = new Map<string, Indicator>();
  readonly #lines = new Map<string, Line>();

  constructor(interval: Timeframe) {
    this.#interval = interval;
  }

  /** The newest bar; `null` before the first. */
  get newest(): Bar | null {
    let newest: Bar | null = null;
    for (const indicator of this.#indicators.values())
      if (indicator.newest && !(newest && newest.time >= indicator.newest.time)) newest = indicator.newest;
    return newest;
  }

  get looked(): number {
    let looked = 0;
    for (const { stream } of this.#lines.values()) looked += stream.looked;
    return looked;
  }

  /** No alert looks at the indicator any more. */
  drop(text: string): void {
    this.#indicators.delete(text);
    for (const [key, { texts }] of this.#lines) if (texts.includes(text)) this.#lines.delete(key);
  }

  /** The stream of a line or, with `other`, of its difference to another line. */
  line(of: LineName, other: LineName | null, history: readonly Bar[]): ValueStream {
    const names = [of, ...(other ? [other] : [])];
    const key = names.map(({ text, line }) => `${text}.${line}`).join('-');
    let line = this.#lines.get(key);
    if (!line) {
      const value = this.#reader(of, history);
      const compared = other && this.#reader(other, history);
      line = {
        texts: names.map(({ text }) => text),
        stream: new ValueStream(),
        read: compared ? () => value() - compared() : value,
      };
      line.stream.value = line.read();
      this.#lines.set(key, line);
    }
    return line.stream;
  }

  /** Sets the values of all lines. Returns whether the bar counts. */
  read(bar: Bar): boolean {
    let counts = false;
    for (const indicator of this.#indicators.values()) counts = indicator.read(bar) || counts;
    if (counts) for (const { stream, read } of this.#lines.values()) stream.value = read();
    return counts;
  }

  wake(): void {
    for (const { stream } of this.#lines.values()) stream.wake();
  }

  #reader({ text, line }: LineName, history: readonly Bar[]): () => number {
    let indicator = this.#indicators.get(text);
    if (!indicator) {
      indicator = new Indicator(text, this.#interval);
      for (const bar of history) indicator.read(bar);
      this.#indicators.set(text, indicator);
    }
    const found = indicator;
    return () => found.values[line] ?? Number.NaN;
  }
}

export interface LineName {
  /** The one text of the indicator. */
  readonly text: string;
  /** Position among its lines. */
  readonly line: number;
}

/** The line of an indicator; `null` if it has none of this name, or several and none is named. */
export function lineOf(text: string, name: string | undefined): LineName | null {
  const spec = parseIndicator(text);
  const { lines } = definitionOf(spec);
  const line = name === undefined ? (lines.length === 1 ? 0 : -1) : lines.indexOf(name);
  return line < 0 ? null : { text: spec.text, line };
}
