// Simulated headlines as a news source. They are a function of time: a restart generates the same ones, which curation
// recognizes by their guid, and catches up on those of the downtime.
import { asEpochMs, DAY_MS, MINUTE_MS, SECOND_MS } from '@tickwire/engine';
import type { SimMarket } from '../../market/feeds/sim/sim-market.ts';
import type { NewsSource, NewsSourceStatus, RawItem, TakeNews } from '../news-source.ts';
import { type SimHeadline, SimHeadlines } from './headlines.ts';

export const SIM_SOURCE = 'Simulated Wire';
const STEP_MS = SECOND_MS;
/** Making the first headlines takes a while: a service that has just started answers its first requests before that. */
const FIRST_STEP_MS = 100;
const CATCH_UP_MS = DAY_MS;
const CATCH_UP_ITEMS = 200;
/** Days are generated in pieces of this length; the event loop runs between them. */
const PIECE_MS = 15 * MINUTE_MS;

export interface OpenSimNewsOptions {
  readonly market: SimMarket;
  readonly take: TakeNews;
  readonly now: () => number;
}

export const openSimNews = (options: OpenSimNewsOptions): NewsSource => new SimNews(options);

class SimNews implements NewsSource {
  readonly #options: OpenSimNewsOptions;
  readonly #headlines: SimHeadlines;
  #timer: ReturnType<typeof setTimeout> | null = null;
  #state: NewsSourceStatus['state'] = 'starting';
  #lastItemAt = 0;
  #at = 0;
  #stepping: Promise<void> | null = null;
  #items = 0;

  constructor(options: OpenSimNewsOptions) {
    this.#options = options;
    this.#headlines = new SimHeadlines(options.market);
  }

  start(): void {
    if (this.#timer) return;
    this.#state = 'ok';
    this.#timer = setTimeout(() => {
      this.#timer = setInterval(() => void this.#step(), STEP_MS);
      void this.#step();
    }, FIRST_STEP_MS);
  }

  async stop(): Promise<void> {
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = null;
    this.#state = 'stopped';
    await this.#stepping;
  }

  statuses(): readonly NewsSourceStatus[] {
    return [
      {
        name: SIM_SOURCE,
        url: null,
        state: this.#state,
        lastItemAt: this.#lastItemAt,
        lastPollAt: this.#at,
        unchanged: 0,
        items: this.#items,
        failures: 0,
        lastError: null,
      },
    ];
  }

  /** One step at a time: the first one may take longer than a second. */
  #step(): Promise<void> {
    this.#stepping ??= this.#deliver().finally(() => {
      this.#stepping = null;
    });
    return this.#stepping;
  }

  /** Delivers everything since the last step, but at most the last day (after a start or a sleep of the machine). */
  async #deliver(): Promise<void> {
    const now = this.#options.now();
    if (now <= this.#at) return;
    const headlines = await this.#newest(Math.max(this.#at, now - CATCH_UP_MS), now);
    if (this.#state === 'stopped') return;
    this.#at = now;
    if (headlines.length === 0) return;
    this.#items += headlines.length;
    this.#lastItemAt = headlines.at(-1)!.time;
    this.#options.take(headlines.map((headline) => rawOf(headline, now)));
  }

  /** Goes backwards day by day: each day is generated from its start, and the last one may have enough headlines. */
  async #newest(from: number, to: number): Promise<SimHeadline[]> {
    let found: SimHeadline[] = [];
    for (let until = to; until > from && found.length < CATCH_UP_ITEMS; ) {
      const midnight = Math.floor((until - 1) / DAY_MS) * DAY_MS;
      const long = until - Math.max(from, midnight) > PIECE_MS;
      for (let piece = midnight + PIECE_MS; long && piece < until; piece += PIECE_MS) {
        if (this.#state === 'stopped') return [];
        this.#headlines.between(asEpochMs(midnight), asEpochMs(piece));
        await new Promise((resolve) => setTimeout(resolve, 0));
      }
      const start = Math.ceil(Math.max(from, midnight));
      found = [...this.#headlines.between(asEpochMs(start), asEpochMs(Math.ceil(until))), ...found];
      until = midnight;
    }
    return found.slice(-CATCH_UP_ITEMS);
  }
}

export const rawOf = ({ guid, time, title, category }: SimHeadline, now: number): RawItem => ({
  source: SIM_SOURCE,
  account: null,
  category,
  weight: 1,
  guid,
  url: null,
  title,
  summary: null,
  publishedAt: time,
  seenAt: asEpochMs(now),
});
