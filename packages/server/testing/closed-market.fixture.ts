// Markets in which no signal can be published, whatever the time of the test: closed with a fresh quote, or open without one.
import { asEpochMs, asSymbol, type EpochMs } from '@tickwire/engine';
import { type BareApi, serveBareApi } from './bare-api.fixture.ts';
import { EURO } from './publisher.fixture.ts';

const SATURDAY = asEpochMs(Date.UTC(2026, 10, 14, 12));
const TUESDAY = asEpochMs(Date.UTC(2026, 10, 10, 12));

export const serveClosedMarket = (): Promise<BareApi> => serveMarket(SATURDAY, SATURDAY);

/** An open market with a silent source: its last quote is 61 seconds old. */
export const serveQuietMarket = (): Promise<BareApi> => serveMarket(TUESDAY, asEpochMs(TUESDAY - 61_000));

async function serveMarket(now: EpochMs, time: EpochMs): Promise<BareApi> {
  const api = await serveBareApi({ now: () => now });
  const [symbol, bid, ask] = EURO;
  const sizes = { bidSize: 0, askSize: 0, volume: 1 };
  api.journal.append([{ kind: 'clock', time: now }]);
  api.journal.append([{ kind: 'tick', symbol: asSymbol(symbol), time, bid, ask, ...sizes }], 'oanda');
  return api;
}
