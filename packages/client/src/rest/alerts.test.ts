// Alerts against a real service: created, streamed while they fire, delivered to a webhook, and verified there.
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { type RunningService, startService } from 'tickwire/testing/service.fixture.ts';
import { until } from '../../testing/fake-service.ts';
import { TickwireClient } from '../client.ts';
import { verifyWebhook } from '../webhooks.ts';

const received: { readonly body: string; readonly headers: Headers }[] = [];
const receiver = Bun.serve({
  port: 0,
  hostname: '127.0.0.1',
  async fetch(request) {
    received.push({ body: await request.text(), headers: request.headers });
    return new Response(null, { status: 204 });
  },
});
const hook = { channel: 'webhook', url: `http://127.0.0.1:${receiver.port}/hook` } as const;

let service: RunningService;
let client: TickwireClient;
const push = (bid: number) =>
  client.ingestTicks([{ symbol: 'EURUSD', time: Date.now(), bid, ask: Number((bid + 0.0001).toFixed(5)) }]);

beforeAll(async () => {
  service = await startService({ feeds: 'push', spike_percent: '1000', delivery_allow_private: 'true' });
  const { key } = await service.key('premium', ['read', 'alerts', 'ingest']);
  client = new TickwireClient({ url: service.url, apiKey: key });
  await push(1.1);
});
afterAll(async () => {
  await service.stop();
  await receiver.stop(true);
});

test('an alert fires once, on the stream, in the list and at the webhook, under one id', async () => {
  const firings = client.live.alerts({ symbols: ['EURUSD'] });
  for await (const { state } of firings.states()) if (state === 'live') break;
  const created = await client.createAlert({
    symbol: 'EURUSD',
    condition: { type: 'price', cross: 'above', level: 1.2 },
    deliver: [hook],
    note: 'Sell half',
  });
  expect(created).toMatchObject({ state: 'active', fired: 0, condition: { side: 'bid' } });
  const [destination] = created.created_destinations;
  expect(destination?.secret).toStartWith('whsec_');
  for (const bid of [1.19, 1.21, 1.22, 1.19, 1.21]) await push(bid);

  const { value: fired } = await firings[Symbol.asyncIterator]().next();
  firings.close();
  expect(fired).toMatchObject({ alert_id: created.id, symbol: 'EURUSD', price: 1.21, note: 'Sell half', late: false });
  expect((await client.firings({ alert: created.id })).items.map(({ id }) => id)).toEqual([fired!.id]);
  expect(await client.alert(created.id)).toMatchObject({ state: 'done', fired: 1 });

  await until(() => received.length > 0, 'the webhook');
  const { body, headers } = received[0]!;
  const message = await verifyWebhook(body, headers, destination!.secret!);
  expect(message).toMatchObject({
    type: 'alert.fired',
    data: { alert_id: created.id, firing_id: fired!.id, symbol: 'EURUSD', price: 1.21, seq: fired!.event_seq },
  });
  let [delivery] = (await client.deliveries({ alert: created.id })).items;
  while (delivery?.state === 'waiting') {
    await Bun.sleep(5);
    [delivery] = (await client.deliveries({ alert: created.id })).items;
  }
  expect(delivery).toMatchObject({ id: headers.get('webhook-id'), state: 'delivered', attempts: 1 });
  expect(received).toHaveLength(1);
});

test('an alert is changed, paused, resumed, tested and deleted', async () => {
  const { id } = await client.createAlert({ symbol: 'eurusd', condition: { type: 'spread', above: 1 } });
  expect(await client.changeAlert(id, { repeat: 'every_time', cooldown_seconds: 60, deliver: [hook] })).toMatchObject({
    repeat: 'every_time',
    cooldown_seconds: 60,
    deliver: [{ channel: 'webhook' }],
    created_destinations: [],
  });
  expect(await client.pauseAlert(id)).toMatchObject({ id, state: 'paused' });
  expect((await client.alerts({ state: 'paused' })).items).toMatchObject([{ id }]);
  expect(await client.resumeAlert(id)).toMatchObject({ id, state: 'active' });
  const { deliveries } = await client.testAlert(id);
  const arrived = () => received.find(({ headers }) => headers.get('webhook-id') === deliveries[0]);
  await until(() => arrived() !== undefined, 'the test message');
  expect(JSON.parse(arrived()!.body)).toMatchObject({ type: 'test' });
  expect(await client.deleteAlert(id)).toMatchObject({ id });
  await expect(client.alert(id)).rejects.toMatchObject({ code: 'alert_not_found' });
});

test('the time zone and number format of messages are set one by one', async () => {
  expect(await client.preferences()).toEqual({ time_zone: 'UTC', number_format: 'en' });
  await client.setPreferences({ time_zone: 'Europe/Berlin' });
  expect(await client.setPreferences({ number_format: 'de' })).toEqual(await client.preferences());
  expect(await client.preferences()).toEqual({ time_zone: 'Europe/Berlin', number_format: 'de' });
  await expect(client.setPreferences({ time_zone: 'Mars/Olympus' })).rejects.toMatchObject({
    code: 'invalid_parameter',
  });
});

test('a subscription is created and deleted, and a destination with it', async () => {
  const { id, secret } = await client.createDestination({ ...hook, url: `${hook.url}/2`, name: 'desk' });
  expect(secret).toStartWith('whsec_');
  const subscription = await client.createSubscription({ symbol: 'EURUSD', deliver: [{ destination: id }] });
  expect((await client.subscriptions()).items).toMatchObject([{ id: subscription.id, symbol: 'EURUSD' }]);
  expect(await client.deleteSubscription(subscription.id)).toMatchObject({ id: subscription.id });
  expect((await client.testDestination(id)).deliveries).toHaveLength(1);
  expect(await client.deleteDestination(id)).toMatchObject({ id, name: 'desk' });
  expect((await client.destinations()).items.map((each) => each.id)).not.toContain(id);
});
