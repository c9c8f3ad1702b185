import { expect, test } from 'bun:test';
import { rmSync } from 'node:fs';
import { MINUTE_MS } from '@tickwire/engine';
import { withAccessStore } from '../../testing/access.fixture.ts';
import { makeKey, startService, temporaryFolder } from '../../testing/service.fixture.ts';

test('Retry-After is correct, rejected requests do not count, and counts survive a restart', async () => {
  const folder = temporaryFolder();
  const issued = await makeKey(folder, 'free', ['read']);
  /** Starts the service `room` ms before 60 saved requests leave the window, and sends ten more. */
  const restart = async (room: number) => {
    const resetsAt = Date.now() + room;
    const requests = Array.from({ length: 60 }, () => resetsAt - MINUTE_MS);
    await withAccessStore(folder, (store) =>
      store.saveUsage([{ accountId: issued.account.id, requests, aiDay: 0, aiCalls: 0 }]),
    );
    const restarted = await startService({ sim_rate: '500', data: folder });
    const ask = (): Promise<Response> =>
      fetch(`${restarted.url}/api/session`, { headers: { 'X-API-Key': issued.key } });
    const refused = await Promise.all(Array.from({ length: 10 }, ask));
    return { restarted, ask, refused, resetsAt, inTime: Date.now() < resetsAt };
  };
  let run = await restart(2_500);
  // On a busy machine the start alone can take that long.
  if (!run.inTime) {
    await run.restarted.stop();
    run = await restart(20_000);
  }
  const { restarted, ask, refused, resetsAt } = run;
  expect(refused.map(({ status }) => status)).toEqual(Array(10).fill(429));
  const seconds = Number(refused[0]!.headers.get('retry-after'));
  const truth = (resetsAt - Date.now()) / 1000;
  expect(seconds - truth).toBeWithin(-0.1, 1.1);
  await Bun.sleep(seconds * 1000);
  const response = await ask();
  expect([response.status, response.headers.get('x-ratelimit-remaining')]).toEqual([200, '59']);
  await restarted.stop();
  rmSync(folder, { recursive: true, force: true });
});
