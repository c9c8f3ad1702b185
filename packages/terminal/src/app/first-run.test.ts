import { expect, test } from 'bun:test';
import { dismissFirstSteps, needsFirstSteps } from './first-run.ts';

function storage(initial: Readonly<Record<string, string>> = {}) {
  const items = new Map(Object.entries(initial));
  return {
    getItem: (name: string) => items.get(name) ?? null,
    setItem: (name: string, value: string) => void items.set(name, value),
  };
}

test('every account of a browser dismisses the first steps for itself, for good', () => {
  const store = storage();
  expect(needsFirstSteps(store, 'acc_1')).toBe(true);
  dismissFirstSteps(store, 'acc_1');
  dismissFirstSteps(store, 'acc_2');
  expect(['acc_1', 'acc_2', 'acc_3'].map((each) => needsFirstSteps(store, each))).toEqual([false, false, true]);
});

test('a browser can be told to show them to nobody', () => {
  expect(needsFirstSteps(storage({ 'tickwire.first-steps': '{"everyone":true}' }), 'acc_1')).toBe(false);
});
