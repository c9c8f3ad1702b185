// The service is killed again and again around the firing of an alert: between the tick and the firing, while its message is
// sent, and before the outcome is stored. Every crossing fires once; its webhook arrives at least once, under one id and in order.
import { afterAll, expect, test } from 'bun:test';
import { rmSync } from 'node:fs';
import { AlertUser, crossing, HookReceiver } from '../../testing/alert-user.fixture.ts';
import { eventually, killLeftovers, ServiceProcess } from '../../testing/process.fixture.ts';
import { atScale } from '../../testing/scale.fixture.ts';
import { makeKey, temporaryFolder } from '../../testing/service.fixture.ts';

const ROUNDS = atScale(4, 20);
const TAPE_MS = 400;
const data = temporaryFolder();
const SETTINGS = { data, feeds: 'push', news: 'none', spike_percent: '50', delivery_allow_private: 'true' };

afterAll(async () => {
  await killLeftovers();
  rmSync(data, { recursive: true, force: true });
});

/** Asks seldom, within the allowance of the key. */
const slowly = (what: string, check: () => Promise<boolean>): Promise<void> =>
  eventually(what, async () => {
    if (await check()) return true;
    await Bun.sleep(200);
    return false;
  });

let service: ServiceProcess;
let pushKey = '';
async function quote(bid: number): Promise<void> {
  const body = JSON.stringify({ symbol: 'EURUSD', time: Date.now(), bid, ask: bid + 0.0001 });
  const headers = { 'X-API-Key': pushKey };
  const response = await fetch(`${service.url}/ingest/ticks`, { method: 'POST', body, headers });
  expect(await response.json()).toMatchObject({ accepted: 1 });
}

test('no crossing is lost, doubled or out of order, whenever the service is killed', async () => {
  await using receiver = await HookReceiver.open((attempt) => ({ status: attempt % 3 === 1 ? 500 : 204 }));
  service = await ServiceProcess.start(SETTINGS);
  pushKey = (await makeKey(data, 'premium', ['ingest'])).key;
  const { key } = await makeKey(data, 'premium', ['read', 'alerts']);
  await eventually('the new keys', async () => (await service.get('/api/usage', key)).ok);
  await quote(1.1);
  const deliver = [{ channel: 'webhook', url: receiver.url() }];
  await new AlertUser(service.url, key).alert({ condition: crossing(1.2), repeat: 'every_time', deliver });

  const prices: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const price = (1_210 + round) / 1_000;
    prices.push(price);
    await quote(1.1);
    // The tape is written five times a second: a crash loses what came later, as the source would have to know.
    await Bun.sleep(TAPE_MS);
    // The kill comes at a different moment in every round: the answer to the push may be lost with it.
    const pushed = quote(price).catch(() => {});
    await Bun.sleep((round * 7) % 60);
    await service.kill();
    await pushed;
    service = await ServiceProcess.start(SETTINGS);
    // As a source does that got no answer. It is no second crossing if the first was judged.
    await quote(price);
    const user = new AlertUser(service.url, key);
    await slowly('the firing', async () => (await user.firings()).length === prices.length);
  }
  const user = new AlertUser(service.url, key);
  await slowly('all deliveries', async () => (await user.deliveries()).every(({ state }) => state === 'delivered'));
  const firings = (await user.firings()).reverse();
  expect(firings.map(({ price }) => price)).toEqual(prices);
  expect(await user.deliveries()).toHaveLength(prices.length);
  const idOf = new Map<number, string>();
  for (const { id, message } of receiver.received) {
    const price = message.data.price!;
    expect(idOf.get(price) ?? id).toBe(id);
    idOf.set(price, id);
  }
  expect([...idOf.keys()]).toEqual(prices);
  await service.stop();
});
