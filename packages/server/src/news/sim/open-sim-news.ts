// Simulated headlines as a news source. Curation recognizes those that were delivered before by their guid.
import { asEpochMs, DAY_MS, MINUTE_MS } from '@tickwire/engine';
import { SimSource } from '../../documents/sim-source.ts';
import { SIM_SOURCE, type Source } from '../../documents/source.ts';
import type { SimMarket } from '../../market/feeds/sim/sim-market.ts';
import type { Log } from '../../ops/log.ts';
import type { RawItem, TakeNews } from '../news-source.ts';
import { type SimHeadline, SimHeadlines } from './headlines.ts';

/** At most the last day is delivered, after a start or a sleep of the machine. */
const CATCH_UP_MS = DAY_MS;
const CATCH_UP_ITEMS = 100;
/** Days are generated in pieces of this length; the event loop runs between them. */
const PIECE_MS = 15 * MINUTE_MS;

export interface OpenSimNewsOptions {
  readonly market: SimMarket;
  readonly take: TakeNews;
  readonly now: () => number;
  readonly log: Log;
}

export function openSimNews({ market, take, now, log }: OpenSimNewsOptions): Source {
  const headlines = new SimHeadlines(market);
  return new SimSource({
    what: 'simulated headlines',
    now,
    log,
    async deliver(since, time, isStopped) {
      const found = await newest(headlines, Math.max(since, time - CATCH_UP_MS), time, isStopped);
      if (isStopped() || found.length === 0) return null;
      take(found.map((headline) => rawOf(headline, time)));
      return { items: found.length, lastItemAt: found.at(-1)!.time };
    },
  });
}

/** Goes backwards day by day: each day is generated from its start, and the last one may have enough headlines. */
async function newest(
  headlines: SimHeadlines,
  from: number,
  to: number,
  isStopped: () => boolean,
): Promise<SimHeadline[]> {
  let found: SimHeadline[] = [];
  for (let until = to; until > from && found.length < CATCH_UP_ITEMS; ) {
    const midnight = Math.floor((until - 1) / DAY_MS) * DAY_MS;
    const long = until - Math.max(from, midnight) > PIECE_MS;
    for (let piece = midnight + PIECE_MS; long && piece < until; piece += PIECE_MS) {
      if (isStopped()) return [];
      headlines.between(asEpochMs(midnight), asEpochMs(piece));
      await new Promise((resolve) => setTimeout(resolve, 0));
    }
    const start = Math.ceil(Math.max(from, midnight));
    found = [...headlines.between(asEpochMs(start), asEpochMs(Math.ceil(until))), ...found];
    until = midnight;
  }
  return found.slice(-CATCH_UP_ITEMS);
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
