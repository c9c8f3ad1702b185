// Requests while the store cannot write: they are in force at once, and written later.
import { afterAll, expect, spyOn, test } from 'bun:test';
import { rmSync } from 'node:fs';
import type { LogRecord } from '@tickwire/contract';
import { temporaryFolder } from '../../testing/service.fixture.ts';
import { RunningSignals } from '../../testing/signals/running-signals.fixture.ts';
import { StoreError } from '../errors/store-error.ts';

const folder = temporaryFolder();
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('an amendment and a request to close are in force at once, get a 503, and are written once', async () => {
  const run = await RunningSignals.open(folder);
  run.quote(0, 99.9, 100);
  const [tightened, closing] = [await run.publish(), await run.publish()];
  run.quote(1, 99.9, 100);
  await run.signals.ledger.drain();
  const { write } = run.store.signals;
  run.store.signals.write = () => Promise.reject(new StoreError('the disk is full'));
  // The limit of 5 s for writing passes at once.
  const { sleep } = Bun;
  const wait = spyOn(Bun, 'sleep').mockImplementation((ms) => sleep(ms === 5_000 ? 50 : ms));
  const requests = Promise.allSettled([run.amend(tightened, 95), run.close(closing)]);
  await Bun.sleep(10);
  // A publication is rejected and leaves nothing behind.
  await expect(run.publish()).rejects.toMatchObject({ code: 'store_unavailable' });
  run.quote(2, 94.9, 95);
  const refused = { status: 'rejected', reason: { code: 'store_unavailable' } };
  expect(await requests).toMatchObject([refused, refused]);
  wait.mockRestore();
  expect(run.signals.verifier.active).toBe(0);
  run.store.signals.write = write;
  for (let tries = 0; run.signals.ledger.waiting > 0 && tries < 3_000; tries++) await Bun.sleep(20);
  expect(await run.closed(tightened)).toMatchObject({ reason: 'stop_loss', exit_price: 94.9 });
  expect(await run.closed(closing)).toMatchObject({ reason: 'manual', exit_price: 94.9 });
  const log = (await run.store.signals.log(4, 99)).map(({ text }) => JSON.parse(text) as LogRecord);
  expect(log.map(({ type }) => type)).toEqual(['amended', 'close_requested', 'closed', 'closed']);
  await run.stop();
});
