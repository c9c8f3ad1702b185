// The channel of news in a replay: each revision is announced when it was known, in one order with the ticks.
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { rmSync } from 'node:fs';
import { iso, type NewsDetail, NewsPublished, NewsRevised, type ReplaySession } from '@tickwire/contract';
import { MINUTE_MS } from '@tickwire/engine';
import { expectClientContinuity } from '../../testing/continuity.fixture.ts';
import { EventClient } from '../../testing/event-client.fixture.ts';
import { randomPast, record } from '../../testing/replay/recorded-day.fixture.ts';
import { newsKnownAt, randomDocuments, recordDocuments } from '../../testing/replay/recorded-documents.fixture.ts';
import { folderOfBusyAccounts, type RunningService, startService } from '../../testing/service.fixture.ts';
import { isData, isEvent, type Message, StreamClient } from '../../testing/stream-client.fixture.ts';

const FROM = Date.UTC(2026, 2, 4, 12);
const TO = FROM + 40 * MINUTE_MS;
const MIDDLE = FROM + 20 * MINUTE_MS;

const folder = folderOfBusyAccounts(100_000);
const past = randomPast(FROM, TO, 61);
const documents = randomDocuments(FROM, TO, 62);
let service: RunningService;
let key: string;
beforeAll(async () => {
  await record(folder, past);
  await recordDocuments(folder, documents);
  service = await startService({ data: folder, feeds: 'push' });
  ({ key } = await service.key('free'));
});
afterAll(async () => {
  await service.stop();
  rmSync(folder, { recursive: true, force: true });
});

const send = async <T>(method: string, path: string, body?: object): Promise<T> => {
  const init = { method, headers: { 'X-API-Key': key }, ...(body && { body: JSON.stringify(body) }) };
  const response = await fetch(service.url + path, init);
  if (!response.ok) throw new Error(await response.text());
  return (await response.json()) as T;
};
const change = (id: string, given: object): Promise<ReplaySession> => send('PATCH', `/api/replays/${id}`, given);

async function withSession<T>(use: (id: string) => Promise<T>): Promise<T> {
  const range = { symbols: ['EURUSD', 'BTCUSD'], from: iso(FROM), to: iso(TO) };
  const { id } = await send<ReplaySession>('POST', '/api/replays', range);
  try {
    return await use(id);
  } finally {
    await send('DELETE', `/api/replays/${id}`);
  }
}

/** What was stored between two times, as the channel sends it. */
const announced = (from: number, to = TO): object[] =>
  documents.news
    .filter(({ knownAt }) => knownAt > from && knownAt <= to)
    .map(({ item }) => ({ ...item, cluster: 1, ...(item.revision > 0 && { revised: true }) }));
const bare = ({ seq: _, prev: __, epoch: ___, channel: ____, ...item }: Message): Message => item;

const openStream = (id: string, path: string): Promise<StreamClient> =>
  StreamClient.open(`${service.wsUrl}${path}replay=${id}`, key);
const subscribe = { action: 'subscribe', seq: true };

/** Everything that a reader in lockstep is sent, time by time, at the clocks of these times. */
async function inLockstep(id: string, client: StreamClient): Promise<(readonly [clock: string, ...Message[]])[]> {
  await change(id, { state: 'playing', speed: 'max' });
  const times: (readonly [string, ...Message[]])[] = [];
  for (let read = client.messages.length; ; ) {
    client.send({ action: 'next' });
    const turn = await client.next((message) => isEvent('waiting')(message) || isEvent('ended')(message));
    if (turn.event === 'ended') return times;
    times.push([String(turn.clock), ...client.messages.slice(read).filter(isData)]);
    read = client.messages.length;
  }
}

test('sends each revision when it was stored, as in the present', async () => {
  const played = (speed: number | 'max'): Promise<Message[]> =>
    withSession(async (id) => {
      const client = await openStream(id, '/ws/news?');
      await client.ask(subscribe);
      await change(id, { state: 'playing', speed });
      const items = await client.take(announced(FROM).length, isData);
      client.close();
      return items;
    });
  const items = await played('max');
  expect(items.map(bare)).toEqual(announced(FROM) as Message[]);
  expectClientContinuity(items);
  for (const item of items) (item.revised ? NewsRevised : NewsPublished).parse(item);
  expect(items.filter(({ revised }) => revised).length).toBeGreaterThan(3);
  expect(await played(10_000)).toEqual(items);
});

test('is in one order with the ticks, and the clock waits for its readers', async () => {
  const both = (): Promise<unknown[]> =>
    withSession(async (id) => {
      const client = await openStream(id, '/ws?lockstep=true&');
      await client.ask({ ...subscribe, channel: 'market', symbols: ['*'], ms: true });
      await client.ask({ ...subscribe, channel: 'news', symbols: ['EURUSD'] });
      const times = await inLockstep(id, client);
      client.close();
      return times;
    });
  const times = (await both()) as Awaited<ReturnType<typeof inLockstep>>;
  expect(await both()).toEqual(times);
  const all = times.flatMap(([, ...messages]) => messages);
  expect(all.map(({ seq }) => seq)).toEqual(all.map(({ seq }) => seq).sort((a, b) => Number(a) - Number(b)));
  const news = times.flatMap(([clock, ...messages]) =>
    messages.filter(({ channel }) => channel === 'news').map((message) => [clock, bare(message)]),
  );
  expect(news).toEqual(
    documents.news
      .filter(({ item, knownAt }) => knownAt <= TO && item.symbols.includes('EURUSD'))
      .map(({ knownAt, item }) => [
        iso(knownAt),
        { ...item, cluster: 1, ...(item.revision > 0 && { revised: true }) } as never,
      ]),
  );
  expect(all.length - news.length).toBe(past.ticks.filter(({ tick }) => tick.kind === 'quote').length);
});

test('announces nothing that REST does not have at the same clock', async () => {
  await withSession(async (id) => {
    const client = await openStream(id, '/ws/news?lockstep=true&');
    await client.ask(subscribe);
    await change(id, { state: 'playing', speed: 'max' });
    const newest = new Map<string, unknown>();
    for (let turns = 0; turns < 25; turns++) {
      client.send({ action: 'next' });
      const before = client.messages.length;
      const { clock } = await client.next(isEvent('waiting'));
      for (const { revised: _, ...item } of client.messages.slice(before).filter(isData).map(bare))
        newest.set(String(item.id), item);
      const { items } = await send<{ items: NewsDetail[] }>('GET', `/api/news?detail=true&limit=200&replay=${id}`);
      expect(items).toEqual(newsKnownAt(documents, Date.parse(String(clock))));
      expect(Object.fromEntries(items.map((item) => [item.id, item]))).toEqual(Object.fromEntries(newest) as never);
    }
    client.close();
  });
});

test('starts anew with a seek, and continues where a client left', async () => {
  await withSession(async (id) => {
    const before = await openStream(id, '/ws/news?');
    await before.ask(subscribe);
    await change(id, { seek: iso(MIDDLE) });
    expect((await before.closed).code).toBe(1012);
    const first = await openStream(id, '/ws/news?');
    const { epoch, seq } = await first.ask(subscribe);
    first.close();
    await change(id, { state: 'playing', speed: 10_000 });
    const wanted = announced(MIDDLE);
    const resumed = await openStream(id, '/ws/news?');
    await resumed.ask({ ...subscribe, resume_from: { epoch, seq } });
    expect((await resumed.take(wanted.length, isData)).map(bare)).toEqual(wanted as Message[]);
    resumed.close();
  });
});

test('comes as server-sent events, too', async () => {
  await withSession(async (id) => {
    const events = await EventClient.open(`${service.url}/sse?channels=news&replay=${id}`, { 'X-API-Key': key });
    await change(id, { state: 'playing', speed: 'max' });
    const last = announced(FROM).at(-1) as NewsDetail;
    await events.next((item) => item.id === last.id && item.revision === last.revision);
    expect(events.messages.map(bare)).toEqual(announced(FROM) as Message[]);
    events.close();
    await events.closed;
  });
});

test('does not hold up the step to the next tick', async () => {
  await withSession(async (id) => {
    const times = [...new Set(past.ticks.map(({ arrival }) => arrival))].slice(0, 120);
    expect(documents.news.some(({ knownAt }) => knownAt > times[0]! && knownAt < times.at(-1)!)).toBe(true);
    for (const time of times) expect((await change(id, { step: 'tick' })).clock).toBe(iso(time));
  });
});
