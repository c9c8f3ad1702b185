// The headlines of the simulated markets, as a pure function of the market and the time. Each UTC day is written from its
// beginning, so that nothing is told twice, and knows nothing of other days: whoever asks for a time, and whenever, gets
// the same.
import type { NewsCategory } from '@tickwire/contract';
import { asEpochMs, type EpochMs } from '@tickwire/engine';
import type { SimMarket } from '../../feeds/sim/market.ts';
import { keyed, keyedByName, scramble, uniform } from '../../feeds/sim/noise.ts';
import { Fold } from '../curation/fold.ts';
import { CATEGORY_OF_TYPE } from '../curation/topics.ts';
import { AFTER_MINUTES, AHEAD_MINUTES, type Release, releasesOf } from './calendar.ts';
import { type Extremes, Reporter } from './reporter.ts';
import type { Story } from './story.ts';
import { wordings } from './wording.ts';

const MINUTE = 60_000;
const DAY_MINUTES = 1440;
/** The share of minutes in which something is told, where there is something. */
const SHARE = 0.5;
/** An instrument is not told of again within so many minutes. */
const REST_MINUTES = 25;
const DOLLAR_EVERY = 97;

export interface SimHeadline {
  /** The same for the same headline, whoever writes it. */
  readonly guid: string;
  readonly time: EpochMs;
  readonly title: string;
  readonly category: NewsCategory;
  readonly story: Story;
}

export class SimHeadlines {
  readonly #market: SimMarket;
  readonly #reporter: Reporter;
  /** Days that were asked for last. */
  #days: Day[] = [];

  constructor(market: SimMarket) {
    this.#market = market;
    this.#reporter = new Reporter(market);
  }

  /** from ≤ time < to, in the order of time. */
  between(from: EpochMs, to: EpochMs): SimHeadline[] {
    const headlines: SimHeadline[] = [];
    for (let day = dayOf(from); day <= dayOf(to - 1); day++) {
      for (const headline of this.#day(day).until(to)) if (headline.time >= from) headlines.push(headline);
    }
    return headlines;
  }

  #day(number: number): Day {
    let day = this.#days.find((each) => each.number === number);
    if (!day) {
      day = new Day(this.#market, this.#reporter, number);
      this.#days = [...this.#days.slice(-1), day];
    }
    return day;
  }
}

const dayOf = (time: number): number => Math.floor(time / MINUTE / DAY_MINUTES);

class Day {
  readonly number: number;
  readonly #reporter: Reporter;
  readonly #key: number;
  readonly #releases: readonly Release[];
  readonly #extremes: Extremes;
  readonly #told = new Map<string, number>();
  readonly #fold = new Fold();
  readonly #headlines: SimHeadline[] = [];
  /** Of the day, the next to be written. */
  #minute = 0;

  constructor(market: SimMarket, reporter: Reporter, number: number) {
    this.number = number;
    this.#reporter = reporter;
    this.#key = keyedByName(market.options.seed, 'news');
    this.#releases = releasesOf(this.#key, number);
    const { length } = market.model.instruments;
    this.#extremes = {
      highs: new Float64Array(length).fill(Number.NEGATIVE_INFINITY),
      lows: new Float64Array(length).fill(Number.POSITIVE_INFINITY),
    };
  }

  /** Those before a time. */
  until(time: number): SimHeadline[] {
    const last = Math.min(DAY_MINUTES, Math.ceil(time / MINUTE) - this.number * DAY_MINUTES);
    for (; this.#minute < last; this.#minute++) this.#write(this.number * DAY_MINUTES + this.#minute);
    return this.#headlines.filter((headline) => headline.time < time);
  }

  #write(minute: number): void {
    const draw = keyed(this.#key, minute);
    const time = minute * MINUTE + ((scramble(draw) >>> 0) % 60) * 1000;
    const scheduled = this.#scheduled(minute % DAY_MINUTES, time);
    if (scheduled) this.#publish(scheduled, 'macro', time, draw);
    else if (uniform(draw) < SHARE && !this.#tellDollar(minute, time, draw)) this.#tellInstrument(minute, time, draw);
    // Afterwards: a new extreme is one of all minutes before.
    const row = this.#reporter.grid.at(minute);
    for (let index = 0; index < row.length; index++) {
      this.#extremes.highs[index] = Math.max(this.#extremes.highs[index]!, row[index]!);
      this.#extremes.lows[index] = Math.min(this.#extremes.lows[index]!, row[index]!);
    }
  }

  #scheduled(minuteOfDay: number, time: number): Story | null {
    for (const { name, clock, minute } of this.#releases) {
      if (minuteOfDay === minute - AHEAD_MINUTES)
        return { kind: 'ahead', release: name, clock, minutes: AHEAD_MINUTES };
      if (minuteOfDay !== minute + AFTER_MINUTES) continue;
      const percent = this.#reporter.dollarPercent(time, AFTER_MINUTES);
      if (Math.abs(percent) >= 0.01) return { kind: 'after', release: name, minutes: AFTER_MINUTES, percent };
    }
    return null;
  }

  #tellDollar(minute: number, time: number, draw: number): boolean {
    if (minute % DOLLAR_EVERY > 1) return false;
    const story = this.#reporter.dollar(time, 60);
    return story !== null && this.#publish(story, 'forex', time, draw);
  }

  #tellInstrument(minute: number, time: number, draw: number): void {
    for (const { symbol, tell } of this.#reporter.leads(minute, this.#extremes)) {
      if (minute - (this.#told.get(symbol) ?? Number.NEGATIVE_INFINITY) < REST_MINUTES) continue;
      const story = tell(time);
      if (!story) continue;
      if (!this.#publish(story, CATEGORY_OF_TYPE[story.instrument.spec.type], time, draw)) continue;
      this.#told.set(symbol, minute);
      return;
    }
  }

  /** In the first wording, from one that is drawn on, that is no repetition of something told today. */
  #publish(story: Story, category: NewsCategory, time: number, draw: number): boolean {
    const titles = wordings(story, time, this.number % 2 === 1);
    const symbols = 'instrument' in story ? [story.instrument.spec.symbol] : [];
    for (let turn = 0; turn < titles.length; turn++) {
      const title = titles[((scramble(draw + 1) >>> 0) + turn) % titles.length]!;
      const guid = `sim-${time}`;
      const at = asEpochMs(time);
      const item = { id: guid, title, source: 'sim', symbols, publishedAt: at, seenAt: at };
      if (this.#fold.find(item)) continue;
      this.#fold.put(item);
      this.#headlines.push({ guid, time: at, title, category, story });
      return true;
    }
    return false;
  }
}
