// When days of the tape are sealed.
import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '@tickwire/engine';
import { eventually } from '../../testing/process.fixture.ts';
import { startService, temporaryFolder } from '../../testing/service.fixture.ts';
import { EURUSD, MONDAY } from '../../testing/store/samples.fixture.ts';
import { storeAndPublishSignals } from '../../testing/stored-signals.fixture.ts';
import { silentLog } from '../ops/log.ts';
import { openSqliteStore } from '../store/sqlite/open-sqlite-store.ts';
import type { Store } from '../store/store.ts';
import { TapeSealer } from './tape-sealer.ts';

let folder: string;
beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe('days are sealed', () => {
  const LATE_MS = 15 * MINUTE_MS;
  let store: Store;
  let asked: number;
  let sealed: string[];
  let sealer: TapeSealer;
  let seal: () => Promise<void>;
  beforeEach(() => {
    store = openSqliteStore({ folder, realm: 'live', exclusive: false });
    asked = 0;
    sealed = [];
    seal = async () => {};
    const unsealed = async () => {
      asked++;
      return [
        { day: '2026-03-01', symbol: EURUSD },
        { day: '2026-03-02', symbol: EURUSD },
      ].filter(({ day }) => !sealed.includes(day));
    };
    sealer = new TapeSealer({
      store: { market: store.market, signals: { ...store.signals, unsealed } },
      folder: join(folder, 'live'),
      log: silentLog,
      seal: async ({ day }) => {
        sealed.push(day);
        await seal();
      },
    });
  });
  afterEach(() => store.close());

  test('at the start, and as soon as the next day may be sealed', async () => {
    const midnight = MONDAY + DAY_MS;
    expect(await sealer.run(midnight - MINUTE_MS)).toBe(1);
    expect(sealed).toEqual(['2026-03-01']);
    for (let time = midnight; time <= midnight + LATE_MS; time += SECOND_MS) expect(await sealer.run(time)).toBe(0);
    expect(asked).toBe(1);
    expect(await sealer.run(midnight + LATE_MS + 1)).toBe(1);
    expect(sealed).toEqual(['2026-03-01', '2026-03-02']);
  });

  test('every hour, also after a failure', async () => {
    seal = async () => {
      throw new Error('full');
    };
    const noon = MONDAY + 2.5 * DAY_MS;
    expect(await sealer.run(noon).catch(({ message }: Error) => message)).toBe('full');
    expect([await sealer.run(noon + HOUR_MS - 1), asked]).toEqual([0, 1]);
    seal = async () => {};
    expect([await sealer.run(noon + HOUR_MS), asked]).toEqual([1, 2]);
  });

  test('one by one: a stop waits for the day in progress and leaves the others', async () => {
    const gate = Promise.withResolvers<void>();
    seal = () => gate.promise;
    const running = sealer.run(MONDAY + 2.5 * DAY_MS);
    while (sealed.length === 0) await Bun.sleep(1);
    const stopping = sealer.stop();
    gate.resolve();
    await stopping;
    expect([await running, sealed, await sealer.run(MONDAY + 9 * DAY_MS)]).toEqual([1, ['2026-03-01'], 0]);
  });
});

test('a service that is restarted often seals the days of earlier runs', async () => {
  const settings = { feeds: 'push', data: folder };
  let service = await startService(settings);
  await storeAndPublishSignals(service, 1, ['EURUSD']);
  await service.stop();
  service = await startService(settings);
  const file = join(folder, 'live', 'evidence', '2026-03-02', 'EURUSD.jsonl.gz');
  await eventually('the seal', () => existsSync(file));
  await service.stop();
});
