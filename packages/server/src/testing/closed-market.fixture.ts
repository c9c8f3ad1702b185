// A market out of its hours, whatever the time of the test: a Saturday, with a quote that is fresh all the same.
import { asEpochMs, asSymbol } from '@tickwire/engine';
import { type BareApi, serveBareApi } from './bare-api.fixture.ts';
import { EURO } from './publisher.fixture.ts';

const SATURDAY = asEpochMs(Date.UTC(2026, 10, 14, 12));

export async function serveClosedMarket(): Promise<BareApi> {
  const api = await serveBareApi(() => SATURDAY);
  const [symbol, bid, ask] = EURO;
  const sizes = { bidSize: 0, askSize: 0, volume: 1 };
  api.journal.append([{ kind: 'clock', time: SATURDAY }]);
  api.journal.append([{ kind: 'tick', symbol: asSymbol(symbol), time: SATURDAY, bid, ask, ...sizes }], 'oanda');
  return api;
}
