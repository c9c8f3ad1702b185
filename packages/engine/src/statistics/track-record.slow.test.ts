import { expect, test } from 'bun:test';
import { active, closed, TRUSTED } from '../../testing/track-records.ts';
import { asSymbol } from '../market/instrument.ts';
import { asEpochMs } from '../market/time.ts';
import { sharedLog, TrackRecord } from './track-record.ts';

const GOLD = asSymbol('XAUUSD');

test('handles a million published and closed signals', () => {
  const record = new TrackRecord(sharedLog(TRUSTED, false));
  const results = Array.from({ length: 1000 }, (_, i) => Math.round(15_000 * Math.sin(i) + 1000) / 1e4);
  const startedAt = performance.now();
  for (let i = 0; i < 1_000_000; i++) {
    const at = closed(0).publishedAt + i * 1000;
    const outcome = closed(results[i % 1000]!, {
      symbol: i % 3 === 0 ? GOLD : asSymbol('EURUSD'),
      publishedAt: asEpochMs(at),
      filledAt: asEpochMs(at),
      closedAt: asEpochMs(at + 60_000),
    });
    record.publish(active(outcome));
    record.close(outcome);
  }
  const addedAt = performance.now();
  const summary = record.summary();
  const points = record.equity();
  const instruments = record.instruments();
  const readAt = performance.now();
  console.log(
    `track record: 1,000,000 publications and closings in ${Math.round(addedAt - startedAt)} ms, ` +
      `all figures in ${(readAt - addedAt).toFixed(2)} ms`,
  );
  const total = results.reduce((units, r) => units + Math.round(r * 1e4), 0) * 1000;
  expect(summary).toMatchObject({ signals: 1_000_000, active: 0, rankedSignals: 1_000_000, totalR: total / 1e4 });
  expect(summary.averageHoldingSeconds).toBe(60);
  expect(points.length).toBeLessThanOrEqual(500);
  expect(points.at(-1)!.totalR).toBe(summary.totalR);
  expect(instruments.map(({ rankedSignals }) => rankedSignals)).toEqual([666_666, 333_334]);
});
