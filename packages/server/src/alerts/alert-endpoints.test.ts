// Alerts over REST on a real service whose prices the test sets, with a real receiver of webhooks.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { Alert, AlertFiring, CreatedAlert, Delivery, Destination, WebhookMessage } from '@tickwire/contract';
import { AlertUser, crossing, HookReceiver } from '../../testing/alert-user.fixture.ts';
import { eventually } from '../../testing/process.fixture.ts';
import { BUY, codeOf, TestMarket, TestPublisher } from '../../testing/publisher.fixture.ts';
import { type RunningService, startService } from '../../testing/service.fixture.ts';
import { StreamClient } from '../../testing/stream-client.fixture.ts';

let service: RunningService;
let market: TestMarket;
beforeAll(async () => {
  service = await startService({ feeds: 'push', spike_percent: '50', delivery_allow_private: 'true' });
  market = await TestMarket.of(service);
});
afterAll(() => service.stop());

const euro = (bid: number): Promise<void> => market.quote('EURUSD', bid, bid + 0.0001);

describe('an alert', () => {
  test('fires when the price crosses its level, once, and its webhook is signed', async () => {
    await using receiver = await HookReceiver.open();
    const user = await AlertUser.of(service);
    await euro(1.1);
    const created = await user.alert({
      condition: crossing(1.2),
      note: 'Sell half',
      deliver: [{ channel: 'webhook', url: receiver.url() }],
    });
    expect(() => CreatedAlert.parse(created)).not.toThrow();
    expect(created).toMatchObject({ symbol: 'EURUSD', state: 'active', fired: 0, repeat: 'once' });
    const secret = created.created_destinations[0]!.secret!;
    expect(secret).toStartWith('whsec_');

    await euro(1.2);
    await euro(1.2001);
    await euro(1.1);
    await euro(1.3);
    const [hook] = await receiver.wait(1);
    receiver.verify(secret, hook!);
    expect(WebhookMessage.parse(hook!.message)).toMatchObject({
      type: 'alert.fired',
      data: { alert_id: created.id, symbol: 'EURUSD', condition: crossing(1.2), price: 1.2001, note: 'Sell half' },
    });
    const [firing, ...others] = await user.firings();
    expect(others).toEqual([]);
    expect(AlertFiring.parse(firing)).toMatchObject({ id: hook!.message.data.firing_id, late: false, price: 1.2001 });
    expect(firing!.seq).toBe(hook!.message.data.seq);
    await eventually('delivered', async () => (await user.deliveries())[0]?.state === 'delivered');
    const [delivery] = await user.deliveries();
    expect(Delivery.parse(delivery)).toMatchObject({ id: hook!.id, attempts: 1, channel: 'webhook', reason: null });
    expect(await user.must('GET', `/api/alerts/${created.id}`)).toMatchObject({ state: 'done', fired: 1 });
    await Bun.sleep(50);
    expect(receiver.received).toHaveLength(1);
  });

  test('whose level is already beyond the price does not fire until the price crosses it', async () => {
    const user = await AlertUser.of(service);
    await euro(1.3);
    await user.alert({ condition: crossing(1.25) });
    await euro(1.31);
    await euro(1.2);
    expect(await user.firings()).toEqual([]);
    await euro(1.26);
    await eventually('the firing', async () => (await user.firings()).length === 1);
  });

  test('is listed, changed, paused, resumed and deleted by its account only', async () => {
    const [user, other] = [await AlertUser.of(service), await AlertUser.of(service)];
    await euro(1.1);
    const { id } = await user.alert({ condition: crossing(1.2) });
    const path = `/api/alerts/${id}`;
    expect(await user.must('GET', '/api/alerts?symbol=eurusd&state=active')).toMatchObject({
      count: 1,
      items: [{ id }],
    });
    expect(await user.must('GET', '/api/alerts?symbol=XAUUSD')).toMatchObject({ count: 0 });
    for (const [method, at] of [
      ['GET', path],
      ['PATCH', path],
      ['DELETE', path],
      ['POST', `${path}/pause`],
      ['POST', `${path}/resume`],
      ['POST', `${path}/test`],
    ] as const)
      expect(await codeOf(await other.send(method, at, method === 'PATCH' ? {} : undefined))).toEqual([
        404,
        'alert_not_found',
      ]);

    const changed = await user.must<Alert>('PATCH', path, { note: 'Wait', condition: crossing(1.15) });
    expect(Alert.parse(changed)).toMatchObject({ note: 'Wait', condition: { level: 1.15 } });
    expect(await user.must('POST', `${path}/pause`)).toMatchObject({ state: 'paused' });
    await euro(1.16);
    expect(await user.must('POST', `${path}/resume`)).toMatchObject({ state: 'active', fired: 0 });
    await euro(1.17);
    expect(await user.firings()).toEqual([]);
    await euro(1.1);
    await euro(1.16);
    await eventually('the firing', async () => (await user.firings()).length === 1);
    // What is not judged does not restart it.
    expect(await user.must('PATCH', path, { note: 'Seen' })).toMatchObject({ state: 'done', note: 'Seen' });
    expect(await user.must('PATCH', path, { repeat: 'every_time' })).toMatchObject({ state: 'active', fired: 1 });
    expect(await user.must('DELETE', path)).toMatchObject({ id });
    expect(await codeOf(await user.send('GET', path))).toEqual([404, 'alert_not_found']);
    expect(await user.firings()).toHaveLength(1);
  });

  test('that cannot be judged or exceeds the tier is rejected, and creates nothing', async () => {
    const user = await AlertUser.of(service, 'free');
    const attempt = (body: object) => user.send('POST', '/api/alerts', body).then(codeOf);
    expect(await attempt({ condition: crossing(1) })).toEqual([422, 'invalid_condition']);
    expect(await attempt({ symbol: 'NONE', condition: crossing(1) })).toEqual([404, 'symbol_not_found']);
    expect(await attempt({ condition: { type: 'signal', publisher: 'nobody at all' } })).toEqual([
      404,
      'publisher_not_found',
    ]);
    const past = { symbol: 'EURUSD', condition: crossing(1), expires_at: '2020-01-01T00:00:00Z' };
    expect(await attempt(past)).toEqual([422, 'expiry_out_of_range']);
    expect(await attempt({ ...past, condition: { type: 'price' } })).toEqual([400, 'invalid_parameter']);
    expect(await user.must('GET', '/api/alerts')).toMatchObject({ count: 0 });
    for (let made = 0; made < 20; made++) await user.alert({ condition: crossing(2) });
    expect(await attempt({ symbol: 'EURUSD', condition: crossing(2) })).toEqual([409, 'too_many_alerts']);
  });

  test('is created once per Idempotency-Key, and its secret is returned again', async () => {
    const user = await AlertUser.of(service);
    const body = {
      symbol: 'EURUSD',
      condition: crossing(2),
      deliver: [{ channel: 'webhook', url: 'http://127.0.0.1:9/' }],
    };
    const post = () => user.send('POST', '/api/alerts', body, { 'Idempotency-Key': 'one' }).then((it) => it.json());
    const first = await post();
    expect(await post()).toEqual(first);
    expect(await user.must('GET', '/api/alerts')).toMatchObject({ count: 1 });
    // The address is a destination of the account already: no new secret.
    expect(await user.alert(body)).toMatchObject({
      created_destinations: [],
      deliver: [{ destination: (first as CreatedAlert).deliver[0]!.destination }],
    });
  });

  test('is sent to the streams of its account and to no other', async () => {
    const [user, other] = [await AlertUser.of(service), await AlertUser.of(service)];
    const open = async ({ key }: AlertUser) => {
      const stream = await StreamClient.open(`${service.wsUrl}/ws/alerts`, key);
      stream.send({ action: 'subscribe', seq: true });
      await stream.next((message) => message.event === 'subscribed');
      return stream;
    };
    const [mine, theirs] = [await open(user), await open(other)];
    await euro(1.1);
    const { id } = await user.alert({ condition: crossing(1.15) });
    await other.alert({ condition: crossing(1.16) });
    await euro(1.155);
    await euro(1.165);
    const message = await mine.next((it) => it.alert_id !== undefined);
    expect(message).toMatchObject({ alert_id: id, price: 1.155, prev: 0 });
    expect(message.seq as number).toBeGreaterThan(message.event_seq as number);
    expect(await theirs.next((it) => it.alert_id !== undefined)).toMatchObject({ price: 1.165 });
    expect(mine.messages.filter((it) => it.alert_id !== undefined)).toHaveLength(1);
    mine.close();
    theirs.close();
  });
});

describe('a test message', () => {
  test('goes to every destination of the alert and is no firing', async () => {
    await using receiver = await HookReceiver.open();
    const user = await AlertUser.of(service);
    const deliver = [
      { channel: 'webhook', url: receiver.url('/a') },
      { channel: 'webhook', url: receiver.url('/b') },
    ];
    const { id } = await user.alert({ condition: crossing(2), deliver });
    const { deliveries } = await user.must<{ deliveries: string[] }>('POST', `/api/alerts/${id}/test`);
    expect(deliveries).toHaveLength(2);
    const hooks = await receiver.wait(2);
    expect(hooks.map(({ message }) => message.type)).toEqual(['test', 'test']);
    expect(await user.firings()).toEqual([]);
  });
});

describe('a destination', () => {
  test('that failed is tried again with the same id, in order', async () => {
    await using receiver = await HookReceiver.open((attempt) => ({ status: attempt === 0 ? 500 : 204 }));
    const user = await AlertUser.of(service);
    await euro(1.1);
    await user.alert({
      condition: crossing(1.2),
      deliver: [{ channel: 'webhook', url: receiver.url() }],
    });
    await euro(1.21);
    const hooks = await receiver.wait(2);
    expect(hooks[1]!.id).toBe(hooks[0]!.id);
    await eventually('delivered', async () => (await user.deliveries())[0]?.state === 'delivered');
    expect((await user.deliveries())[0]).toMatchObject({ attempts: 2 });
  });

  test('other than a webhook must be verified with the code it received', async () => {
    await using receiver = await HookReceiver.open();
    const user = await AlertUser.of(service);
    const created = await user.destination({ channel: 'slack', url: receiver.url('/slack') });
    expect(created).toMatchObject({ state: 'unverified', secret: null, link: null });
    const path = `/api/destinations/${created.id}`;
    expect(await codeOf(await user.send('POST', `${path}/test`))).toEqual([409, 'destination_unverified']);
    const [sent] = await receiver.wait(1);
    const code = /\b\d{6}\b/.exec(sent!.text)![0];
    const wrong = code === '000000' ? '000001' : '000000';
    expect(await codeOf(await user.send('POST', `${path}/verify`, { code: wrong }))).toEqual([
      422,
      'wrong_destination_code',
    ]);
    const verified = await user.must<Destination>('POST', `${path}/verify`, { code });
    expect(Destination.parse(verified)).toMatchObject({ state: 'active' });
    expect(await user.must('POST', `${path}/verify`, { code: wrong })).toMatchObject({ state: 'active' });
    await user.must('POST', `${path}/test`);
    await receiver.wait(2);
    expect(await user.must('DELETE', path)).toMatchObject({ id: created.id });
    expect(await user.must('GET', '/api/destinations')).toMatchObject({ count: 0 });
  });

  test('takes no code after five wrong ones', async () => {
    await using receiver = await HookReceiver.open();
    const user = await AlertUser.of(service);
    const { id } = await user.destination({ channel: 'discord', url: receiver.url('/discord') });
    const code = /\b\d{6}\b/.exec((await receiver.wait(1))[0]!.text)![0];
    const wrong = code === '000000' ? '000001' : '000000';
    // All at once: guesses cannot outrun their count.
    const guess = () => user.send('POST', `/api/destinations/${id}/verify`, { code: wrong });
    for (const response of await Promise.all(Array.from({ length: 5 }, guess))) expect(response.status).toBe(422);
    expect(await codeOf(await user.send('POST', `/api/destinations/${id}/verify`, { code }))).toEqual([
      422,
      'wrong_destination_code',
    ]);
  });
});

describe('a mirror', () => {
  test('posts every publication, fill and closing of a publisher in the order of the log', async () => {
    await using receiver = await HookReceiver.open();
    const [user, publisher] = [await AlertUser.of(service), await TestPublisher.of(service)];
    await market.quote('EURUSD', 1.084, 1.08412);
    const created = await user.subscription({
      publisher: publisher.name,
      mirror: true,
      deliver: [{ channel: 'webhook', url: receiver.url() }],
    });
    expect(created).toMatchObject({ publisher: { id: publisher.id }, mirror: true, delay_seconds: 0 });
    const { id } = await publisher.open(BUY, market);
    await publisher.closed(id, market);
    const hooks = await receiver.wait(3);
    expect(hooks.map(({ message }) => message.type)).toEqual(['signal.published', 'signal.filled', 'signal.closed']);
    for (const { message } of hooks) expect(message.data).toMatchObject({ alert_id: created.id, signal: { id } });
    await user.must('DELETE', `/api/subscriptions/${created.id}`);
    expect(await user.must('GET', '/api/subscriptions')).toMatchObject({ count: 0 });
  });
});
