// The answer of `/api/news/calibration`: how often the market moved as the labels of news said. It is cached for a short time.
import { isoOrNull, type NewsCalibration, type NewsCategory, type NewsLabelCalibration } from '@tickwire/contract';
import { MINUTE_MS, roundTo, wilsonInterval } from '@tickwire/engine';
import { PUBLISHED_CALIBRATION } from '@tickwire/sentiment';
import { withStoreErrors } from '../errors/store-error.ts';
import type { NewsStore } from '../store/news-store.ts';

/** How long a report is cached. Moves are measured once a minute, so a new one has nothing more. */
const CALIBRATION_MS = MINUTE_MS;
/** Of the built-in model. */
const LABEL_CALIBRATION = PUBLISHED_CALIBRATION.categories.map(
  ({ category, temperature, leastConfidence, development, blind }): NewsLabelCalibration => ({
    model: PUBLISHED_CALIBRATION.model,
    category: category as NewsCategory,
    temperature,
    least_confidence: leastConfidence,
    chosen_on: development.count,
    measured_on: blind.count,
    accuracy: blind.accuracy,
    expected_error: blind.expectedError,
    brier_score: blind.brier,
    bins: blind.bins.map(({ from, to, count, confidence, accuracy }) => ({
      from,
      to,
      headlines: count,
      confidence: confidence!,
      accuracy: accuracy!,
    })),
  }),
);
const DIGITS = 4;
const EMPTY_LIST = '{"items":[],';

export class CalibrationReport {
  readonly #store: Pick<NewsStore, 'calibration'>;
  #cached: { readonly at: number; readonly text: Promise<string> } | null = null;

  constructor(store: Pick<NewsStore, 'calibration'>) {
    this.#store = store;
  }

  at(now: number): Promise<string> {
    const cached = this.#cached;
    if (cached && now - cached.at < CALIBRATION_MS) return cached.text;
    const text = this.#make();
    this.#cached = { at: now, text };
    const forget = (): void => {
      this.#cached = null;
    };
    // The figures of a new store begin to appear within seconds.
    text.then((json) => json.startsWith(EMPTY_LIST) && forget(), forget);
    return text;
  }

  async #make(): Promise<string> {
    const { rows, since } = await withStoreErrors(() => this.#store.calibration());
    const response: NewsCalibration = {
      items: rows.map(({ model, category, sentiment, horizonMinutes, items, hits, averagePercent }) => {
        const [low, high] = wilsonInterval(hits, items);
        return {
          model,
          category,
          sentiment,
          horizon_minutes: horizonMinutes as 15 | 60 | 240,
          items,
          hits,
          hit_rate: roundTo(hits / items, DIGITS),
          hit_rate_low: roundTo(low, DIGITS),
          hit_rate_high: roundTo(high, DIGITS),
          average_move_percent: averagePercent === null ? null : roundTo(averagePercent, DIGITS),
        };
      }),
      count: rows.length,
      since: isoOrNull(since),
      labels: LABEL_CALIBRATION,
    };
    return JSON.stringify(response);
  }
}
