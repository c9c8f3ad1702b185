// `tickwire alerts` against a running service: from the command line to a signed webhook.
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { Webhook } from 'standardwebhooks';
import { runHere } from '../../testing/command.fixture.ts';
import { type RunningService, startService } from '../../testing/service.fixture.ts';

const received = new Map<string, { readonly body: string; readonly headers: Record<string, string> }>();
const receiver = Bun.serve({
  port: 0,
  hostname: '127.0.0.1',
  async fetch(request) {
    const headers = Object.fromEntries(request.headers);
    received.set(headers['webhook-id']!, { body: await request.text(), headers });
    return new Response(null, { status: 204 });
  },
});
const hook = `http://127.0.0.1:${receiver.port}/`;

let service: RunningService;
let key: string;
beforeAll(async () => {
  service = await startService({ delivery_allow_private: 'true' });
  ({ key } = await service.key('premium', ['read']));
});
afterAll(async () => {
  await service.stop();
  await receiver.stop(true);
});

const run = (...args: string[]) => runHere(args, { url: service.url, api_key: key });
const json = async (...args: string[]) => {
  const { status, out, err } = await run(...args, '--json');
  expect({ status, err }).toEqual({ status: 0, err: '' });
  return out
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line));
};

test('an alert of the command line reaches a webhook, signed, and the delivery log says so', async () => {
  const flags = ['--cross', 'above', '--level', '9', '--side', 'ask', '--repeat', 'every_time', '--note', 'Sell half'];
  const [created] = await json('alerts', 'create', 'eurusd', ...flags, '--webhook', hook);
  const [{ secret, id: destination }] = created.created_destinations;
  expect(created).toMatchObject({ symbol: 'EURUSD', state: 'active', repeat: 'every_time', note: 'Sell half' });
  const [{ deliveries }] = await json('alerts', 'test', created.id);
  const find = async () => (await json('deliveries', 'list', '--destination', destination))[0];
  let delivery = await find();
  while (delivery.state === 'waiting') {
    await Bun.sleep(10);
    delivery = await find();
  }
  expect(delivery).toMatchObject({ id: deliveries[0], type: 'test', state: 'delivered', attempts: 1 });
  const { body, headers } = received.get(deliveries[0])!;
  expect(new Webhook(secret).verify(body, headers)).toMatchObject({ type: 'test' });

  const { out } = await run('alerts', 'list');
  expect(out).toMatch(
    new RegExp(`\\n${created.id} +EURUSD +ask crosses above 9 +every time +active +0 +never +webhook `),
  );
  expect(await json('alerts', 'log', created.id)).toEqual([]);
  expect((await run('alerts', 'pause', created.id)).out).toBe(`Alert ${created.id} is paused.\n`);
  expect((await run('alerts', 'resume', created.id)).out).toStartWith(`Alert ${created.id} is active.`);
  expect((await run('alerts', 'delete', created.id)).out).toBe(`Alert ${created.id} is deleted.\n`);
  expect(await run('alerts', 'show', created.id)).toMatchObject({
    status: 1,
    err: expect.stringContaining('(alert_not_found)'),
  });
  expect((await run('destinations', 'delete', destination)).status).toBe(0);
});

test('a refused request names what is wrong', async () => {
  for (const [args, code] of [
    [['alerts', 'create', 'NOSUCH', '--stale', '60'], 'symbol_not_found'],
    [['alerts', 'create', '--stale', '60'], 'invalid_condition'],
    [['alerts', 'create', 'EURUSD', '--cross', 'sideways', '--level', '1'], 'invalid_parameter'],
    [['alerts', 'list', '--state', 'asleep'], 'invalid_parameter'],
    [['destinations', 'add', 'telegram'], 'channel_not_configured'],
    [['deliveries', 'replay', 'msg_0'], 'delivery_not_found'],
  ] as const)
    expect(await run(...args)).toMatchObject({ status: 1, out: '', err: expect.stringContaining(`(${code})`) });
});
