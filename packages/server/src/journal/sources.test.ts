// Every tick carries its source from the feed to the tape, through the real service.
import { afterAll, expect, test } from 'bun:test';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { AuthenticatedNotice, IngestedNotice } from '@tickwire/contract';
import { fakeKraken } from '../../testing/feeds/fake-kraken.fixture.ts';
import { FakeVenue } from '../../testing/feeds/fake-venue.fixture.ts';
import { type RunningService, startService, temporaryFolder } from '../../testing/service.fixture.ts';
import { StreamClient } from '../../testing/stream-client.fixture.ts';
import type { RestoredRecord } from '../market/restore.ts';
import { openSqliteStore } from '../store/sqlite/open-sqlite-store.ts';
import { recordsOf } from '../store/tape-records.ts';

const folders: string[] = [];
afterAll(() => {
  for (const each of folders) rmSync(each, { recursive: true, force: true });
});
const newFolder = (): string => {
  folders.push(temporaryFolder());
  return folders.at(-1)!;
};

/** Records on the tape of a stopped service, in order of seq. */
async function tapeIn(folder: string, realm: 'sim' | 'live'): Promise<RestoredRecord[]> {
  const store = openSqliteStore({ folder, realm, exclusive: true });
  const blocks = await store.market.tape(0);
  await store.close();
  return blocks.flatMap(recordsOf).sort((a, b) => a.seq - b.seq);
}

/** Collects every tick that enters the journal from now on, with its source. */
function ticksOf({ app }: RunningService): [seq: number, bid: number, source: string][] {
  const ticks: [number, number, string][] = [];
  app.journal.subscribe(({ firstSeq, source, events }) => {
    for (const [index, event] of events.entries())
      if (event.kind === 'tick') ticks.push([firstSeq + index, event.bid, source]);
  });
  return ticks;
}

test('records the pushing account as the source of pushed ticks, over HTTP and WebSocket', async () => {
  const data = newFolder();
  const service = await startService({ feeds: 'push', data });
  const ticks = ticksOf(service);
  const anna = (await service.key('free', ['ingest'])).key;
  const bert = (await service.key('free', ['ingest'])).key;
  const sourceOf = (key: string) => `push:${service.app.keyring.authenticate(key, Date.now())!.account.publicId}`;
  const [byAnna, byBert] = [sourceOf(anna), sourceOf(bert)];
  expect(byAnna).toMatch(/^push:pub_./);
  expect(byBert).not.toBe(byAnna);

  const line = (bid: number) => JSON.stringify({ symbol: 'EURUSD', time: Date.now(), bid, ask: 2 });
  const post = async (key: string, ...bids: number[]) => {
    const request = { method: 'POST', body: bids.map(line).join('\n'), headers: { 'X-API-Key': key } };
    expect(await (await fetch(`${service.url}/ingest/ticks`, request)).json()).toMatchObject({ accepted: bids.length });
  };
  const stream = await StreamClient.open(`${service.wsUrl}/ws/ingest`);
  stream.send({ action: 'authenticate', api_key: bert });
  AuthenticatedNotice.parse(await stream.next());
  await post(anna, 1.01, 1.02);
  await post(bert, 1.03);
  stream.sendRaw(line(1.04));
  expect(IngestedNotice.parse(await stream.next()).accepted).toBe(1);
  await post(anna, 1.05);
  stream.close();
  await service.stop();

  expect(ticks.map(([, bid, source]) => [bid, source])).toEqual([
    [1.01, byAnna],
    [1.02, byAnna],
    [1.03, byBert],
    [1.04, byBert],
    [1.05, byAnna],
  ]);
  const taped = await tapeIn(data, 'live');
  expect(taped.map(({ seq, event, source }) => [seq, 'bid' in event && event.bid, source])).toEqual(ticks);
});

test('records sim as the source of simulated ticks', async () => {
  const data = newFolder();
  const service = await startService({ data });
  const ticks = ticksOf(service);
  while (ticks.length < 50) await Bun.sleep(20);
  await service.stop();
  expect(new Set(ticks.map(([, , source]) => source))).toEqual(new Set(['sim']));
  const taped = await tapeIn(data, 'sim');
  expect(taped.length).toBeGreaterThan(ticks.length);
  expect(new Set(taped.map(({ source }) => source))).toEqual(new Set(['sim']));
});

test('records the venue as the source of its ticks', async () => {
  const data = newFolder();
  const kraken = new FakeVenue(fakeKraken(), { pingMs: 200, heartbeatMs: 100 });
  const config = join(data, 'tickwire.json');
  const { wsUrl: ws_url, restUrl: rest_url } = kraken;
  writeFileSync(config, JSON.stringify({ venues: { kraken: { ws_url, rest_url, symbols: { BTCUSD: 'BTC/USD' } } } }));
  const service = await startService({ feeds: 'kraken', config, data });
  const ticks = ticksOf(service);
  while (ticks.length === 0) {
    kraken.quote('BTC/USD');
    await Bun.sleep(20);
  }
  await service.stop();
  await kraken[Symbol.asyncDispose]();
  expect(new Set(ticks.map(([, , source]) => source))).toEqual(new Set(['kraken']));
  const taped = await tapeIn(data, 'live');
  expect(taped.filter(({ event }) => event.kind === 'quote').map(({ seq }) => seq)).toEqual(ticks.map(([seq]) => seq));
  expect(new Set(taped.map(({ source }) => source))).toEqual(new Set(['kraken']));
});
