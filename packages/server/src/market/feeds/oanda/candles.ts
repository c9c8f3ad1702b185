// Past minutes from OANDA, page by page: /v3/instruments/{name}/candles. Quirks:
// - A request for more than 5,000 candles is refused (400, "Maximum value for 'count' exceeded"). Between two times it
//   counts minutes, not existing candles. The documentation does not say whether a candle that starts at `to` is included,
//   so a page leaves room for it.
// - A `to` ahead of OANDA's clock is refused too (400, "Time is in the future"), even by a second. So the newest page has a
//   count instead of an end.
// - Minutes without a price have no candle. The running minute has `complete: false`; by OANDA's clock it may be the minute
//   before or after ours.
import { iso } from '@tickwire/contract';
import { type Bar, type EpochMs, MINUTE_MS } from '@tickwire/engine';
import { asRecord } from '../raw-values.ts';
import { oandaMinute } from './mapper.ts';
import { getOandaJson, type OandaAccess, OandaError, type OandaTiming } from './oanda-client.ts';

const MAX_CANDLES = 5_000;
const PAGE_MS = (MAX_CANDLES - 1) * MINUTE_MS;
/** An end this close to our clock may be ahead of OANDA's. */
const CLOCK_TOLERANCE_MS = 5 * MINUTE_MS;

/** Minutes with `from` ≤ start < `to`, ascending. If `to` is now, the last one is the running minute. */
export async function fetchOandaMinutes(
  access: OandaAccess,
  name: string,
  range: { readonly from: EpochMs; readonly to: EpochMs; readonly now: number },
  timing: OandaTiming,
): Promise<Bar[]> {
  const bars: Bar[] = [];
  const end = nextMinute(Math.min(range.to, range.now));
  let at = nextMinute(Math.max(range.from, 0));
  while (at < end) {
    const pageEnd = Math.min(at + PAGE_MS, end);
    const limit = pageEnd > range.now - CLOCK_TOLERANCE_MS ? `count=${MAX_CANDLES}` : `to=${iso(pageEnd)}`;
    const path = `/v3/instruments/${encodeURIComponent(name)}/candles?granularity=M1&price=B&from=${iso(at)}&${limit}`;
    for (const bar of minutesIn(await getOandaJson(access, path, timing))) {
      // Order and range are not taken on trust, and no minute is returned twice.
      const before = bar.partial ? end + MINUTE_MS : pageEnd;
      if (bar.time >= at && bar.time < before && bar.time > (bars.at(-1)?.time ?? -1)) bars.push(bar);
    }
    at = pageEnd;
  }
  return bars;
}

function minutesIn(body: unknown): Bar[] {
  const candles = asRecord(body)?.candles;
  if (!Array.isArray(candles)) throw new OandaError('response without candles');
  return (candles as unknown[]).map((candle) => {
    const bar = oandaMinute(candle);
    if (typeof bar === 'string') throw new OandaError(bar);
    return bar;
  });
}

const nextMinute = (ms: number): number => Math.ceil(ms / MINUTE_MS) * MINUTE_MS;
