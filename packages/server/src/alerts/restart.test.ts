// Alerts across a restart: each fires exactly if the market without the restart would have fired it, and none twice.
import { afterEach, expect, test } from 'bun:test';
import { rmSync } from 'node:fs';
import type { Alert } from '@tickwire/contract';
import { asSymbol } from '@tickwire/engine';
import { AlertUser, crossing, HookReceiver } from '../../testing/alert-user.fixture.ts';
import { eventually } from '../../testing/process.fixture.ts';
import { BUY, TestMarket, TestPublisher } from '../../testing/publisher.fixture.ts';
import { type RunningService, startService, temporaryFolder } from '../../testing/service.fixture.ts';

const SETTINGS = { feeds: 'push', spike_percent: '50', delivery_allow_private: 'true' };

let data = '';
let service: RunningService;
let market: TestMarket;
async function start(): Promise<void> {
  data ||= temporaryFolder();
  service = await startService({ ...SETTINGS, data });
  market = await TestMarket.of(service);
}
async function restart(): Promise<void> {
  await service.stop();
  await start();
}
afterEach(async () => {
  await service.stop();
  rmSync(data, { recursive: true, force: true });
  data = '';
});

const euro = (bid: number): Promise<void> => market.quote('EURUSD', bid, bid + 0.0001);

test('an alert that was armed before fires after it, and one beyond its level does not', async () => {
  await start();
  const { key } = await AlertUser.of(service);
  await euro(1.1);
  const armed = await new AlertUser(service.url, key).alert({ condition: crossing(1.2) });
  await new AlertUser(service.url, key).alert({ condition: crossing(1.05) });
  await restart();
  const user = new AlertUser(service.url, key);
  expect(await user.must('GET', '/api/alerts')).toMatchObject({ count: 2 });
  // The first price after the restart is compared with the last one before it.
  await euro(1.21);
  await eventually('the firing', async () => (await user.firings()).length > 0);
  await euro(1.22);
  expect((await user.firings()).map(({ alert_id }) => alert_id)).toEqual([armed.id]);
  await restart();
  expect(await new AlertUser(service.url, key).firings()).toHaveLength(1);
});

test('an alert that fired is not fired again by the same wick, and counts its firings', async () => {
  await start();
  const { key } = await AlertUser.of(service);
  let user = new AlertUser(service.url, key);
  await euro(1.1);
  const { id } = await user.alert({ condition: crossing(1.2), repeat: 'every_time' });
  await euro(1.2001);
  await eventually('the firing', async () => (await user.firings()).length === 1);
  await restart();
  user = new AlertUser(service.url, key);
  // Within the hysteresis of the level.
  await euro(1.2);
  await euro(1.2001);
  await euro(1.1);
  await euro(1.21);
  await eventually('the second firing', async () => (await user.firings()).length === 2);
  expect(await user.must('GET', `/api/alerts/${id}`)).toMatchObject({ fired: 2, state: 'active' });
});

test('a paused alert does not hide the last price of its instrument from a new one', async () => {
  await start();
  const { key } = await AlertUser.of(service);
  let user = new AlertUser(service.url, key);
  await market.quote('EURUSD', 1.1, 1.1001, Date.now() - 30 * 60_000);
  const { id } = await user.alert({ condition: crossing(1.5) });
  await user.must('POST', `/api/alerts/${id}/pause`);
  // The quote is older than the part of the tape that is replayed.
  for (let run = 0; run < 2; run++) {
    await service.app.store.market.setNumber('bars_until', Math.floor(Date.now() / 60_000) * 60_000);
    await restart();
  }
  user = new AlertUser(service.url, key);
  await user.alert({ condition: crossing(1.2) });
  await euro(1.3);
  await eventually('the firing', async () => (await user.firings()).length === 1);
});

test('an alert on an instrument that is not configured any more does not prevent the start', async () => {
  await start();
  const { key } = await AlertUser.of(service);
  await euro(1.1);
  await new AlertUser(service.url, key).alert({ condition: crossing(1.2) });
  const { alerts } = service.app.store;
  const [row] = await alerts.alerts();
  const close = { type: 'bar_close', interval: '1m', close: 'above', level: 1 };
  await alerts.putAlert({ ...row!, id: 'alr_gone', symbol: asSymbol('GONE'), condition: JSON.stringify(close) });
  const sma = { type: 'indicator', indicator: 'sma(3)', interval: '1m', cross: 'above', value: 1 };
  await alerts.putAlert({
    ...row!,
    id: 'alr_sma',
    symbol: asSymbol('GONE'),
    condition: JSON.stringify(sma),
    state: null,
  });
  await restart();
  await restart();
  const user = new AlertUser(service.url, key);
  const list = await user.must<{ items: readonly Alert[] }>('GET', '/api/alerts');
  expect(list.items.map(({ id, state, not_checked }) => [id.slice(0, 8), state, not_checked]).toSorted()).toEqual([
    [row!.id.slice(0, 8), 'active', null],
    ['alr_gone', 'active', 'instrument_not_configured'],
    ['alr_sma', 'active', 'instrument_not_configured'],
  ]);
  const paused = await user.must<Alert>('POST', '/api/alerts/alr_gone/pause');
  expect([paused.state, paused.not_checked]).toEqual(['paused', null]);
  await euro(1.21);
  await eventually('the firing', async () => (await user.firings()).length === 1);
});

test('a late tick from before the alert was set, and one from before the newest, fire nothing', async () => {
  await start();
  const user = await AlertUser.of(service);
  const now = Date.now();
  await market.quote('EURUSD', 1.1, 1.1001, now - 2_000);
  await user.alert({ condition: crossing(1.2) });
  await market.quote('EURUSD', 1.3, 1.3001, now - 1_900);
  await market.quote('EURUSD', 1.1, 1.1001, now + 10);
  await Bun.sleep(100);
  expect(await user.firings()).toEqual([]);
});

test('a message that waits is delivered after it, with the same id, and the log continues', async () => {
  let isDown = true;
  await using receiver = await HookReceiver.open(() => ({ status: isDown ? 503 : 204 }));
  await start();
  const { key } = await AlertUser.of(service);
  let user = new AlertUser(service.url, key);
  const publisher = await TestPublisher.of(service);
  await market.quote('EURUSD', 1.084, 1.08412);
  const deliver = [{ channel: 'webhook', url: receiver.url() }];
  await user.subscription({ publisher: publisher.name, mirror: true, deliver });
  const { id } = await publisher.published(BUY);
  const [first] = await receiver.wait(1);
  expect(first!.message).toMatchObject({ type: 'signal.published', data: { signal: { id } } });
  await restart();
  isDown = false;
  await market.quote('EURUSD', 1.084, 1.08412);
  user = new AlertUser(service.url, key);
  await eventually(
    'both messages',
    async () => (await user.deliveries()).filter(({ state }) => state === 'delivered').length >= 2,
    9_000,
  );
  const delivered = (await user.deliveries()).reverse();
  expect(delivered.map(({ type }) => type)).toEqual(['signal.published', 'signal.filled']);
  expect(delivered[0]!.id).toBe(first!.id);
});

test('a request whose response was lost in a crash creates nothing twice, and its secret is returned', async () => {
  await start();
  const issued = await service.key('premium', ['read', 'alerts']);
  const deliver = [{ channel: 'webhook', url: 'http://127.0.0.1:9/' }];
  const requests = [
    ['/api/alerts', { symbol: 'EURUSD', condition: crossing(1.2), deliver }],
    ['/api/subscriptions', { symbol: 'EURUSD', deliver: [{ channel: 'webhook', url: 'http://127.0.0.1:9/other' }] }],
    ['/api/destinations', { channel: 'webhook', url: 'http://127.0.0.1:9/third' }],
  ] as const;
  const post = () =>
    Promise.all(
      requests.map(async ([path, body], index) => {
        const headers = { 'Idempotency-Key': `lost ${index}` };
        const response = await new AlertUser(service.url, issued.key).send('POST', path, body, headers);
        expect(response.ok).toBe(true);
        return response.json();
      }),
    );
  const first = await post();
  expect(JSON.stringify(first).match(/whsec_/g)).toHaveLength(3);
  // The responses were not remembered: only the newest one is kept.
  const newest = { channel: 'webhook', url: 'http://127.0.0.1:9/newest' };
  await new AlertUser(service.url, issued.key).send('POST', '/api/destinations', newest, { 'Idempotency-Key': 'new' });
  await service.app.store.access.trimResponses(issued.account.id, 0);
  await restart();
  expect(await post()).toEqual(first);
  const user = new AlertUser(service.url, issued.key);
  for (const path of ['/api/alerts', '/api/subscriptions'])
    expect(await user.must('GET', path)).toMatchObject({ count: 1 });
});
