// After a kill at any moment of its first start, the service starts correctly the next time.
import { afterAll, expect, test } from 'bun:test';
import { rmSync } from 'node:fs';
import { TIMEFRAME_MS, TIMEFRAMES } from '@tickwire/contract';
import { killLeftovers, runTickwire, ServiceProcess } from '../../testing/process.fixture.ts';
import { atScale } from '../../testing/scale.fixture.ts';
import { makeKey, temporaryFolder } from '../../testing/service.fixture.ts';

const ROUNDS = atScale(2, 20);
/** About the duration of a first start; the kill happens at any moment of it. */
const START_MS = 900;
const folders: string[] = [];

afterAll(async () => {
  await killLeftovers();
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

test(
  `starts correctly after ${ROUNDS} kills during the first start`,
  async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const data = temporaryFolder();
      folders.push(data);
      const moment = ((round + Math.random()) / ROUNDS) * START_MS;
      const first = ServiceProcess.launch({ data });
      await Bun.sleep(moment);
      await first.kill();
      const context = `killed after ${Math.round(moment)} ms`;

      const { key } = await makeKey(data, 'premium', ['read']);
      const service = await ServiceProcess.start({ data });
      expect([context, (await service.get('/readyz')).status]).toEqual([context, 200]);
      for (const symbol of ['EURUSD', 'BTCUSD']) {
        for (const timeframe of TIMEFRAMES) {
          const answer = await service.get(`/api/market/${symbol}?timeframe=${timeframe}&bars=500`, key);
          const { ohlcv } = (await answer.json()) as { ohlcv: { time: string }[] };
          const times = ohlcv.map(({ time }) => Date.parse(time));
          const holes = times.slice(1).filter((time, index) => time - times[index]! !== TIMEFRAME_MS[timeframe]);
          expect({ context, symbol, timeframe, bars: times.length, holes }).toEqual({
            context,
            symbol,
            timeframe,
            bars: 500,
            holes: [],
          });
        }
      }
      expect((await service.stop()).status).toBe(0);
      const { status, out } = await runTickwire(['doctor'], { data, port: '0' });
      expect([context, status, out.includes('FAIL')]).toEqual([context, 0, false]);
    }
  },
  60_000 + ROUNDS * 6_000,
);
