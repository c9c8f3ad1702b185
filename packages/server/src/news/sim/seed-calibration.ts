// Fills the calibration of a new store with simulated markets: headlines of the last two weeks, which are a function of time, are
// scored and compared with what the simulated markets did after them. Nothing of it enters the feed. Which days are measured is
// decided at the first start. The work takes CPU seconds, so it begins when the calibration is read for the first time. It is done
// once, day by day from the newest, in short pieces with rests between them; after a restart the next read continues it.
import { CALIBRATION_HORIZONS } from '@tickwire/contract';
import { asEpochMs, DAY_MS, type InstrumentSpec, type MarketSymbol, MINUTE_MS } from '@tickwire/engine';
import type { Models } from '../../ai/models.ts';
import type { SimMarket } from '../../market/feeds/sim/sim-market.ts';
import type { MeasuredMove, NewsStore } from '../../store/news-store.ts';
import type { MarketStore } from '../../store/store.ts';
import { measuredInstrument } from '../calibration.ts';
import { type CuratedItem, Curator } from '../curation/curator.ts';
import { MAX_PRICE_AGE_MS, priceAt } from '../news-market.ts';
import { requestOf } from '../news-pipeline.ts';
import { type SimHeadline, SimHeadlines } from './headlines.ts';
import { rawOf } from './open-sim-news.ts';

/** Headlines of a day that are measured, evenly distributed. */
const MAX_PER_DAY = 96;
/** A day is generated in pieces of this length, about 6 ms of work each. */
const PIECE_MS = 15 * MINUTE_MS;
const REST_MS = 10;
const BATCH = 32;
const LAST_HORIZON_MS = CALIBRATION_HORIZONS.at(-1)! * MINUTE_MS;

/** Numbers in the store: the UTC days (since 1970) from which on all are done, and with which the work ends. */
const DONE_FROM = 'calibration_seed_done_from';
const FIRST_DAY = 'calibration_seed_first_day';

export interface SeedCalibrationOptions {
  readonly market: SimMarket;
  readonly instruments: readonly InstrumentSpec[];
  readonly models: Pick<Models, 'list' | 'score'>;
  readonly news: Pick<NewsStore, 'calibration' | 'putMeasured'>;
  readonly numbers: Pick<MarketStore, 'number' | 'setNumber'>;
  /** With the past of simulated markets. */
  readonly history: Pick<MarketStore, 'bars'>;
  readonly now: () => number;
  /** Days to measure. */
  readonly days: number;
  readonly signal: AbortSignal;
}

type PlanOptions = Pick<SeedCalibrationOptions, 'numbers' | 'now' | 'days'> & {
  readonly news: Pick<NewsStore, 'calibration'>;
};

/** Decides which days are measured: those before the first start. None if the store has measured moves already. */
export async function planSeed({ numbers, news, now, days }: PlanOptions): Promise<void> {
  if ((await numbers.number(FIRST_DAY)) !== undefined || (await news.calibration()).since !== null) return;
  const today = dayOf(now());
  await numbers.setNumber(DONE_FROM, today);
  await numbers.setNumber(FIRST_DAY, today - days);
}

/** Measures the planned days that are left. Returns the number of moves that were added. */
export async function seedCalibration(options: SeedCalibrationOptions): Promise<number> {
  const { market, numbers, news, now, signal } = options;
  await planSeed(options);
  const first = await numbers.number(FIRST_DAY);
  if (first === undefined) return 0;
  const headlines = new SimHeadlines(market);
  let added = 0;
  for (let day = ((await numbers.number(DONE_FROM)) ?? dayOf(now())) - 1; day >= first; day--) {
    const moves = await movesOfDay(day * DAY_MS, headlines, options);
    if (signal.aborted) break;
    await news.putMeasured(moves);
    await numbers.setNumber(DONE_FROM, day);
    added += moves.length;
  }
  return added;
}

async function movesOfDay(
  midnight: number,
  headlines: SimHeadlines,
  options: SeedCalibrationOptions,
): Promise<MeasuredMove[]> {
  const { instruments, models, signal } = options;
  for (let piece = midnight + PIECE_MS; piece <= midnight + DAY_MS; piece += PIECE_MS) {
    if (signal.aborted) return [];
    headlines.between(asEpochMs(midnight), asEpochMs(piece));
    await Bun.sleep(REST_MS);
  }
  const items = curated(instruments, headlines.between(asEpochMs(midnight), asEpochMs(midnight + DAY_MS)));
  // A language model would cost money and time.
  const local = models.list().find(({ kind }) => kind !== 'llm')?.id;
  const known: ReadonlySet<MarketSymbol> = new Set(instruments.map(({ symbol }) => symbol));
  const moves: MeasuredMove[] = [];
  for (let at = 0; at < items.length; at += BATCH) {
    if (signal.aborted) return [];
    const batch = items.slice(at, at + BATCH);
    const requests = batch.map((item) => requestOf(item, measuredInstrument(item, known)));
    const scores = await models.score(requests, { model: local, signal });
    for (const [index, item] of batch.entries()) {
      const { model, sentiment } = scores[index]!;
      for (const move of await movesAfter(item, requests[index]!.symbol, options))
        moves.push({ ...move, model, sentiment });
    }
    await Bun.sleep(REST_MS);
  }
  return moves;
}

/** As the feed has them: duplicates are left out, and each has its category and instruments. */
function curated(instruments: readonly InstrumentSpec[], headlines: readonly SimHeadline[]): CuratedItem[] {
  const curator = new Curator({ instruments });
  const items = headlines.flatMap((headline) => {
    const taken = curator.take(rawOf(headline, headline.time));
    return taken.kind === 'new' ? [taken.item] : [];
  });
  const every = Math.max(1, Math.ceil(items.length / MAX_PER_DAY));
  return items.filter((_, index) => index % every === 0);
}

/** The rules of calibration.ts, for an item that was seen when it was published. */
async function movesAfter(
  { id, seenAt, category }: CuratedItem,
  symbol: MarketSymbol | null,
  { history }: SeedCalibrationOptions,
): Promise<Omit<MeasuredMove, 'model' | 'sentiment'>[]> {
  if (symbol === null) return [];
  const [from, to] = [seenAt - MAX_PRICE_AGE_MS - MINUTE_MS, seenAt + LAST_HORIZON_MS];
  const bars = await history.bars({ symbol, timeframe: '1m', from, to, limit: 1_000, first: 'oldest' });
  const before = priceAt(bars, seenAt);
  return CALIBRATION_HORIZONS.map((horizonMinutes) => {
    const after = priceAt(bars, seenAt + horizonMinutes * MINUTE_MS);
    const percent = before === null || after === null ? null : ((after - before) / before) * 100;
    return { id, horizonMinutes, symbol, seenAt, category, percent };
  });
}

const dayOf = (time: number): number => Math.floor(time / DAY_MS);
