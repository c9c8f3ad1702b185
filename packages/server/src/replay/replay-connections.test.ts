// Streams of replays are counted and limited together with those of the present.
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { iso, type ReplaySession } from '@tickwire/contract';
import { HOUR_MS } from '@tickwire/engine';
import { EventClient } from '../../testing/event-client.fixture.ts';
import { connected, metric } from '../../testing/metric.fixture.ts';
import { type RunningService, startService } from '../../testing/service.fixture.ts';
import { isData, isEvent, StreamClient } from '../../testing/stream-client.fixture.ts';

/** A Wednesday. */
const FROM = Date.UTC(2026, 2, 4, 12);
const PER_ADDRESS = 4;
const subscribe = { action: 'subscribe', symbols: ['EURUSD'] };

let service: RunningService;
beforeAll(async () => {
  service = await startService({ metrics_port: '0', max_connections_per_address: String(PER_ADDRESS) });
});
afterAll(() => service.stop());

/** An account with a session, and its streams. */
async function replayer(tier: string) {
  const { key } = await service.key(tier);
  const headers = { 'X-API-Key': key };
  const send = async (method: string, path: string, body?: object): Promise<ReplaySession> => {
    const response = await fetch(service.url + path, { method, headers, ...(body && { body: JSON.stringify(body) }) });
    if (!response.ok) throw new Error(await response.text());
    return (await response.json()) as ReplaySession;
  };
  const range = { symbols: ['EURUSD'], from: iso(FROM), to: iso(FROM + HOUR_MS) };
  const { id } = await send('POST', '/api/replays', range);
  return {
    seek: () => send('PATCH', `/api/replays/${id}`, { seek: iso(FROM) }),
    play: () => send('PATCH', `/api/replays/${id}`, { step: 'bar' }),
    live: () => StreamClient.open(`${service.wsUrl}/ws/market`, key),
    past: () => StreamClient.open(`${service.wsUrl}/ws/market?replay=${id}`, key),
    events: () => EventClient.open(`${service.url}/sse?channels=market&symbols=EURUSD&replay=${id}`, headers),
  };
}

test('they count against the streams of the tier, in both directions', async () => {
  const { live, past } = await replayer('free');
  for (const [first, second, third] of [
    [live, past, past],
    [past, past, live],
  ]) {
    const held = [await first!(), await second!()];
    for (const stream of held) await stream.ask(subscribe);
    const refused = await third!();
    expect(await refused.next(isEvent('error'))).toMatchObject({ code: 'stream_limit' });
    expect((await refused.closed).code).toBe(4429);
    for (const stream of held) stream.close();
    await connected(service, 0);
  }
});

test('they count against the connections of an address, also if many open at once', async () => {
  const { live, past, events } = await replayer('premium');
  const [stream, held] = [await events(), [await live(), await past()]];
  const opened = await Promise.allSettled(Array.from({ length: 6 }, past));
  expect(opened.filter(({ status }) => status === 'fulfilled')).toHaveLength(PER_ADDRESS - 3);
  await expect(live()).rejects.toThrow('not opened');
  await expect(events()).rejects.toThrow('too_many_connections');
  expect(await metric(service, 'tickwire_ws_connections')).toBe(PER_ADDRESS);
  stream.close();
  for (const client of held) client.close();
  for (const each of opened) if (each.status === 'fulfilled') each.value.close();
  await connected(service, 0);
});

test('they are in the metrics of streams, and stay counted after a seek', async () => {
  const { seek, play, past } = await replayer('premium');
  const counted = async (): Promise<readonly number[]> => {
    const names = ['messages_in_total', 'published_total', 'clients'];
    return Promise.all(names.map((name) => metric(service, `tickwire_ws_${name}`)));
  };
  const before = await counted();
  const client = await past();
  await client.ask(subscribe);
  await play();
  await client.take(5, isData);
  expect(await metric(service, 'tickwire_ws_clients')).toBe(1);
  await seek();
  await client.closed;
  await connected(service, 0);
  const after = await counted();
  expect(after[0]).toBe(before[0]! + 1);
  expect(after[1]).toBeGreaterThanOrEqual(before[1]! + 4);
  expect(after[2]).toBe(before[2]!);
});
