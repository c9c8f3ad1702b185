// Thousands of signals that close on one tick, in a whole service: ticks and requests that follow hardly wait.
import { expect, test } from 'bun:test';
import { rmSync } from 'node:fs';
import { computed, longestTurn } from '../../testing/event-loop.fixture.ts';
import { TestMarket } from '../../testing/publisher.fixture.ts';
import { startService, temporaryFolder } from '../../testing/service.fixture.ts';
import { writeLargeLog } from '../../testing/signals/large-log.fixture.ts';

const SIGNALS = 10_000;

test('the event loop keeps turning while 10,000 signals close on one tick', async () => {
  const folder = temporaryFolder();
  await writeLargeLog({ folder, publishers: 100, signals: SIGNALS, active: SIGNALS });
  const service = await startService({ feeds: 'push', data: folder });
  const market = await TestMarket.of(service);
  const closed: number[] = [];
  service.app.journal.subscribe(({ events }) => {
    for (const event of events) if (event.kind === 'signal_closed') closed.push(event.n);
  });
  await market.quote('EURUSD', 1.084, 1.0841);
  const before = computed();
  const longest = await longestTurn(async () => {
    await market.quote('EURUSD', 1.0795, 1.0796);
    while (closed.length < SIGNALS) await Bun.sleep(1);
  });
  console.log(
    `mass closing: ${SIGNALS} signals in ${Math.round(computed() - before)} ms of computing, at most ${Math.round(longest)} ms at a time`,
  );
  expect(closed).toEqual(Array.from({ length: SIGNALS }, (_, at) => closed[0]! + at));
  expect(longest).toBeLessThan(300);
  await service.stop();
  rmSync(folder, { recursive: true, force: true });
});
