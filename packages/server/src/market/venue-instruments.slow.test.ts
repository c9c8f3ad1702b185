// An instrument from the list of each venue, from the request to everything that knows it.
import { expect, test } from 'bun:test';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { type BarsPage, Instrument, type InstrumentList, VenueInstrumentList } from '@tickwire/contract';
import { HOUR_MS } from '@tickwire/engine';
import { startWatch } from '../../testing/event-loop.fixture.ts';
import { FakeVenue } from '../../testing/feeds/fake-venue.fixture.ts';
import { LISTED_VENUES, settingsFor } from '../../testing/feeds/listed-venues.fixture.ts';
import { eventually } from '../../testing/process.fixture.ts';
import { startService, temporaryFolder } from '../../testing/service.fixture.ts';
import { isData, StreamClient } from '../../testing/stream-client.fixture.ts';

/** Requests are limited. */
const soon = (what: string, check: () => Promise<boolean>): Promise<void> =>
  eventually(what, async () => {
    await Bun.sleep(200);
    return check();
  });

test.each(LISTED_VENUES)('adds an instrument of $name while its others stream on', async (venue) => {
  const { configured, known, listed, added, spelled } = venue;
  const folder = temporaryFolder();
  let time = Date.now() - 3 * HOUR_MS;
  await using fake = new FakeVenue(venue.protocol(), { now: () => time });
  for (; time < Date.now() - HOUR_MS; time += HOUR_MS / 2) fake.tape.make(listed, 1);
  time = Date.now();
  const clock = setInterval(() => {
    time = Date.now();
  }, 1);
  const settings = { ...settingsFor(venue, fake, folder), data: join(folder, 'data') };
  let service = await startService(settings);
  const { key } = await service.key('premium', ['read', 'admin', 'publish', 'alerts']);
  const headers = { 'X-API-Key': key, 'Content-Type': 'application/json' };
  const get = async <T>(path: string) => (await (await fetch(service.url + path, { headers })).json()) as T;
  const symbols = async () => (await get<InstrumentList>('/api/symbols')).items.map(({ symbol }) => symbol);
  const post = (path: string, body: object) =>
    fetch(service.url + path, { method: 'POST', headers, body: JSON.stringify(body) });
  const add = (symbol: string) => post('/api/instruments', { venue: venue.name, symbol });
  await eventually('the venue is connected', () => fake.clients >= 1);
  const flow = await StreamClient.open(`${service.wsUrl}/ws/orderflow`, key);
  await flow.ask({ action: 'subscribe', symbols: [known] });
  const sent = { count: 0 };
  const market = setInterval(() => {
    sent.count += fake.trade(configured, 3).length;
    fake.quote(configured);
    fake.trade(listed, 1);
    fake.quote(listed);
  }, 10);
  await flow.next(isData);

  const found = await get<VenueInstrumentList>(`/api/venues/all/instruments?q=${encodeURIComponent(added)}`);
  expect(VenueInstrumentList.parse(found)).toStrictEqual(found);
  expect(found.items[0]).toMatchObject({ venue: venue.name, symbol: added, added: false });
  const before = await fetch(`${service.url}/api/symbols`, { headers });
  const response = await add(listed);
  const created = (await response.json()) as Instrument;
  expect([response.status, created.symbol]).toEqual([201, added]);
  expect(Instrument.parse(created)).toStrictEqual(created);
  const again = await add(added);
  expect([again.status, await again.json()]).toMatchObject([409, { code: 'instrument_exists' }]);
  const after = await fetch(`${service.url}/api/symbols`, {
    headers: { ...headers, 'If-None-Match': before.headers.get('etag')! },
  });
  expect([after.status, await symbols()]).toEqual([200, [known, added]]);

  const ticks = await StreamClient.open(`${service.wsUrl}/ws/market`, key);
  expect(await ticks.ask({ action: 'subscribe', symbols: [spelled] })).toMatchObject({ symbols: [added] });
  const passed = startWatch();
  expect(await ticks.next(isData)).toMatchObject({ symbol: added });
  expect(passed()).toBeLessThan(5_000);
  // Everything that works with instruments knows it.
  const condition = { type: 'move', percent: 0.0001, direction: 'either', minutes: 1 };
  const alert = await post('/api/alerts', { symbol: spelled, condition });
  const { id } = (await alert.json()) as { id: string };
  await soon('the alert fires', async () => (await get<{ fired: number }>(`/api/alerts/${id}`)).fired > 0);
  const order = { symbol: spelled, direction: 'buy', order: 'market', stop_loss: 40_000, take_profit: 80_000 };
  const signal = await post('/api/signals', order);
  expect([signal.status, await signal.json()]).toMatchObject([201, { symbol: added }]);
  expect(await get(`/udf/symbols?symbol=${encodeURIComponent(spelled)}`)).toMatchObject({ name: added });
  const both = await StreamClient.open(`${service.wsUrl}/ws`, key);
  for (const channel of ['bars', 'footprint'])
    expect(await both.ask({ action: 'subscribe', channel, symbols: [added], timeframe: '1m' })).toMatchObject({
      event: 'subscribed',
      rejected: [],
    });
  expect(await both.next((message) => isData(message) && message.channel === 'bars')).toMatchObject({ symbol: added });
  both.close();
  // One more: its connection takes the place of the first one.
  const [third] = (await get<VenueInstrumentList>('/api/venues/all/instruments?q=near')).items;
  expect((await add(third!.symbol)).status).toBe(201);
  await soon('the third has a quote', async () => {
    fake.quote(venue.third);
    return hasBid(await get(`/api/market/${third!.symbol}/quote`));
  });
  const page = () => get<BarsPage>(`/api/bars/${encodeURIComponent(added)}?interval=1m&limit=500`);
  await soon('bars of the past are there', async () =>
    (await page()).items.some((bar) => Date.parse(bar.time) < Date.now() - HOUR_MS),
  );

  clearInterval(market);
  // Nothing of the first instrument was lost: every trade came once, on the connection that it always had.
  const counted = () => flow.messages.filter(isData).length;
  await eventually('all trades arrived', () => counted() >= sent.count - 3);
  const [feed] = (await get<{ items: Record<string, number>[] }>('/api/feeds')).items;
  expect(feed).toMatchObject({ disconnects: 0, gaps: 0, invalid_messages: 0 });
  expect(flow.messages.filter((message) => message.type === 'event')).toEqual([]);
  for (const stream of [flow, ticks]) stream.close();

  await service.stop();
  service = await startService(settings);
  expect(await symbols()).toEqual([known, added, third!.symbol]);
  const restarted = await StreamClient.open(`${service.wsUrl}/ws/market`, key);
  await restarted.ask({ action: 'subscribe', symbols: [added] });
  const later = setInterval(() => fake.quote(listed), 50);
  await restarted.next((message) => isData(message) && message.stale !== true);
  clearInterval(later);
  restarted.close();
  await service.stop();
  clearInterval(clock);
  rmSync(folder, { recursive: true, force: true });
});

const hasBid = (quote: unknown): boolean => typeof (quote as { bid?: unknown }).bid === 'number';
