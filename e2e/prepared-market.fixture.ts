// Simulated markets as the first start leaves them, for all services of a run. A start with a copy computes a second less.
import { cpSync, existsSync, mkdirSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { type Settings, startService } from '../packages/server/testing/service.fixture.ts';

const FOLDER = process.env.TICKWIRE_TEST_FOLDER;
/** A service computes all ticks that its copy lacks: those of a quarter of an hour are few. */
const OLDEST_MS = 900_000;
/** Other settings on which the past depends. */
const OTHER_PAST = ['feeds', 'sim_seed', 'sim_hours', 'instruments', 'config'];

/** Puts simulated markets into a new data folder, unless these settings need other ones or the test file runs by itself. */
export async function copyPreparedMarket(data: string, rate: string, settings: Settings): Promise<void> {
  if (FOLDER === undefined || ['sim_rate', ...OTHER_PAST].some((name) => name in settings)) return;
  const name = `market-${Math.floor(Date.now() / OLDEST_MS)}`;
  const prepared = join(FOLDER, name);
  if (!existsSync(prepared)) {
    const made = join(FOLDER, `making-${name}`);
    try {
      mkdirSync(made);
    } catch {
      // Another process is making it.
      return;
    }
    await (await startService({ data: made, sim_rate: rate })).stop();
    renameSync(join(made, 'sim'), prepared);
  }
  cpSync(prepared, join(data, 'sim'), { recursive: true });
}
