// Two services with the same past up to a time and another one afterwards: as of that time, all their answers are the same, whatever
// is asked for.
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { rmSync } from 'node:fs';
import { ENDPOINTS, type Endpoint, iso, type ReplaySession, type SignalList } from '@tickwire/contract';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '@tickwire/engine';
import { otherwiseAfter, randomPast, record } from '../../testing/replay/recorded-day.fixture.ts';
import {
  documentsOtherwiseAfter,
  randomDocuments,
  recordDocuments,
} from '../../testing/replay/recorded-documents.fixture.ts';
import { randomSignals, recordSignals } from '../../testing/replay/recorded-signals.fixture.ts';
import { folderOfBusyAccounts, type RunningService, startService } from '../../testing/service.fixture.ts';
import { isEvent, type Message, StreamClient } from '../../testing/stream-client.fixture.ts';

const FROM = Date.UTC(2026, 2, 4, 12);
const TO = FROM + 2 * HOUR_MS;
/** Within a minute, and not long after late ticks. */
const CLOCK = FROM + HOUR_MS + 3 * MINUTE_MS + 21_345;

const past = randomPast(FROM, TO, 23);
const documents = randomDocuments(FROM, TO, 31);
const otherDocuments = documentsOtherwiseAfter(documents, randomDocuments(FROM, TO, 32), CLOCK);
const log = { from: FROM, to: TO, seed: 37, every: MINUTE_MS };
const logged = randomSignals(log);
const otherLogged = randomSignals({ ...log, otherwise: { after: CLOCK, seed: 39 } });
const SIGNALS = [...new Set([...logged, ...otherLogged].map(({ record: { signal } }) => signal))];
const ITEMS = [...new Set([...documents.news, ...otherDocuments.news].map(({ item }) => item.id))];
const services: {
  readonly service: RunningService;
  readonly folder: string;
  readonly key: string;
  readonly name: string;
}[] = [];
beforeAll(async () => {
  for (const [ticks, stored, signals] of [
    [past, documents, logged],
    [otherwiseAfter(past, CLOCK, 99), otherDocuments, otherLogged],
  ] as const) {
    const folder = folderOfBusyAccounts(100_000);
    await record(folder, ticks);
    await recordDocuments(folder, stored);
    await recordSignals(folder, FROM, signals, services[0]?.folder);
    const service = await startService({ data: folder, feeds: 'push' });
    const { key, account } = await service.key('free', ['read', 'publish']);
    services.push({ service, folder, key, name: account.name });
  }
});
afterAll(async () => {
  for (const { service, folder } of services) {
    await service.stop();
    rmSync(folder, { recursive: true, force: true });
  }
});

/** Those that differ with each request, and those of the limits of the account. */
const VARYING = /^(date|x-request-id|(x-)?ratelimit.*|export-rows-(remaining|reset)|read-rows-remaining)$/;

const withoutId = (text: string): string => text.replace(/"request_id":"[^"]*"/, '');

/** Times around the clock and far behind it, as a client may send them. */
const TIMES = [CLOCK - HOUR_MS, CLOCK, CLOCK + 1, CLOCK + 10 * MINUTE_MS, TO, TO + DAY_MS, Date.now()];
const FIELDS = 'buy_volume,sell_volume,delta,source,trades,vwap,unrecorded_minutes';

/** Queries of each endpoint, by the beginning of its path. */
function queriesOf(path: string): string[] {
  const ranges = TIMES.flatMap((time) => [
    `from=${iso(CLOCK - HOUR_MS)}&to=${iso(time)}`,
    `from=${iso(time)}`,
    `to=${iso(time)}`,
  ]);
  const formats = ['format=csv', 'format=ndjson'];
  const cursors = TIMES.flatMap((time) => [`cursor=b${time}`, `cursor=f${time}`]);
  const tickCursors = TIMES.flatMap((time) => [`cursor=b${time}.0`, `cursor=f${time}.0`, `cursor=b${time}.999999`]);
  if (path.startsWith('/api/bars') || path.startsWith('/api/footprint') || path.startsWith('/api/indicators/{')) {
    const given = path.startsWith('/api/indicators') ? 'indicators=rsi(3),vwap(month)' : '';
    const symbols = path === '/api/bars' ? 'symbols=EURUSD,BTCUSD' : given;
    const intervals = ['1m', '7m', '1h', '1d', '1w'].map((interval) => `interval=${interval}`);
    const all = [...intervals, ...ranges.map((range) => `interval=1m&${range}`)];
    const pages = path === '/api/bars' ? [] : cursors.map((cursor) => `interval=1m&${cursor}`);
    const files = path.startsWith('/api/bars') ? formats.map((format) => `interval=1m&${format}&fields=${FIELDS}`) : [];
    const fields = path.startsWith('/api/bars') ? [`interval=5m&fields=${FIELDS}`] : [];
    return [...all, ...pages, ...files, ...fields].map((query) =>
      [query, symbols].filter((part) => part !== '').join('&'),
    );
  }
  if (path.startsWith('/api/ticks'))
    return ['quotes', 'trades'].flatMap((kind) =>
      [...ranges, ...tickCursors, ...formats, 'fields=seq,source', 'limit=3'].map((query) => `kind=${kind}&${query}`),
    );
  if (path.startsWith('/api/profile')) return ['', ...ranges.slice(0, 9), 'level=10'];
  if (path.endsWith('/coverage'))
    return ['timeframe=1m', ...ranges.map((range) => `timeframe=1m&${range}`), 'timeframe=1h'];
  if (path === '/api/market/{symbol}')
    return [
      ...['1m', '5m', '1h', '1d'].map((timeframe) => `timeframe=${timeframe}&bars=500&detail=true`),
      ...ranges.map((range) => `timeframe=1m&${range}`),
      ...TIMES.map((time) => `timeframe=1m&before=${iso(time)}`),
    ];
  if (path === '/api/news')
    return [
      'detail=true&limit=200',
      ...ranges.map((range) => `detail=true&${range}`),
      ...TIMES.flatMap((time) => [`before=${iso(time)}`, `since=${iso(time)}`]),
      ...ITEMS.map((id) => `before=${id}&limit=2`),
      'symbol=EURUSD&category=gold,forex',
    ];
  if (path === '/api/news/sentiment') return ['period=day', 'period=week&symbol=BTCUSD', 'period=month&category=gold'];
  if (path === '/api/calendar')
    return [
      '',
      ...ranges.map((range) => `impact=high,low&${range}`).slice(0, 9),
      ...TIMES.flatMap((time) => [`cursor=${time}.cal31_1`, `limit=2&cursor=${time}.a`]),
    ];
  if (path.endsWith('/window')) return ['', ...TIMES.map((time) => `at=${iso(time)}`), 'before=1440&after=1440'];
  if (path === '/api/position-size')
    return ['EUR', 'USD', 'JPY'].map(
      (currency) => `symbol=EURUSD&entry=1.08&stop_loss=1.07&balance=10000&risk_percent=1&currency=${currency}`,
    );
  if (path === '/api/signals')
    return [
      ...['', 'status=closed&detail=true', 'status=all&detail=true&limit=500', 'status=all&format=csv', 'limit=1'],
      ...['practice', 'Practice', 'pub_a', 'nobody'].map((user) => `status=all&user=${user}`),
      ...['EURUSD', 'btcusd', 'XAUUSD'].map((symbol) => `status=all&detail=true&symbol=${symbol}`),
      ...['practice_1', 'practice_5', ...SIGNALS].map((id) => `status=all&limit=3&before=${id}`),
    ];
  if (path.startsWith('/api/signals/')) return [''];
  if (path.endsWith('/hours')) return ['', ...TIMES.map((time) => `from=${iso(time)}`)];
  return ['', 'detail=true'];
}

/** Publishes practice signals, some of which close before `CLOCK` and some after it. */
async function practise(id: string, send: (method: string, path: string, given?: object) => Promise<unknown>) {
  for (let number = 0; number < 6; number++) {
    await send('PATCH', `/api/replays/${id}`, { seek: iso(FROM + (5 + 9 * number) * MINUTE_MS) });
    await send('PATCH', `/api/replays/${id}`, { step: 'tick' });
    const path = `/api/market/${number % 2 ? 'BTCUSD' : 'EURUSD'}/quote?replay=${id}`;
    const { symbol, bid, ask } = (await send('GET', path)) as { symbol: string; bid: number; ask: number };
    const [digits, distance] = number % 2 ? [2, 0.002] : [5, 0.001 * (number + 1)];
    const price = (given: number): number => Number(given.toFixed(digits));
    const levels = { stop_loss: price(bid * (1 - distance)), take_profit: price(ask * (1 + distance)) };
    await send('POST', `/api/signals?replay=${id}`, { symbol, direction: 'buy', order: 'market', ...levels });
  }
}

/** All answers of a service as of a time: `played` to it, or sought. */
async function answersOf(
  { service, key }: (typeof services)[number],
  clock: number,
  way: 'played' | 'sought',
): Promise<unknown[][]> {
  const send = async (method: string, path: string, given?: object): Promise<ReplaySession> => {
    const init = { method, headers: { 'X-API-Key': key }, ...(given && { body: JSON.stringify(given) }) };
    const response = await fetch(service.url + path, init);
    if (!response.ok) throw new Error(await response.text());
    return (await response.json()) as ReplaySession;
  };
  const to = iso(way === 'played' ? clock : TO);
  const { id } = await send('POST', '/api/replays', { symbols: ['EURUSD', 'BTCUSD'], from: iso(FROM), to });
  const path = `/api/replays/${id}`;
  await practise(id, send);
  if (way === 'sought') await send('PATCH', path, { seek: iso(clock) });
  else {
    let { state } = await send('PATCH', path, { state: 'playing', speed: 10_000 });
    for (; state !== 'ended'; { state } = await send('GET', path)) await Bun.sleep(20);
  }
  const answers: unknown[][] = [];
  for (const [name, endpoint] of Object.entries<Endpoint>(ENDPOINTS)) {
    if (!endpoint.replay || endpoint.eventStream || endpoint.method !== 'GET') continue;
    const named = endpoint.path.includes('{symbol}')
      ? ['EURUSD', 'BTCUSD']
      : name === 'signal'
        ? ['practice_1', 'practice_2', ...SIGNALS]
        : endpoint.path.includes('{id}')
          ? ITEMS
          : [''];
    for (const what of named)
      for (const query of queriesOf(endpoint.path)) {
        const address = `${endpoint.path.replace(/\{\w+\}/, what)}?${query}`;
        const response = await fetch(service.url + address, { headers: { 'X-API-Key': key, Replay: id } });
        const headers = [...response.headers].filter(([header]) => !VARYING.test(header));
        answers.push([name, address, response.status, headers, withoutId(await response.text())]);
      }
  }
  const record = await fetch(`${service.url}${path}/record`, { headers: { 'X-API-Key': key } });
  answers.push(['practiceRecord', path.replace(id, ''), record.status, [], (await record.text()).replace(id, '')]);
  await send('DELETE', path);
  return answers;
}

/** What a reader in lockstep is sent up to a time. */
async function streamedUntil({ service, key }: (typeof services)[number], clock: number): Promise<Message[]> {
  const headers = { 'X-API-Key': key };
  const range = { symbols: ['EURUSD', 'BTCUSD'], from: iso(FROM), to: iso(TO), start: 'playing', speed: 'max' };
  const created = await fetch(`${service.url}/api/replays`, { method: 'POST', headers, body: JSON.stringify(range) });
  const { id } = (await created.json()) as ReplaySession;
  const client = await StreamClient.open(`${service.wsUrl}/ws?lockstep=true&replay=${id}`, key);
  for (const channel of ['market', 'orderflow', 'news'])
    await client.ask({ action: 'subscribe', channel, symbols: ['*'], seq: true, id: channel });
  const bars = { channel: 'bars', timeframe: '1m', indicators: ['rsi(3)'] };
  await client.ask({ action: 'subscribe', symbols: ['*'], id: 'bars', ...bars });
  const sent: Message[] = [];
  for (let read = 0, last = 0; ; read = client.messages.length) {
    client.send({ action: 'next' });
    last = Date.parse(String((await client.next(isEvent('waiting'))).clock));
    if (last > clock) break;
    sent.push(...client.messages.slice(read));
  }
  client.close();
  await client.closed;
  await fetch(`${service.url}/api/replays/${id}`, { method: 'DELETE', headers });
  return sent;
}

test('no message of a stream depends on what happened after the clock', async () => {
  const [one, other] = [await streamedUntil(services[0]!, CLOCK), await streamedUntil(services[1]!, CLOCK)];
  expect(other).toEqual(one);
  for (const channel of ['market', 'bars', 'orderflow', 'news'])
    expect(one.filter((message) => message.channel === channel).length).toBeGreaterThan(10);
});

test.each(['played', 'sought'] as const)(
  'no answer depends on what happened after a clock that was %s',
  async (way) => {
    const [one, other] = [await answersOf(services[0]!, CLOCK, way), await answersOf(services[1]!, CLOCK, way)];
    expect(one.length).toBeGreaterThan(300);
    expect(other).toEqual(one);
    const mayBeUnknown = ['newsItem', 'signal', 'signals'];
    const isUsual = ([name, , status]: unknown[]): boolean =>
      [200, 400, 422, ...(mayBeUnknown.includes(name as string) ? [404] : [])].includes(status as number);
    expect(one.filter((answer) => !isUsual(answer))).toEqual([]);
    for (const name of mayBeUnknown)
      for (const expected of [200, 404])
        expect([name, one.some(([of, , status]) => of === name && status === expected)]).toEqual([name, true]);
  },
);

test('answers depend on what happened before the clock', async () => {
  const [one, other] = [await answersOf(services[0]!, TO, 'sought'), await answersOf(services[1]!, TO, 'sought')];
  const differing = new Set(one.flatMap(([name, , , , text], at) => (text === other[at]![4] ? [] : [name])));
  expect([...differing]).toEqual(
    expect.arrayContaining([
      'quotes',
      'market',
      'bars',
      'ticks',
      'indicators',
      'profile',
      'news',
      'newsItem',
      'newsSentiment',
      'calendar',
      'eventWindow',
      'signals',
      'signal',
      'practiceRecord',
    ]),
  );
});

test('signals of the log and practice signals are told apart', async () => {
  const { service, key, name } = services[0]!;
  const send = (path: string, method = 'GET', body?: object): Promise<Response> =>
    fetch(service.url + path, { method, headers: { 'X-API-Key': key }, ...(body && { body: JSON.stringify(body) }) });
  const must = async <T>(path: string, method?: string, body?: object): Promise<T> => {
    const response = await send(path, method, body);
    if (!response.ok) throw new Error(await response.text());
    return (await response.json()) as T;
  };
  const range = { symbols: ['EURUSD', 'BTCUSD'], from: iso(FROM), to: iso(TO) };
  const { id } = await must<ReplaySession>('/api/replays', 'POST', range);
  await practise(id, (method, path, body) => must(path, method, body));
  await must(`/api/replays/${id}`, 'PATCH', { seek: iso(CLOCK) });
  const listed = async (query: string): Promise<[header: string | null, isPractice: boolean[]]> => {
    const response = await send(`/api/signals?status=all&limit=500&replay=${id}&${query}`);
    const { items } = (await response.json()) as SignalList;
    return [
      response.headers.get('practice'),
      [...new Set(items.map((item) => item.id.startsWith('practice_')))].sort(),
    ];
  };
  expect(await listed('')).toEqual([null, [false, true]]);
  expect(await listed('user=practice')).toEqual(['true', [true]]);
  expect(await listed('user=pub_a')).toEqual([null, []]);
  expect(await listed(`user=${encodeURIComponent(name)}`)).toEqual([null, [true]]);
  const statusOf = async (signal: string, query = ''): Promise<[number, string | null]> => {
    const { status, headers } = await send(`/api/signals/${signal}?replay=${id}${query}`);
    return [status, headers.get('practice')];
  };
  const published = logged.filter(
    ({ record: { type }, knownAt }) => type === 'published' && knownAt < CLOCK - HOUR_MS / 2,
  );
  for (const {
    record: { signal, symbol },
  } of published)
    expect([symbol, ...(await statusOf(signal))]).toEqual([symbol, symbol === 'XAUUSD' ? 404 : 200, null]);
  expect(published.length).toBeGreaterThan(10);
  expect(await statusOf('practice_1')).toEqual([200, 'true']);
  expect(await statusOf(published[0]!.record.signal, '&windows=true')).toEqual([400, null]);
  await must(`/api/replays/${id}`, 'DELETE');
});
