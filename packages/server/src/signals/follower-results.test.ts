// Results of followers, from the tape of a running service.
import { expect, test } from 'bun:test';
import { rmSync } from 'node:fs';
import { HOUR_MS } from '@tickwire/engine';
import { temporaryFolder } from '../../testing/service.fixture.ts';
import { NOON, PUBLISHER, RunningSignals } from '../../testing/signals/running-signals.fixture.ts';
import { Followers } from './follower-results.ts';

const followersOf = ({ store }: RunningSignals): Followers =>
  new Followers({ store: store.signals, tape: store.market, quotedAt: () => null });

test('followers trade at the first quotes after their delay', async () => {
  const folder = temporaryFolder();
  const running = await RunningSignals.open(folder);
  running.quote(0, 60_000, 60_001);
  const id = await running.publish({ entry: 60_001, stop_loss: 59_901, take_profit: 60_101 });
  // Filled after 2 s at 60,001. From then on the price rises by 10 a second, and reaches the target at 13 s.
  for (let second = 2; second <= 50; second++)
    running.quote(second, 60_000 + (second - 2) * 10, 60_001 + (second - 2) * 10);
  running.clock(120);
  expect(await running.closed(id)).toMatchObject({ reason: 'take_profit', pnl_r: 1 });
  await running.flush();
  const results = await followersOf(running).of(PUBLISHER.publicId, 10);
  // 5 s later, the follower buys at 60,051 and sells at 60,160.
  expect(results.items).toMatchObject([{ id, pnl_r: 1, follower_r: [1.09, 1.09, 1.09] }]);
  expect(results.delays.map(({ seconds, average_r }) => [seconds, average_r])).toEqual([
    [0, 1],
    [1, 1.09],
    [5, 1.09],
    [30, 1.09],
  ]);
  await running.stop();
  rmSync(folder, { recursive: true, force: true });
});

test('without quotes on the tape, the result of a follower is unknown and not counted', async () => {
  const folder = temporaryFolder();
  const running = await RunningSignals.open(folder);
  running.quote(0, 60_000, 60_001);
  const id = await running.publish({ entry: 60_001, stop_loss: 59_901, take_profit: 60_101 });
  running.quote(2, 60_000, 60_001);
  running.quote(13, 60_110, 60_111);
  running.clock(120);
  await running.closed(id);
  await running.flush();
  const results = await followersOf(running).of(PUBLISHER.publicId, 10);
  expect(results).toMatchObject({
    items: [{ follower_r: [null, null, null] }],
    unknown: 1,
    delays: [{ signals: 0, average_r: null }, {}, {}, {}],
  });
  await running.stop();
  rmSync(folder, { recursive: true, force: true });
});

test('an unknown result is searched again until the market has moved on, and is then kept', async () => {
  const folder = temporaryFolder();
  const running = await RunningSignals.open(folder);
  running.quote(0, 60_000, 60_001);
  const id = await running.publish({ entry: 60_001, stop_loss: 59_901, take_profit: 60_101 });
  running.quote(2, 60_000, 60_001);
  running.quote(13, 60_110, 60_111);
  running.clock(120);
  await running.closed(id);
  await running.flush();
  const { signals, market } = running.store;
  let searches = 0;
  let quotedAt = NOON + HOUR_MS;
  const tape = {
    firstTapeOf(...range: Parameters<typeof market.firstTapeOf>) {
      searches++;
      return market.firstTapeOf(...range);
    },
  };
  const followers = new Followers({ store: signals, tape, quotedAt: () => quotedAt });
  const searchesOf = async (): Promise<number> => {
    const before = searches;
    expect(await followers.of(PUBLISHER.publicId, 10)).toMatchObject({ count: 1, unknown: 1 });
    return searches - before;
  };
  expect(await searchesOf()).toBeGreaterThan(0);
  quotedAt = NOON + 2 * HOUR_MS;
  expect(await searchesOf()).toBeGreaterThan(0);
  expect(await searchesOf()).toBe(0);
  // A result that is kept is left out once its signal is void.
  await running.signals.service.void(id, 'a wrong price');
  expect(await followers.of(PUBLISHER.publicId, 10)).toMatchObject({ count: 0, unknown: 0 });
  await running.stop();
  rmSync(folder, { recursive: true, force: true });
});
