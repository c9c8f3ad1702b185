// Headlines of the simulated markets, as a pure function of the market and the time. Each UTC day is generated from its
// start, so that nothing is repeated, and independently of other days: every call for the same time gives the same result.
import type { NewsCategory } from '@tickwire/contract';
import { asEpochMs, DAY_MS, type EpochMs, MINUTE_MS, SECOND_MS } from '@tickwire/engine';
import { CATEGORY_OF_TYPE } from '../../ai/scorer.ts';
import { AFTER_MINUTES, AHEAD_MINUTES, type Release, releasesOf } from '../../calendar/sim/release-calendar.ts';
import { type Noise, uniform } from '../../market/feeds/sim/noise.ts';
import type { SimMarket } from '../../market/feeds/sim/sim-market.ts';
import { NearDuplicateIndex } from '../curation/near-duplicates.ts';
import { headlineTexts } from './headline-templates.ts';
import type { Story } from './story.ts';
import { type Extremes, StoryFinder } from './story-finder.ts';

const DAY_MINUTES = DAY_MS / MINUTE_MS;
/** Share of the minutes that have a headline, if there is a story. */
const SHARE = 0.5;
/** Minimum distance of two headlines on one instrument. */
const COOLDOWN_MINUTES = 25;
const DOLLAR_EVERY_MINUTES = 97;

export interface SimHeadline {
  /** The same for the same headline in every run. */
  readonly guid: string;
  readonly time: EpochMs;
  readonly title: string;
  readonly category: NewsCategory;
  readonly story: Story;
}

export class SimHeadlines {
  readonly #market: SimMarket;
  readonly #finder: StoryFinder;
  /** The two days that were requested last. */
  #days: Day[] = [];

  constructor(market: SimMarket) {
    this.#market = market;
    this.#finder = new StoryFinder(market);
  }

  /** Headlines with from ≤ time < to, in order of time. */
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
      day = new Day(this.#market, this.#finder, number);
      this.#days = [...this.#days.slice(-1), day];
    }
    return day;
  }
}

const dayOf = (time: number): number => Math.floor(time / MINUTE_MS / DAY_MINUTES);

class Day {
  readonly number: number;
  readonly #finder: StoryFinder;
  readonly #noise: Noise;
  readonly #releases: readonly Release[];
  readonly #extremes: Extremes;
  readonly #lastMinutes = new Map<string, number>();
  readonly #published = new NearDuplicateIndex();
  readonly #headlines: SimHeadline[] = [];
  /** Minute of the day that is generated next. */
  #minute = 0;

  constructor(market: SimMarket, finder: StoryFinder, number: number) {
    this.number = number;
    this.#finder = finder;
    this.#noise = market.model.newsNoise;
    this.#releases = releasesOf(this.#noise, number);
    const { length } = market.model.instruments;
    this.#extremes = {
      highs: new Float64Array(length).fill(Number.NEGATIVE_INFINITY),
      lows: new Float64Array(length).fill(Number.POSITIVE_INFINITY),
    };
  }

  /** Headlines before a time. */
  until(time: number): SimHeadline[] {
    const last = Math.min(DAY_MINUTES, Math.ceil(time / MINUTE_MS) - this.number * DAY_MINUTES);
    for (; this.#minute < last; this.#minute++) this.#generate(this.number * DAY_MINUTES + this.#minute);
    return this.#headlines.filter((headline) => headline.time < time);
  }

  #generate(minute: number): void {
    const { a, b, c: text } = this.#noise.draw(minute);
    const time = minute * MINUTE_MS + ((b >>> 0) % 60) * SECOND_MS;
    const scheduled = this.#scheduled(minute % DAY_MINUTES, time);
    if (scheduled) this.#publish(scheduled, 'macro', time, text);
    else if (uniform(a) < SHARE && !this.#publishDollar(minute, time, text))
      this.#publishInstrument(minute, time, text);
    // After the headline: a new extreme is compared with all earlier minutes.
    const row = this.#finder.prices.at(minute);
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
      const percent = this.#finder.dollarPercent(time, AFTER_MINUTES);
      if (Math.abs(percent) >= 0.01) return { kind: 'after', release: name, minutes: AFTER_MINUTES, percent };
    }
    return null;
  }

  #publishDollar(minute: number, time: number, text: number): boolean {
    if (minute % DOLLAR_EVERY_MINUTES > 1) return false;
    const story = this.#finder.dollar(time, 60);
    return story !== null && this.#publish(story, 'forex', time, text);
  }

  #publishInstrument(minute: number, time: number, text: number): void {
    for (const { symbol, create } of this.#finder.candidates(minute, this.#extremes)) {
      if (minute - (this.#lastMinutes.get(symbol) ?? Number.NEGATIVE_INFINITY) < COOLDOWN_MINUTES) continue;
      const story = create(time);
      if (!story) continue;
      if (!this.#publish(story, CATEGORY_OF_TYPE[story.instrument.spec.type], time, text)) continue;
      this.#lastMinutes.set(symbol, minute);
      return;
    }
  }

  /** Uses the first text, from a random one on, that does not repeat a headline of the day. */
  #publish(story: Story, category: NewsCategory, time: number, text: number): boolean {
    const titles = headlineTexts(story, time, this.number % 2 === 1);
    const symbols = 'instrument' in story ? [story.instrument.spec.symbol] : [];
    for (let turn = 0; turn < titles.length; turn++) {
      const title = titles[((text >>> 0) + turn) % titles.length]!;
      const guid = `sim-${time}`;
      const at = asEpochMs(time);
      const item = { id: guid, title, source: 'sim', account: null, symbols, publishedAt: at, seenAt: at };
      if (this.#published.find(item)) continue;
      this.#published.put(item);
      this.#headlines.push({ guid, time: at, title, category, story });
      return true;
    }
    return false;
  }
}
