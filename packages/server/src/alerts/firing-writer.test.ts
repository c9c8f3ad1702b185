import { expect, test } from 'bun:test';
import { eventually } from '../../testing/process.fixture.ts';
import { StoreError } from '../errors/store-error.ts';
import { silentLog } from '../ops/log.ts';
import type { AlertStore, AlertWrite, FiringRow } from '../store/alert-store.ts';
import { FiringWriter, type NewFiring } from './firing-writer.ts';

const firing = (n: number, account = 'pub_1'): NewFiring => ({
  ...{ account, alert: `alr_${n % 3}` },
  build: () => ({
    row: {
      ...{ id: `fir_${n}`, account, alert: `alr_${n % 3}`, cause: `seq:${n}`, time: n, firedAt: n },
      ...{ seq: n, price: null, about: '{}', body: '{}' },
    },
    messages: [],
  }),
  progress: { id: `alr_${n % 3}`, state: String(n), done: false, fired: n, lastFiredAt: n },
  before: { judgedUntil: n - 1, signalN: 0, newsAt: 0 },
});

function setUp() {
  const writes: AlertWrite[] = [];
  const told: FiringRow[] = [];
  const repeated: string[] = [];
  const refused = new Set<string>();
  const stored = new Set<string>();
  let failing = false;
  /** Whether the store writes but its answer is lost. */
  let isLost = false;
  let gate = Promise.resolve();
  const store = {
    write: async (write: AlertWrite) => {
      await gate;
      if (failing || write.firings.some(({ id }) => refused.has(id))) throw new StoreError('full');
      writes.push(write);
      const added = write.firings.filter(({ id }) => !stored.has(id));
      for (const { id } of added) stored.add(id);
      if (isLost) throw new StoreError('the connection was lost');
      return { firings: added, removed: 0 };
    },
  } as unknown as AlertStore;
  const marks = () => ({ judgedUntil: 99_999, signalN: 7, newsAt: 5 });
  let publishing: Promise<void> | Error = Promise.resolve();
  const published = async (): Promise<void> => {
    if (publishing instanceof Error) throw publishing;
    await publishing;
  };
  const writer = new FiringWriter({
    ...{ store, published, marks, log: silentLog, retryMs: 20 },
    onWritten(rows, again) {
      told.push(...rows);
      repeated.push(...again.map(({ row }) => row.id));
    },
  });
  /** Holds the store until the returned function is called. */
  const hold = (): (() => void) => {
    const { promise, resolve } = Promise.withResolvers<void>();
    gate = promise;
    return resolve;
  };
  const publish = (next: Promise<void> | Error): void => {
    publishing = next;
  };
  const lose = (now: boolean): void => {
    isLost = now;
  };
  const parts = { writer, writes, told, repeated, refused, stored };
  return { ...parts, hold, publish, lose, fail: (now: boolean) => (failing = now) };
}

test('firings of one turn are one transaction, with the last state of each alert', async () => {
  const { writer, writes, told } = setUp();
  for (let n = 1; n <= 5; n++) writer.add(firing(n));
  await writer.drain();
  expect(writes).toHaveLength(1);
  expect(writes[0]!.firings.map(({ id }) => id)).toEqual(['fir_1', 'fir_2', 'fir_3', 'fir_4', 'fir_5']);
  expect(writes[0]!.progress.map(({ id, state }) => [id, state]).sort()).toEqual([
    ['alr_0', '3'],
    ['alr_1', '4'],
    ['alr_2', '5'],
  ]);
  expect(writes[0]!.marks.judgedUntil).toBe(99_999);
  expect(told).toHaveLength(5);
});

test('the marks never pass a firing that is not written yet', async () => {
  const { writer, writes } = setUp();
  for (let n = 1; n <= 700; n++) writer.add(firing(n));
  await writer.drain();
  expect(writes.map(({ firings, marks }) => [firings.length, marks.judgedUntil])).toEqual([
    [250, 250],
    [250, 500],
    [200, 99_999],
  ]);
});

test('while the store fails, firings wait in order and are reported only once they are written', async () => {
  const { writer, writes, told, fail } = setUp();
  fail(true);
  writer.add(firing(1));
  await writer.drain();
  expect([writer.failure?.message, writer.waiting, told.length]).toEqual(['full', 1, 0]);
  writer.add(firing(2));
  fail(false);
  await eventually('the retry', () => told.length === 2);
  expect(told.map(({ id }) => id)).toEqual(['fir_1', 'fir_2']);
  expect([writer.failure, writer.waiting]).toEqual([null, 0]);
  expect(writes.flatMap(({ firings }) => firings)).toHaveLength(2);
  await writer.stop();
  writer.add(firing(3));
  expect(writer.waiting).toBe(0);
});

test('nothing is stored before the journal has the events, and nothing that it does not take', async () => {
  const { writer, writes, publish } = setUp();
  const taken = Promise.withResolvers<void>();
  publish(taken.promise);
  writer.add(firing(1));
  await Bun.sleep(5);
  expect(writes).toEqual([]);
  taken.resolve();
  await writer.drain();
  expect(writes).toHaveLength(1);
  publish(new StoreError('Redis'));
  await expect(writer.save([])).rejects.toThrow('Redis');
  writer.add(firing(2));
  await writer.drain();
  expect([writes.length, writer.waiting]).toEqual([1, 1]);
  await writer.stop();
});

test('states are not stored beside a firing, which says so', async () => {
  const { writer, writes, hold } = setUp();
  const state = { id: 'alr_0', state: 'old', done: false, fired: 0, lastFiredAt: null };
  const release = hold();
  const saving = writer.save([state]);
  writer.add(firing(3));
  expect(await writer.save([state])).toBe(false);
  release();
  expect(await saving).toBe(true);
  await writer.drain();
  expect(writes.map(({ progress }) => progress[0]!.state)).toEqual(['old', '3']);
  expect(await writer.save([])).toBe(true);
});

test('an alert is settled when none of its writes waits, and not while the store fails', async () => {
  const { writer, writes, hold, fail } = setUp();
  let release = hold();
  void writer.save([]);
  const saved = writer.settle('alr_1').then(() => writes.length);
  writer.add(firing(1));
  release();
  expect(await saved).toBe(2);
  release = hold();
  writer.add(firing(2));
  await writer.settle('alr_1');
  expect(writes).toHaveLength(2);
  fail(true);
  release();
  await expect(writer.settle('alr_2')).rejects.toThrow('full');
  await expect(writer.settle('alr_2')).rejects.toThrow('full');
  await writer.stop();
});

test('a firing whose commit was uncertain is reported, one of an earlier run is not', async () => {
  const { writer, told, repeated, stored, lose } = setUp();
  stored.add('fir_2');
  writer.add(firing(2));
  await writer.drain();
  expect([told.length, repeated]).toEqual([0, ['fir_2']]);
  lose(true);
  writer.add(firing(1));
  await writer.drain();
  expect([told.length, writer.waiting]).toEqual([0, 1]);
  lose(false);
  await eventually('the retry', () => told.length === 1);
  expect([told[0]!.id, repeated]).toEqual(['fir_1', ['fir_2']]);
});

test('a firing that the store always refuses is given up, and the others are written in order', async () => {
  const { writer, told, refused } = setUp();
  refused.add('fir_3');
  for (let n = 1; n <= 6; n++) writer.add(firing(n));
  await eventually('the others', () => told.length === 5);
  expect(told.map(({ id }) => id)).toEqual(['fir_1', 'fir_2', 'fir_4', 'fir_5', 'fir_6']);
  expect([writer.dropped, writer.failure]).toEqual([1, null]);
});

test('one account cannot fill the queue; what is left out is judged again after the next start', async () => {
  const { writer, writes, told, fail } = setUp();
  fail(true);
  for (let n = 1; n <= 20_001; n++) writer.add(firing(3 * n));
  writer.add(firing(70_000, 'pub_2'));
  expect([writer.waiting, writer.dropped]).toEqual([20_001, 1]);
  fail(false);
  await eventually('the firings', () => told.length === 20_001);
  // Everything behind the firing that was left out, and its alert.
  expect(writes.at(-1)!.marks.judgedUntil).toBe(3 * 20_001 - 1);
  await writer.save([{ id: 'alr_0', state: 'new', done: false, fired: 1, lastFiredAt: 1 }]);
  expect(writes.at(-1)).toMatchObject({ progress: [], marks: { judgedUntil: 3 * 20_001 - 1 } });
});
