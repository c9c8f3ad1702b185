// A restored service answers as the original: a backup, an export, and the same by way of PostgreSQL. One instrument has other
// digits and one was added; both have active signals. Prices are pushed, so that they stand still afterwards.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ENDPOINTS, type Endpoint, type EndpointName, REQUEST_EXAMPLES, TIERS } from '@tickwire/contract';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '@tickwire/engine';
import { runHere } from '../../testing/command.fixture.ts';
import { postgresForTests } from '../../testing/external-services.fixture.ts';
import { Person } from '../../testing/person.fixture.ts';
import { eventually } from '../../testing/process.fixture.ts';
import { TestMarket, TestPublisher } from '../../testing/publisher.fixture.ts';
import { type RunningService, type Settings, startService, temporaryFolder } from '../../testing/service.fixture.ts';
import { chatChannel, chatEdit, chatMessage } from '../../testing/store/chat-samples.fixture.ts';
import { testDatabase } from '../../testing/store/postgres-database.fixture.ts';

const COIN = 'BTCUSD';
const OWN = 'MINE.X';
const IN_A_DAY = Date.now() + DAY_MS;
/** Fields that depend on the time of the request or of the start, or count requests, by endpoint. */
const VARYING: { readonly [N in EndpointName]?: readonly string[] } = {
  accounts: ['requests_day', 'errors_day', 'ai_calls_day'],
  aiBrief: ['generated_at'],
  publicPublisher: ['at'],
  publicSignalHead: ['at', 'signature'],
  publisher: ['at'],
  session: ['server_time', 'uptime_seconds'],
  sessions: ['expires_at'],
  signalHead: ['at', 'signature'],
  signalProof: ['at', 'signature'],
  usage: ['requests', 'ai_calls'],
  usageHistory: ['keys', 'points'],
};
const server = await postgresForTests();
const folder = temporaryFolder();
const data = join(folder, 'data');
const config = join(folder, 'tickwire.json');
const SETTINGS: Settings = { config, feeds: 'push', public_records: 'on', delivery_allow_private: 'true' };
let paths: Readonly<Record<EndpointName, string>>;
let cookie: string;
let original: RunningService;

/** The time alone; figures and sessions that are not stored; lists of venues. */
const NOT_STORED: readonly EndpointName[] = [
  'udfTime',
  'perpetual',
  'venueInstruments',
  'replaySessions',
  'replaySession',
  'practiceRecord',
];
/** Everything else that can be read, by a session of the owner. */
const NAMES = (Object.keys(ENDPOINTS) as EndpointName[]).filter((name) => {
  const { method, eventStream }: Endpoint = ENDPOINTS[name];
  return method === 'GET' && !eventStream && !NOT_STORED.includes(name);
});

beforeAll(async () => {
  writeFileSync(config, JSON.stringify({ tiers: { premium: { ...TIERS.premium, requests_per_minute: 5_000 } } }));
  const terms = ['--type', 'equity', '--pip-size', '0.01', '--contract-size', '1', '--margin-rate', '0.2'];
  for (const args of [
    ['set', COIN, '--digits', '3'],
    ['add', OWN, '--digits', '2', ...terms],
  ])
    expect(await runHere(['instruments', ...args], { ...SETTINGS, data })).toMatchObject({ status: 0, err: '' });
  const service = await startService({ ...SETTINGS, data });
  await fill(service);
  await service.stop();
  // A copy of a running service starts like one that was killed: with a gap for pushed ticks, in the log of signals too.
  for (const [command, name] of [
    ['backup', 'backup'],
    ['export', 'export.gz'],
  ] as const)
    expect(await runHere([command, join(folder, name)], { ...SETTINGS, data })).toMatchObject({ status: 0 });
  original = await startService({ ...SETTINGS, data });
});
afterAll(async () => {
  await original.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** Signals, an alert that fired, news, events and documents of the owner. */
async function fill(service: RunningService): Promise<void> {
  const owner = await Person.owner(service);
  const market = await TestMarket.of(service);
  const publisher = await TestPublisher.of(service);
  const quote = async (step: number): Promise<void> => {
    await market.quote(COIN, 60_000.125 + step, 60_000.375 + step);
    await market.quote(OWN, 50 + step / 10, 50.01 + step / 10);
  };
  await quote(0);
  const condition = { type: 'price', cross: 'above', level: 60_000.5 };
  await using receiver = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: () => new Response() });
  const deliver = [{ channel: 'webhook', url: receiver.url.href }];
  const made = async (path: string, body: object): Promise<{ id: string }> => owner.must(201, owner.post(path, body));
  await owner.confirm();
  const alert = await made('/api/alerts', { symbol: COIN, condition, deliver });
  await made('/api/subscriptions', { category: 'gold', deliver });
  await made('/api/links', { name: 'sheet', path: '/api/quotes' });
  await owner.key();
  const document = await owner.put('/api/account/documents/layout/scalper', { value: { charts: [COIN] } });
  expect(document.ok).toBe(true);
  const signal = { symbol: COIN, direction: 'buy', entry: 60_000.375, stop_loss: 59_000.125, take_profit: 61_000 };
  const closed = await publisher.open(signal, market);
  await publisher.closed(closed.id, market);
  const { id } = await publisher.open(signal, market);
  await publisher.open({ symbol: OWN, direction: 'sell', entry: 50, stop_loss: 55, take_profit: 45 }, market);
  await quote(1);
  await eventually('a firing', async () => (await owner.read<{ fired: number }>(`/api/alerts/${alert.id}`)).fired > 0);
  const wire = await TestPublisher.of(service, ['read', 'ingest']);
  for (const [path, line] of [
    ['/ingest/news', { title: 'Gold jumps to a record high as investors seek safety', id: 'g-1' }],
    ['/ingest/calendar', { id: 'cpi', title: 'CPI', country: 'US', impact: 'high', time: IN_A_DAY }],
    ['/ingest/ticks', { symbol: COIN, time: Date.now(), price: 60_001.25, size: 2, side: 'buy' }],
  ] as const)
    expect(await (await wire.post(path, JSON.stringify(line))).json()).toMatchObject({ accepted: 1 });
  const news = async () => (await owner.read<{ items: { id: string }[] }>('/api/news?detail=true')).items;
  await eventually('a headline', async () => (await news()).length > 0);
  const messages = async () => (await owner.read<{ items: { state: string }[] }>('/api/deliveries')).items;
  await eventually('deliveries of the alert and the headline', async () => {
    const states = (await messages()).map(({ state }) => state);
    return states.length === 2 && states.every((state) => state === 'delivered');
  });
  cookie = owner.cookie!;
  const account = (await owner.read<{ id: string }>('/api/account')).id;
  const { chat } = service.app.store;
  await chat.putChannel(chatChannel('chn_1', { account }));
  await chat.addMessage(chatMessage('chn_1', '1', { outcome: 'published', signal: id, posting: 'done' }));
  await chat.addEdit(chatEdit('chn_1', '1', 1));
  const since = new Date(Date.now() - HOUR_MS).toISOString();
  const examples = Object.entries(REQUEST_EXAMPLES).map(([name, path]) => [name, path.replaceAll('EURUSD', COIN)]);
  paths = {
    ...(Object.fromEntries(examples) as Record<EndpointName, string>),
    ticks: `/api/ticks/${COIN}?kind=quotes&from=${since}`,
    profile: `/api/profile/${COIN}?from=${since}&to=${new Date().toISOString()}`,
    calendar: `/api/calendar?from=${since}&to=${new Date(IN_A_DAY + HOUR_MS).toISOString()}`,
    evidence: `/api/evidence/${new Date().toISOString().slice(0, 10)}/${COIN}`,
    eventWindow: `/api/market/${COIN}/window?before=2&after=2&at=${since}`,
    udfSymbol: `/udf/symbols?symbol=TICKWIRE:${COIN}`,
    signal: `/api/signals/${id}`,
    signals: '/api/signals?status=all',
    chatMessages: '/api/chat-channels/chn_1/messages',
    signalEdits: `/api/signals/${id}/edits`,
    signalProof: `/api/signals/${closed.id}/proof`,
    signalLog: '/api/signals/log',
    signalHeads: '/api/signals/heads',
    publicSignalHeads: '/public/signals/heads',
    publisher: `/api/publishers/${publisher.id}`,
    publisherSignals: `/api/publishers/${publisher.id}/signals.csv`,
    publisherEquity: `/api/publishers/${publisher.id}/equity.csv`,
    publisherFollowers: `/api/publishers/${publisher.id}/followers`,
    publicPublisher: `/public/publishers/${publisher.id}`,
    publicRecords: `/public/publishers/${publisher.id}/records`,
    news: '/api/news',
    newsItem: `/api/news/${(await news())[0]!.id}`,
    alert: `/api/alerts/${alert.id}`,
  };
}

async function answersOf({ url }: RunningService): Promise<Record<string, unknown>> {
  const answers: Record<string, unknown> = {};
  for (const name of NAMES) {
    const response = await fetch(url + paths[name], { headers: { Cookie: cookie } });
    const text = (await response.text()).replaceAll(url, 'URL');
    const varying: readonly string[] = VARYING[name] ?? [];
    const withoutVarying = (key: string, value: unknown): unknown => (varying.includes(key) ? null : value);
    const isJson = response.headers.get('content-type') === 'application/json';
    answers[name] = [response.status, isJson ? JSON.parse(text, withoutVarying) : text];
  }
  return answers;
}

async function expectSame(settings: Settings): Promise<void> {
  const copy = await startService({ ...SETTINGS, ...settings });
  try {
    const [before, after] = await inOneMinute(async () => [await answersOf(original), await answersOf(copy)] as const);
    for (const name of NAMES) {
      expect([name, (before[name] as [number])[0]]).toEqual([name, 200]);
      expect({ [name]: after[name] }).toEqual({ [name]: before[name] });
    }
  } finally {
    await copy.stop();
  }
}

/** Repeats what crossed the end of a minute: coverage and unfinished bars change with it. */
async function inOneMinute<T>(ask: () => Promise<T>): Promise<T> {
  const minute = (): number => Math.floor(Date.now() / MINUTE_MS);
  for (;;) {
    const begun = minute();
    const answers = await ask();
    if (minute() === begun) return answers;
  }
}

test('a backup', () => expectSame({ data: join(folder, 'backup') }));

test('an export that is imported into an empty folder', async () => {
  const copy = join(folder, 'imported');
  expect((await runHere(['import', join(folder, 'export.gz')], { data: copy })).status).toBe(0);
  await expectSame({ data: copy });
});

describe.skipIf(server === null)('with a server', () => {
  test('an export that is imported into PostgreSQL, and its backup in an empty folder', async () => {
    const database = await testDatabase(server!);
    const moved = { data: join(folder, 'moved'), database_url: database.url };
    const [backup, back] = [join(folder, 'backup-of-moved'), join(folder, 'back')];
    try {
      expect((await runHere(['import', join(folder, 'export.gz')], moved)).status).toBe(0);
      await expectSame(moved);
      expect((await runHere(['backup', backup], { ...SETTINGS, ...moved })).status).toBe(0);
      expect((await runHere(['import', join(backup, 'tickwire.export.gz')], { data: back })).status).toBe(0);
      await expectSame({ data: back });
    } finally {
      await database.dispose();
    }
  });
});
