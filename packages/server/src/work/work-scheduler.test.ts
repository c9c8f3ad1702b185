import { describe, expect, test } from 'bun:test';
import { pauses } from '../ops/pauses.ts';
import { Abandoned, WorkScheduler } from './work-scheduler.ts';

const LIMITS = { total: 3, perAccount: 2, waiting: 2 };
const { signal: never } = new AbortController();

/** Work of several slices: it notes its name at the start of each. */
async function slices(name: string, count: number, noted: string[]): Promise<string> {
  const pause = pauses();
  for (let slice = 0; slice < count; slice++) {
    noted.push(name);
    let pending = pause();
    while (!pending) pending = pause();
    await pending;
  }
  return name;
}

async function turns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn++) await new Promise((resolve) => setImmediate(resolve));
}

describe('long work', () => {
  test('of accounts takes turns, however much one of them has', async () => {
    const scheduler = new WorkScheduler({ total: 10, perAccount: 10, waiting: 0 });
    const noted: string[] = [];
    const greedy = ['a1', 'a2', 'a3', 'a4'].map((name) => scheduler.run('a', never, () => slices(name, 4, noted)));
    const modest = scheduler.run('b', never, () => slices('b', 4, noted));
    expect(await modest).toBe('b');
    // Every second slice is that of b, from the first on.
    expect(noted.join(' ')).toStartWith('a1 b a2 b a3 b a4 b');
    await Promise.all(greedy);
    expect(scheduler.begun).toBe(0);
  });

  test('gives way to the event loop after each slice', async () => {
    const scheduler = new WorkScheduler(LIMITS);
    const noted: string[] = [];
    let isOver = false;
    const work = scheduler
      .run('a', never, () => slices('slice', 5, noted))!
      .then(() => {
        isOver = true;
      });
    while (!isOver) {
      await new Promise((resolve) => setImmediate(resolve));
      noted.push('loop');
    }
    await work;
    expect(noted.join(' ')).not.toContain('slice slice');
  });

  test('is bounded by account and in all, and the rest waits in line', async () => {
    const scheduler = new WorkScheduler(LIMITS);
    const begun: string[] = [];
    const ends: (() => void)[] = [];
    const piece = (account: string) =>
      scheduler.run(account, never, () => {
        begun.push(account);
        return new Promise<void>((resolve) => ends.push(resolve));
      });
    const pieces = ['a', 'a', 'a', 'a', 'b', 'c'].map(piece);
    expect(piece('a')).toBeNull();
    await turns(5);
    expect(begun).toEqual(['a', 'b', 'a']);
    ends.shift()!();
    await pieces[0];
    // The account without work under way comes before the one that waited longer.
    await turns(5);
    expect(begun).toEqual(['a', 'b', 'a', 'c']);
    while (ends.length > 0) {
      for (const end of ends.splice(0)) end();
      await turns(5);
    }
    await Promise.all(pieces);
    expect(begun).toEqual(['a', 'b', 'a', 'c', 'a', 'a']);
    expect(scheduler.begun).toBe(0);
  });

  test('ends at its next slice once its client has gone, also while it waits for one', async () => {
    const scheduler = new WorkScheduler(LIMITS);
    const noted: string[] = [];
    const client = new AbortController();
    const work = scheduler.run('a', client.signal, () => slices('a', 100, noted))!;
    await turns(1);
    client.abort();
    expect(await work.catch((error: unknown) => error)).toBeInstanceOf(Abandoned);
    expect(noted).toEqual(['a']);
    const late = scheduler.run('a', client.signal, () => slices('late', 1, noted))!;
    expect(await late.catch((error: unknown) => error)).toBeInstanceOf(Abandoned);
    expect(noted).toEqual(['a']);
    expect(scheduler.begun).toBe(0);
  });
});
