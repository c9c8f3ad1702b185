// Provokes the errors of adding instruments of venues.
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { asSymbol } from '@tickwire/engine';
import { openSqliteStore } from '../src/store/sqlite/open-sqlite-store.ts';
import { fakeBinance } from './feeds/fake-binance.fixture.ts';
import { FakeVenue } from './feeds/fake-venue.fixture.ts';
import { LISTED_VENUES, settingsFor } from './feeds/listed-venues.fixture.ts';
import { startService, temporaryFolder } from './service.fixture.ts';

interface Provoked {
  readonly response: Response;
}

/** Asks a service with a fake Binance to add a symbol. `stored`: instruments that were added before. */
async function adding(symbol: string, { venue = 'binance', stored = 0, isBlocked = false } = {}): Promise<Provoked> {
  const folder = temporaryFolder();
  const data = join(folder, 'data');
  await using fake = new FakeVenue(fakeBinance(['BTCUSDT', 'ATOMUSDT']));
  await using store = openSqliteStore({ folder: data, realm: 'live', exclusive: false });
  for (let count = 0; count < stored; count++) {
    const venueSymbol = `COIN${count}USDT`;
    const listing = {
      venueSymbol,
      symbol: venueSymbol,
      name: 'Coin',
      type: 'crypto',
      digits: 2,
      quoteCurrency: 'USDT',
    };
    await store.market.addInstrument({
      ...{ symbol: asSymbol(venueSymbol), venue: 'binance', listing: JSON.stringify(listing), addedAt: count },
    });
  }
  await store.close();
  const service = await startService({ ...settingsFor(LISTED_VENUES[0]!, fake, folder), data });
  if (isBlocked) fake.outage = 'blocked region';
  const { key } = await service.key('premium', ['admin']);
  const response = await fetch(`${service.url}/api/instruments`, {
    method: 'POST',
    headers: { 'X-API-Key': key, 'Content-Type': 'application/json' },
    body: JSON.stringify({ venue, symbol }),
  });
  const body = await response.text();
  await service.stop();
  rmSync(folder, { recursive: true, force: true });
  return { response: new Response(body, response) };
}

export const VENUE_ERRORS = {
  venue_not_found: () => adding('ATOMUSDT', { venue: 'nosuch' }),
  venue_unavailable: () => adding('ATOMUSDT', { isBlocked: true }),
  instrument_exists: () => adding('BTCUSDT'),
  too_many_instruments: () => adding('ATOMUSDT', { stored: 300 }),
} as const;
