import { expect, test } from 'bun:test';
import { reloadMs } from './calibration-panel.tsx';

test('an empty calibration is asked for often in the first minutes only', () => {
  expect([reloadMs(0, 0), reloadMs(0, 299_000), reloadMs(0, 300_000), reloadMs(12, 0)]).toEqual([
    15_000, 15_000, 300_000, 300_000,
  ]);
});
