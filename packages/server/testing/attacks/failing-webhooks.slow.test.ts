// Accounts whose webhooks fail or never answer, at the host where another account has its webhook: its messages arrive as if they
// were alone. And a webhook that is slow makes no stop unclean and gets no message twice.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { rmSync } from 'node:fs';
import { AlertUser } from '../alert-user.fixture.ts';
import { FakeHttp } from '../delivery/fake-http.fixture.ts';
import { startWatch } from '../event-loop.fixture.ts';
import { eventually, ServiceProcess } from '../process.fixture.ts';
import { atScale } from '../scale.fixture.ts';
import { makeKey, temporaryFolder } from '../service.fixture.ts';

const folder = temporaryFolder();
const settings = { data: folder, news: 'none', house: 'none', delivery_allow_private: 'true' };
/** When requests arrived, by path. */
const arrivals = new Map<string, number[]>();
const receiver = new FakeHttp(async ({ path, at }, closed) => {
  arrivals.set(path, [...(arrivals.get(path) ?? []), at]);
  if (path.startsWith('/hang')) await new Promise((resolve) => closed.addEventListener('abort', resolve));
  if (path.startsWith('/slow')) await Bun.sleep(5_500);
  return { status: path.startsWith('/fail') ? 500 : 204 };
});
let service: ServiceProcess;
beforeAll(async () => {
  await receiver.listen();
  service = await ServiceProcess.start(settings);
});
afterAll(async () => {
  await service.kill();
  await receiver[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true, force: true });
});

async function accounts(count: number): Promise<AlertUser[]> {
  const users: AlertUser[] = [];
  for (let at = 0; at < count; at++)
    users.push(new AlertUser(service.url, (await makeKey(folder, 'free', ['read', 'alerts'])).key));
  // The service looks for new keys once a second.
  await eventually('the keys work', async () => (await users.at(-1)!.send('GET', '/api/usage')).status === 200);
  return users;
}
/** Creates a webhook at the receiver and sends it a test message. */
async function sendTo(user: AlertUser, path: string): Promise<void> {
  const { id } = await user.destination({ channel: 'webhook', url: receiver.url(path) });
  await user.must('POST', `/api/destinations/${id}/test`);
}
/** Milliseconds until a message of another account has arrived. */
async function delayOf(user: AlertUser, path: string): Promise<number> {
  const passed = startWatch();
  await sendTo(user, path);
  await eventually(`a message at ${path}`, () => arrivals.has(path));
  return passed();
}

describe('the messages of an account', () => {
  test('do not wait because eight webhooks of another fail at the same host', async () => {
    const [greedy, other] = (await accounts(2)) as [AlertUser, AlertUser];
    for (let at = 0; at < 8; at++) await sendTo(greedy, `/fail/${at}`);
    // Then the others wait.
    await eventually('five have failed', () => [...arrivals.keys()].filter((path) => path.includes('fail')).length > 4);
    expect(await delayOf(other, '/alone')).toBeLessThan(1_000);
  });

  test('are sent once to a slow webhook, although the service is stopped meanwhile, and the stop is clean', async () => {
    const [user] = (await accounts(1)) as [AlertUser];
    await sendTo(user, '/slow');
    await eventually('the message', () => arrivals.has('/slow'));
    const { status, ms } = await service.stop();
    service = await ServiceProcess.start(settings);
    await sendTo(new AlertUser(service.url, user.key), '/after');
    await eventually('the next message', () => arrivals.has('/after'));
    expect({ status, sent: arrivals.get('/slow')!.length }).toEqual({ status: 0, sent: 1 });
    expect(ms).toBeLessThan(14_000);
  });

  test('do not wait because webhooks of many accounts never answer', async () => {
    const users = await accounts(21);
    const other = users.pop()!;
    await Promise.all(
      users.map(async (user, account) => {
        for (let at = 0; at < atScale(8, 10); at++) await sendTo(user, `/hang/${account}/${at}`);
      }),
    );
    expect(await delayOf(other, '/quick')).toBeLessThan(1_000);
  });
});
