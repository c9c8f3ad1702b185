import { expect, test } from 'bun:test';
import type { AlertProgress } from '../store/alert-store.ts';
import type { AlertJudge } from './alert-judge.ts';
import { AlertRows } from './alert-rows.ts';
import { StateSaver } from './state-saver.ts';

function openSaver(options: { rows: readonly object[]; isBusy?: () => boolean }) {
  const rows = new AlertRows();
  for (const row of options.rows) rows.put({ paused: false, done: false, expiresAt: null, ...row } as never);
  const saved: string[] = [];
  let seq = 0;
  const judge = {
    rows,
    get marks() {
      return { judgedUntil: ++seq, signalN: 0, newsAt: 0 };
    },
    progressOf: ({ id }: { id: string }) => ({ id }),
    expire: (id: string) => rows.put({ ...rows.get(id)!, done: true }),
  } as unknown as AlertJudge;
  const writer = {
    async save(progress: readonly AlertProgress[]): Promise<boolean> {
      if (options.isBusy?.()) return false;
      saved.push(...progress.map(({ id }) => id));
      return true;
    },
    drain: async () => {},
  };
  return { saver: new StateSaver({ judge, writer, now: () => 1_000 }), saved };
}

const numbered = (count: number, more: object = {}) =>
  Array.from({ length: count }, (_, n) => ({ id: `${'paused' in more ? 'p' : 'a'}${n}`, ...more }));

test('every judged alert has its turn within a round, however many are paused', async () => {
  const { saver, saved } = openSaver({ rows: [...numbered(5_000, { paused: true }), ...numbered(130)] });
  for (let save = 0; save < 60; save++) await saver.run();
  expect(new Set(saved)).toEqual(new Set(numbered(130).map(({ id }) => id)));
});

test('a turn that could not be stored comes again', async () => {
  let calls = 0;
  const { saver, saved } = openSaver({ rows: numbered(120), isBusy: () => calls++ < 30 });
  for (let save = 0; save < 10; save++) await saver.run();
  expect(saved).toEqual([]);
  for (let save = 0; save < 60; save++) await saver.run();
  expect(saved.sort(byNumber)).toEqual(numbered(120).map(({ id }) => id));
});

test('states are stored between two writes of firings', async () => {
  let calls = 0;
  const { saver, saved } = openSaver({ rows: numbered(1), isBusy: () => calls++ % 2 === 0 });
  await saver.run();
  expect(saved).toEqual(['a0']);
});

test('the end of an alert is stored, also if the store is busy at first', async () => {
  let calls = 0;
  const { saver, saved } = openSaver({ rows: [{ id: 'over', expiresAt: 900 }], isBusy: () => calls++ < 3 });
  await saver.run();
  expect(saved).toEqual([]);
  await saver.run();
  expect(saved).toEqual(['over']);
});

const byNumber = (a: string, b: string): number => Number(a.slice(1)) - Number(b.slice(1));
