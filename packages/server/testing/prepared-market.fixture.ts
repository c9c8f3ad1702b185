// Simulated markets as the first start leaves them, for all services of a run. A start with a copy computes a second less.
import { cpSync, existsSync, mkdirSync, renameSync } from 'node:fs';
import { join } from 'node:path';

const FOLDER = process.env.TICKWIRE_TEST_FOLDER;
/** A service computes all ticks that its copy lacks: those of five minutes are few. */
const OLDEST_MS = 300_000;
/** Quotes per second. With more, computing those ticks takes longer than the history. */
const HIGHEST_RATE = 50;
/** Other settings on which the past depends. */
const OTHER_PAST = ['feeds', 'role', 'sim_hours', 'instruments', 'config'];

/**
 * Puts simulated markets into a data folder without any, unless these settings need other ones or the test file runs by itself.
 * `fill`: starts a service with such a folder and setting, and stops it.
 */
export async function copyPreparedMarket(
  settings: Readonly<Record<string, string>>,
  fill: (data: string, setting: { readonly sim_rate: string }) => Promise<void>,
): Promise<void> {
  const { data, sim_seed, sim_rate = String(HIGHEST_RATE) } = settings;
  if (FOLDER === undefined || data === undefined) return;
  if (['sim', 'tickwire.json'].some((name) => existsSync(join(data, name)))) return;
  if (sim_seed !== '1' || Number(sim_rate) > HIGHEST_RATE || OTHER_PAST.some((name) => name in settings)) return;
  const name = `market-${sim_rate}-${Math.floor(Date.now() / OLDEST_MS)}`;
  const prepared = join(FOLDER, name);
  if (!existsSync(prepared)) {
    const made = join(FOLDER, `making-${name}`);
    try {
      mkdirSync(made);
    } catch {
      // Another process is making it.
      return;
    }
    await fill(made, { sim_rate });
    renameSync(join(made, 'sim'), prepared);
  }
  cpSync(prepared, join(data, 'sim'), { recursive: true });
}
