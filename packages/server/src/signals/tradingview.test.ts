// TradingView alerts: published through a webhook whose address is a secret that allows nothing else.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test';
import type { ActiveSignal } from '@tickwire/contract';
import { anotherKey } from '../../testing/access.fixture.ts';
import { BUY, codeOf, EURO, TestMarket, TestPublisher } from '../../testing/publisher.fixture.ts';
import { type RunningService, startService } from '../../testing/service.fixture.ts';
import { StreamClient } from '../../testing/stream-client.fixture.ts';
import type { CreatedKey } from '../access/issue-key.ts';
import { createLog } from '../ops/log.ts';

let service: RunningService;
let market: TestMarket;
let hook: CreatedKey;
let reader: TestPublisher;
const logged: string[] = [];
beforeAll(async () => {
  const log = createLog({ level: 'debug', plain: false, write: (line) => logged.push(line) });
  service = await startService({ feeds: 'push' }, log);
  market = await TestMarket.of(service);
  reader = await TestPublisher.of(service);
});
afterAll(() => service.stop());
beforeEach(async () => {
  hook = await service.key('premium', ['hook']);
  await market.quote(...EURO);
});

const alert = (body: unknown, token = hook.key): Promise<Response> =>
  fetch(`${service.url}/hooks/tradingview/${token}`, {
    method: 'POST',
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
const published = async (body: unknown): Promise<ActiveSignal> => {
  const response = await alert(body);
  expect([response.status, response.headers.get('content-type')]).toEqual([201, 'application/json']);
  return (await response.json()) as ActiveSignal;
};
const count = async (): Promise<number> =>
  (await reader.read<{ count: number }>(`/api/signals?status=all&user=${hook.account.publicId}`)).count;

/** As TradingView fills in placeholders: strings, with the exchange before the ticker. */
const ALERT = {
  symbol: 'OANDA:EURUSD',
  direction: 'LONG',
  entry: '1.08412',
  stop_loss: '1.082',
  take_profit: ' 1.088 ',
};

describe('an alert', () => {
  test('is published for the account of the webhook', async () => {
    const signal = await published({ ...ALERT, note: 'Golden cross' });
    expect(signal).toMatchObject({ ...BUY, user: hook.account.name, status: 'active' });
    expect(await reader.detail(signal.id)).toMatchObject({
      publisher: hook.account.publicId,
      order: 'market',
      note: 'Golden cross',
    });
  });

  test.each([
    ['symbol', ['EURUSD', 'eurusd', 'FX:EURUSD', ' FX_IDC:EURUSD ']],
    ['direction', ['buy', 'Buy', 'long', ' LONG']],
    ['entry', [1.08412, '1.08412', '1.0841200', ' 1.08412', '108412e-5']],
  ])('accepts several spellings of %s', async (field, values) => {
    for (const value of values) expect(await published({ ...ALERT, [field]: value })).toMatchObject(BUY);
  });

  test('treats short and sell alike', async () => {
    const levels = { symbol: 'EURUSD', entry: '1.084', stop_loss: '1.086', take_profit: '1.08' };
    for (const direction of ['short', 'SELL'])
      expect(await published({ ...levels, direction })).toMatchObject({ direction: 'sell' });
  });

  test('accepts JSON as text/plain, which TradingView sends if it does not recognize JSON', async () => {
    const response = await fetch(`${service.url}/hooks/tradingview/${hook.key}`, {
      method: 'POST',
      body: JSON.stringify(ALERT),
      headers: { 'Content-Type': 'text/plain; charset=utf-8' },
    });
    expect(response.status).toBe(201);
  });

  test('with the documented template is published once its placeholders are filled in', async () => {
    const page = await Bun.file(new URL('../../../../docs/reference/signals.md', import.meta.url)).text();
    const template = /## TradingView.*?```json\n(.*?)```/s.exec(page)![1]!;
    const chart: Readonly<Record<string, string>> = {
      ticker: 'EURUSD',
      exchange: 'OANDA',
      time: '2026-11-13T10:00:00Z',
      close: '1.08412',
      plot_0: '1.082',
      plot_1: '1.088',
      interval: '15',
    };
    const signal = await published(template.replace(/\{\{(\w+)\}\}/g, (_, name: string) => chart[name]!));
    expect(signal).toMatchObject(BUY);
    expect(await reader.detail(signal.id)).toMatchObject({ note: 'Breakout on 15' });
  });

  test('that repeats its id publishes once; a different alert with that id is a conflict', async () => {
    const first = await published({ ...ALERT, id: 'EURUSD 2026-11-13T10:00' });
    expect(await published({ ...ALERT, id: 'EURUSD 2026-11-13T10:00' })).toEqual(first);
    const both = await Promise.all([1, 2, 3].map(() => published({ ...ALERT, id: 'b' })));
    expect(new Set(both.map(({ id }) => id)).size).toBe(1);
    expect(await codeOf(await alert({ ...ALERT, id: 'b', note: 'x' }))).toEqual([409, 'idempotency_conflict']);
    expect(await count()).toBe(2);
  });

  test('has an id that never collides with an Idempotency-Key of the same account', async () => {
    const both = await service.key('premium', ['publish', 'hook']);
    const own = new TestPublisher(service, both);
    await alert({ ...ALERT, id: 'a' }, both.key);
    for (const key of ['a', 'tradingview a'])
      expect((await own.publish({ ...BUY, note: key }, { 'Idempotency-Key': key })).status).toBe(201);
  });

  test('that is invalid gets an error for each field and publishes nothing', async () => {
    const wrong = { ...ALERT, direction: 'flat', entry: '{{close}}', stop_loss: '', take_profit: '1,088', id: 7 };
    const response = await alert(wrong);
    expect(response.status).toBe(400);
    const { errors } = (await response.json()) as { errors: { parameter: string; value: string }[] };
    expect(errors.map(({ parameter, value }) => [parameter, value])).toEqual([
      ['direction', '"flat"'],
      ['entry', '"{{close}}"'],
      ['stop_loss', '""'],
      ['take_profit', '"1,088"'],
      ['id', '7'],
    ]);
    const cases: [unknown, number, string][] = [
      ['EURUSD crossing 1.08412', 400, 'malformed_body'],
      [{ ...ALERT, symbol: 'BINANCE:BTCUSDT.P' }, 404, 'symbol_not_found'],
      [{ ...ALERT, stop_loss: '1.0820001' }, 422, 'finer_than_digits'],
      [{ ...ALERT, direction: 'short' }, 422, 'levels_out_of_order'],
      [{ ...ALERT, direction: 'constructor' }, 400, 'invalid_parameter'],
    ];
    for (const [body, status, code] of cases) expect(await codeOf(await alert(body))).toEqual([status, code]);
    expect(await count()).toBe(0);
  });
});

describe('the webhook', () => {
  test('responds like other endpoints, with the rate limit of the account', async () => {
    const response = await alert(ALERT);
    expect(response.headers.get('ratelimit-policy')).toBe('"minute";q=300;w=60');
    expect(response.headers.get('x-ratelimit-remaining')).toBe('299');
    expect((await alert('{}')).headers.get('x-ratelimit-remaining')).toBe('298');
    const free = await service.key('free', ['hook']);
    for (let at = 0; at < 60; at++) await alert('{}', free.key);
    const over = await alert(ALERT, free.key);
    expect([over.status, Number(over.headers.get('retry-after'))]).toEqual([429, expect.any(Number)]);
  });

  test('rejects a wrong token (401) and a key without the scope (403)', async () => {
    for (const token of ['tw_bad', `${hook.key}x`, 'constructor', '%00'])
      expect(await codeOf(await alert(ALERT, token))).toEqual([401, 'invalid_key']);
    const publisher = await service.key('premium', ['read', 'publish', 'ingest', 'admin']);
    expect(await codeOf(await alert(ALERT, publisher.key))).toEqual([403, 'missing_scope']);
    const brief = await anotherKey(service.folder, hook.account, Date.now() + 20, ['hook']);
    await service.app.keyring.refresh();
    await Bun.sleep(30);
    expect(await codeOf(await alert(ALERT, brief.key))).toEqual([401, 'invalid_key']);
    expect(await codeOf(await fetch(`${service.url}/hooks/tradingview/${hook.key}`))).toEqual([
      405,
      'method_not_allowed',
    ]);
    expect(await codeOf(await alert(ALERT, ''))).toEqual([404, 'not_found']);
    expect(await count()).toBe(0);
  });

  test('uses a key that cannot read, publish, close, push or stream', async () => {
    const own = new TestPublisher(service, hook);
    const { id } = await published(ALERT);
    for (const path of ['/api/signals', `/api/signals/${id}`, '/api/session', '/api/usage', '/api/feeds'])
      expect(await codeOf(await own.get(path))).toEqual([403, 'missing_scope']);
    expect(await codeOf(await own.publish(BUY))).toEqual([403, 'missing_scope']);
    expect(await codeOf(await own.close(id))).toEqual([403, 'missing_scope']);
    expect(await codeOf(await own.post('/ingest/ticks', '{}'))).toEqual([403, 'missing_scope']);
    for (const channel of ['market', 'signals', 'ingest'])
      await expect(StreamClient.open(`${service.wsUrl}/ws/${channel}`, hook.key)).rejects.toThrow('not opened');
    expect((await reader.detail(id)).status).toBe('active');
  });

  test('is never logged, not even if it was misspelled', async () => {
    const { key } = hook;
    await alert(ALERT);
    await alert('{');
    for (const path of [`/hooks/tradingview/${key}/`, `//hooks/tradingview/${key}`, `/Hooks/TradingView/${key}`])
      expect((await fetch(service.url + path, { method: 'POST', body: '{' })).ok).toBe(false);
    expect(logged.filter((line) => line.includes('/hooks/tradingview/…')).length).toBeGreaterThan(2);
    expect(logged.filter((line) => line.includes(key.split('_').at(-1)!))).toEqual([]);
  });
});
