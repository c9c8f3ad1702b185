// What a tier and the state of an account mean for alerts and their messages.
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ENDPOINTS, type Endpoint } from '@tickwire/contract';
import { AlertUser, crossing, HookReceiver } from '../../testing/alert-user.fixture.ts';
import { eventually } from '../../testing/process.fixture.ts';
import { BUY, codeOf, TestMarket, TestPublisher } from '../../testing/publisher.fixture.ts';
import { type RunningService, startService, temporaryFolder } from '../../testing/service.fixture.ts';
import { alert } from '../../testing/store/alert-samples.fixture.ts';
import { openSqliteAccessStore } from '../store/sqlite/open-sqlite-store.ts';
import { AlertRows } from './alert-rows.ts';
import { AlertService, type AlertServiceOptions } from './alert-service.ts';

const data = temporaryFolder();
let service: RunningService;
let market: TestMarket;
beforeAll(async () => {
  const small = { requests_per_minute: 1_000, streams: 1, ai_calls_per_day: 0, alerts: 5, deliveries_per_day: 1 };
  const delayed = { ...small, deliveries_per_day: 100, delivery_delay_seconds: 60 };
  const config = join(data, 'tickwire.json');
  writeFileSync(config, JSON.stringify({ tiers: { small, delayed } }));
  service = await startService({ data, config, feeds: 'push', spike_percent: '50', delivery_allow_private: 'true' });
  market = await TestMarket.of(service);
});
afterAll(async () => {
  await service.stop();
  rmSync(data, { recursive: true, force: true });
});

const euro = (bid: number): Promise<void> => market.quote('EURUSD', bid, bid + 0.0001);

test('a key with the scope read changes nothing, and one with the scope alerts reads nothing', async () => {
  const [reader, writer] = await Promise.all(
    ['read', 'alerts'].map(async (scope) => new AlertUser(service.url, (await service.key('premium', [scope])).key)),
  );
  const endpoints = Object.values<Endpoint>(ENDPOINTS).filter(({ tag }) => tag === 'Alerts');
  const answers = endpoints.map(async ({ method, path }) => {
    const user = method === 'GET' ? writer! : reader!;
    return [method, path, ...(await codeOf(await user.send(method, path, method === 'GET' ? undefined : {})))];
  });
  expect(await Promise.all(answers)).toEqual(endpoints.map(({ method, path }) => [method, path, 403, 'missing_scope']));
  expect((await reader!.send('GET', '/api/alerts')).status).toBe(200);
  expect(await codeOf(await writer!.send('DELETE', '/api/alerts/alr_none'))).toEqual([404, 'alert_not_found']);
});

test('a message beyond those of the day is dead with the reason, and cannot be replayed on the same day', async () => {
  await using receiver = await HookReceiver.open();
  const user = await AlertUser.of(service, 'small');
  await euro(1.1);
  const deliver = [{ channel: 'webhook', url: receiver.url() }];
  for (const level of [1.2, 1.3]) await user.alert({ condition: crossing(level), deliver });
  await euro(1.25);
  await euro(1.35);
  await eventually('both firings', async () => (await user.firings()).length === 2);
  await receiver.wait(1);
  const [dead] = await user.deliveries();
  expect(dead).toMatchObject({ state: 'dead', reason: 'The small tier allows 1 messages per day (UTC).', attempts: 0 });
  expect(await codeOf(await user.send('POST', `/api/deliveries/${dead!.id}/replay`))).toEqual([409, 'not_replayable']);
  expect(receiver.received).toHaveLength(1);
});

test('tests of a destination count as messages, and their number per minute is limited', async () => {
  await using receiver = await HookReceiver.open();
  for (const [tier, allowed] of [
    ['small', 1],
    ['premium', 10],
  ] as const) {
    const user = await AlertUser.of(service, tier);
    const made = await user.send('POST', '/api/destinations', { channel: 'webhook', url: receiver.url(`/${tier}`) });
    const { id } = (await made.json()) as { id: string };
    const send = () => user.send('POST', `/api/destinations/${id}/test`);
    for (let count = 0; count < allowed; count++) expect((await send()).status).toBe(200);
    const refused = await send();
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(await codeOf(refused)).toEqual([429, 'rate_limited']);
    expect(await user.deliveries()).toHaveLength(allowed);
  }
});

test('messages about signals wait for the delay of the tier, of subscriptions and of alerts; others do not', async () => {
  await using receiver = await HookReceiver.open();
  const [user, publisher] = [await AlertUser.of(service, 'delayed'), await TestPublisher.of(service)];
  const [now, later] = [receiver.url('/now'), receiver.url('/later')];
  const { delay_seconds } = await user.subscription({
    publisher: publisher.name,
    deliver: [{ channel: 'webhook', url: later }],
  });
  expect(delay_seconds).toBe(60);
  await user.alert({
    condition: { type: 'signal', events: ['published'], publisher: publisher.name },
    deliver: [{ channel: 'webhook', url: now }],
  });
  await market.quote('EURUSD', 1.084, 1.08412);
  await publisher.published(BUY);
  await eventually('both messages', async () => (await user.deliveries()).length === 2);
  for (const waiting of await user.deliveries()) {
    expect(waiting.state).toBe('waiting');
    expect(Date.parse(waiting.next_attempt_at!) - Date.parse(waiting.created_at)).toBe(60_000);
  }
  // To the same destination, and not held up by those that are delayed.
  await user.alert({ condition: crossing(1.2), deliver: [{ channel: 'webhook', url: now }] });
  await euro(1.1);
  await euro(1.25);
  const [hook] = await receiver.wait(1);
  expect(hook!.message).toMatchObject({ type: 'alert.fired', data: { condition: crossing(1.2) } });
});

test('alerts of a disabled account are paused, and a deleted one is forgotten, also without alerts', async () => {
  const issued = await service.key('premium', ['read', 'alerts']);
  const user = new AlertUser(service.url, issued.key);
  const second = await service.key('premium', ['read', 'alerts']);
  await new AlertUser(service.url, second.key).destination({ channel: 'webhook', url: 'http://127.0.0.1:9/' });
  await euro(1.1);
  const { id } = await user.alert({ condition: crossing(1.2) });
  const { alerts, delivery } = service.app.store;
  const stored = async () => (await alerts.alerts()).find((row) => row.id === id);
  // As the command line does: from another process.
  const { access, close } = openSqliteAccessStore(data);
  await access.setDisabled(issued.account.id, Date.now());
  await eventually('the pause', async () => (await stored())?.paused === true);
  await access.deleteAccount(issued.account.id, Date.now());
  await access.deleteAccount(second.account.id, Date.now());
  await eventually('the deletion', async () => (await stored()) === undefined);
  const left = () => delivery.destinations(second.account.publicId);
  await eventually('the deletion of the destination', async () => (await left()).length === 0);
  close();
});

test('the preferences of a deleted account are gone, also if it had no alerts', async () => {
  const issued = await service.key('premium', ['read', 'alerts']);
  const { alerts } = service.app.store;
  await new AlertUser(service.url, issued.key).must('PATCH', '/api/preferences', { number_format: 'de' });
  expect(await alerts.preferences()).toHaveLength(1);
  const { access, close } = openSqliteAccessStore(data);
  await access.deleteAccount(issued.account.id, Date.now());
  await eventually('the deletion', async () => (await alerts.preferences()).length === 0);
  close();
});

test('requests that arrive together do not exceed the tier together', async () => {
  const user = await AlertUser.of(service, 'small');
  await euro(1.1);
  const posts = Array.from({ length: 8 }, (_, index) =>
    index % 2 === 0
      ? user.send('POST', '/api/alerts', { symbol: 'EURUSD', condition: crossing(1.2 + index) })
      : user.send('POST', '/api/subscriptions', { symbol: 'EURUSD', deliver: [{ channel: 'in_app' }] }),
  );
  const answers = await Promise.all(posts);
  expect(answers.map(({ status }) => status).sort()).toEqual([201, 201, 201, 201, 201, 409, 409, 409]);
});

test('alerts that are not active are limited as well', async () => {
  const user = await AlertUser.of(service, 'small');
  await euro(1.1);
  for (let made = 0; made < 25; made++) {
    const { id } = await user.alert({ condition: crossing(1.2) });
    if (made > 0) await user.must('POST', `/api/alerts/${id}/pause`);
  }
  expect(await codeOf(await user.send('POST', '/api/alerts', { symbol: 'EURUSD', condition: crossing(2) }))).toEqual([
    409,
    'too_many_alerts',
  ]);
});

test('alerts are deleted some time after they are over', async () => {
  const rows = new AlertRows();
  rows.put(alert('fired', { done: true, lastFiredAt: 5_000 }));
  rows.put(alert('expired', { done: true, expiresAt: 6_000 }));
  rows.put(alert('active', { lastFiredAt: 5_000 }));
  const deleted: string[] = [];
  const alerts = new AlertService({
    judge: { rows, remove: (id: string) => rows.delete(id) },
    writer: { settle: async () => {} },
    store: { deleteAlert: async (id: string) => void deleted.push(id) },
  } as unknown as AlertServiceOptions);
  await alerts.prune(5_500);
  expect(deleted).toEqual(['fired']);
  await alerts.prune(9_000);
  expect(rows.of('pub_a').map(({ id }) => id)).toEqual(['active']);
});
