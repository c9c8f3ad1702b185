// A fake Binance with trades of 600 days, and the settings of a service that uses it.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '@tickwire/engine';
import { fakeBinance } from '../feeds/fake-binance.fixture.ts';
import { FakeVenue } from '../feeds/fake-venue.fixture.ts';

/** A trade each day, each hour of the last 30 days, and each third minute of the last 8. */
export function pastBinance(folder: string): { readonly fake: FakeVenue; readonly settings: Record<string, string> } {
  const now = Date.now();
  let time = now - 600 * DAY_MS;
  const fake = new FakeVenue(fakeBinance(), { now: () => time });
  for (const [until, step] of [
    [now - 30 * DAY_MS, DAY_MS],
    [now - 8 * DAY_MS, HOUR_MS],
    [now, 3 * MINUTE_MS],
  ] as const)
    for (; time < until; time += step) fake.tape.make('BTCUSDT', 1);
  time = now;
  const config = join(folder, 'tickwire.json');
  const binance = { ws_url: fake.wsUrl, rest_url: fake.restUrl, symbols: { BTCUSDT: 'BTCUSDT' } };
  writeFileSync(config, JSON.stringify({ venues: { binance } }));
  return { fake, settings: { feeds: 'binance', config } };
}
