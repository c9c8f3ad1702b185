// Minutes of OANDA for a stretch of time, page by page: /v3/instruments/{name}/candles. Quirks:
// - A request for more than 5,000 candles is refused (400, "Maximum value for 'count' exceeded"); between two times it
//   counts the minutes, not the candles there are. Whether the one that begins at `to` belongs to it is written nowhere:
//   a page leaves room for it.
// - A `to` ahead of OANDA's clock is refused too (400, "Time is in the future"), be it by a second. So the newest page
//   names no end but a number.
// - Minutes without a price have no candle. The running minute comes with `complete: false`; by OANDA's clock it may be
//   the one before or after ours.
import type { Bar, EpochMs } from '@tickwire/engine';
import { asRecord } from '../venues/raw-values.ts';
import { getJson, type OandaAccess, OandaError, type OandaTiming } from './api.ts';
import { oandaMinute } from './mapper.ts';

const MINUTE_MS = 60_000;
const MAX_CANDLES = 5_000;
const PAGE_MS = (MAX_CANDLES - 1) * MINUTE_MS;
/** An end this near to our clock may lie ahead of theirs. */
const DOUBTFUL_MS = 5 * MINUTE_MS;

/** Minutes that begin in [from, to), ascending. Where that is up to now, the last is the one that still runs. */
export async function oandaMinutes(
  access: OandaAccess,
  name: string,
  span: { readonly from: EpochMs; readonly to: EpochMs; readonly now: number },
  timing: OandaTiming,
): Promise<Bar[]> {
  const bars: Bar[] = [];
  const end = wholeMinutes(Math.min(span.to, span.now));
  let at = wholeMinutes(Math.max(span.from, 0));
  while (at < end) {
    const pageEnd = Math.min(at + PAGE_MS, end);
    const limit = pageEnd > span.now - DOUBTFUL_MS ? `count=${MAX_CANDLES}` : `to=${instant(pageEnd)}`;
    const path = `/v3/instruments/${encodeURIComponent(name)}/candles?granularity=M1&price=B&from=${instant(at)}&${limit}`;
    for (const bar of minutesIn(await getJson(access, path, timing))) {
      // The venue owes order and limits, and is not believed: a minute that came before comes no second time.
      const before = bar.partial ? end + MINUTE_MS : pageEnd;
      if (bar.time >= at && bar.time < before && bar.time > (bars.at(-1)?.time ?? -1)) bars.push(bar);
    }
    at = pageEnd;
  }
  return bars;
}

function minutesIn(body: unknown): Bar[] {
  const candles = asRecord(body)?.candles;
  if (!Array.isArray(candles)) throw new OandaError('an answer without candles', null);
  return (candles as unknown[]).flatMap((candle) => {
    const bar = oandaMinute(candle);
    if (typeof bar === 'string') throw new OandaError(bar, null);
    return bar;
  });
}

const wholeMinutes = (ms: number): number => Math.ceil(ms / MINUTE_MS) * MINUTE_MS;
const instant = (ms: number): string => new Date(ms).toISOString();
