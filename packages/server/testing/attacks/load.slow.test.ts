// Twenty free accounts send the worst mix that they may, all at once. The event loop must not be held up: a tick or a quote waits
// for one turn of it at most. Turns are measured in computing time, which other programs of the machine do not change.
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { computed } from '../event-loop.fixture.ts';
import { isFull } from '../scale.fixture.ts';
import { type RunningService, startService } from '../service.fixture.ts';
import type { GreedyAccounts } from './greedy-accounts.worker.ts';

const ACCOUNTS = 20;
/** Libraries are loaded and compiled once in the life of a process. */
const WARM_MS = 4_000;
const LOAD_MS = isFull ? 120_000 : 6_000;
const LONG_TURN_MS = 20;
const LONGEST_TURN_MS = 100;
const LONG_SHARE = 0.05;

let service: RunningService;
beforeAll(async () => {
  service = await startService({ sim_rate: '50' });
});
afterAll(() => service.stop());

/** Computing time of each turn of the event loop, in milliseconds. */
async function turnsOf(ms: number): Promise<readonly number[]> {
  const turns: number[] = [];
  let isRunning = true;
  let last = computed();
  const turn = (): void => {
    const now = computed();
    turns.push(now - last);
    last = now;
    if (isRunning) setImmediate(turn);
  };
  setImmediate(turn);
  await Bun.sleep(ms);
  isRunning = false;
  return turns;
}

test(
  'the worst mix of twenty free accounts hardly ever holds up the event loop for longer than 20 ms',
  async () => {
    const keys: string[] = [];
    for (let account = 0; account < ACCOUNTS; account++) keys.push((await service.key('free')).key);
    const worker = new Worker(new URL('greedy-accounts.worker.ts', import.meta.url).href);
    let statuses: Readonly<Record<string, number>> = {};
    worker.onmessage = ({ data }) => {
      statuses = data;
    };
    worker.postMessage({ url: service.url, keys } satisfies GreedyAccounts);
    await Bun.sleep(WARM_MS);
    const turns = await turnsOf(LOAD_MS);
    worker.terminate();
    const sum = (some: readonly number[]): number => some.reduce((total, each) => total + each, 0);
    const long = turns.filter((each) => each > LONG_TURN_MS);
    console.log(
      `${turns.length} turns, ${sum(turns).toFixed(0)} ms of computing; ${long.length} longer than ${LONG_TURN_MS} ms: ${sum(long).toFixed(0)} ms, longest ${Math.max(...turns).toFixed(0)}; ${JSON.stringify(statuses)}`,
    );
    expect(statuses[200]).toBeGreaterThan(0);
    expect(statuses[400]).toBeUndefined();
    // A tick that comes at any time waits longer than that with this probability.
    expect(sum(long) / LOAD_MS).toBeLessThan(LONG_SHARE);
    expect(Math.max(...turns)).toBeLessThan(LONGEST_TURN_MS);
  },
  WARM_MS + LOAD_MS + 60_000,
);
