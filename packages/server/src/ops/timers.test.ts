import { expect, test } from 'bun:test';
import { silentLog } from './log.ts';
import { Timers } from './timers.ts';

test('stopping waits for a run in progress and starts no other', async () => {
  const timers = new Timers(silentLog);
  const work = Promise.withResolvers<void>();
  let runs = 0;
  let stopped = false;
  timers.every(
    1,
    'the work',
    () => {
      runs++;
      return work.promise;
    },
    { immediately: true },
  );
  const stopping = timers.stop().then(() => {
    stopped = true;
  });
  await Bun.sleep(20);
  expect(stopped).toBe(false);
  work.resolve();
  await stopping;
  await Bun.sleep(20);
  expect(runs).toBe(1);
});
