import { describe, expect, test } from 'bun:test';
import { CATALOGUE, DAY_MS, MINUTE_MS } from '@tickwire/engine';
import { SIM_SOURCE } from '../../documents/source.ts';
import { SimMarket } from '../../market/feeds/sim/sim-market.ts';
import { silentLog } from '../../ops/log.ts';
import type { RawItem } from '../news-source.ts';
import { openSimNews } from './open-sim-news.ts';

const START = Date.parse('2026-05-06T01:00:00Z');
const market = new SimMarket(CATALOGUE, { seed: 3, rate: 50, hours: 'always' });

async function firstBatch(now: () => number, batches = 1): Promise<RawItem[][]> {
  const taken: RawItem[][] = [];
  let enough = (): void => {};
  const done = new Promise<void>((resolve) => {
    enough = resolve;
  });
  const source = openSimNews({
    market,
    now,
    log: silentLog,
    take: (items) => {
      taken.push([...items]);
      if (taken.length === batches) enough();
    },
  });
  source.start();
  await done;
  await source.stop();
  expect(source.statuses()[0]).toMatchObject({ name: SIM_SOURCE, state: 'stopped', items: taken.flat().length });
  return taken;
}

const cpuMs = (): number => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
};

describe('the simulated wire', () => {
  test('starts with the last hundred headlines of a day, oldest first, none in the future', async () => {
    const [items] = await firstBatch(() => START);
    expect(items!).toHaveLength(100);
    const times = items!.map(({ publishedAt }) => publishedAt!);
    expect(times).toEqual([...times].sort((a, b) => a - b));
    expect(times.at(-1)!).toBeLessThanOrEqual(START);
    expect(START - times.at(-1)!).toBeLessThan(10 * MINUTE_MS);
    expect(times[0]!).toBeGreaterThan(START - DAY_MS);
    for (const item of items!) expect(item).toMatchObject({ source: SIM_SOURCE, url: null, seenAt: START });
  });

  test('continues with new headlines, each once; a restart generates the same guids', async () => {
    let now = START;
    const batches = await firstBatch(() => {
      now += 5 * 60_000;
      return now;
    }, 3);
    const names = batches.flat().map(({ guid }) => guid);
    expect(new Set(names).size).toBe(names.length);
    const [again] = await firstBatch(() => now);
    const titles = new Map(batches.flat().map(({ guid, title }) => [guid, title]));
    const known = again!.filter(({ guid }) => titles.has(guid));
    expect(known.length).toBeGreaterThan(75);
    for (const { guid, title } of known) expect(title).toBe(titles.get(guid)!);
  });

  test('does not block the event loop while it generates the first day', async () => {
    // CPU time of this process, since a busy machine makes any turn long.
    let longest = 0;
    let last = cpuMs();
    const watch = setInterval(() => {
      longest = Math.max(longest, cpuMs() - last);
      last = cpuMs();
    }, 1);
    await firstBatch(() => START + 22 * 3_600_000);
    clearInterval(watch);
    console.log(`longest turn while catching up: ${longest.toFixed(0)} ms of CPU time`);
    expect(longest).toBeLessThan(150);
  });
});
