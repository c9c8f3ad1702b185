import { expect, test } from 'bun:test';
import { closed, open, TRUSTED } from '../../testing/track-records.ts';
import { asSymbol } from '../market/instrument.ts';
import { asEpochMs } from '../market/time.ts';
import { rankPublishers } from './ranking.ts';
import type { RankingSignal } from './ranking-signal.ts';
import { sharedLog, TrackRecord } from './track-record.ts';
import { Trials } from './trials.ts';

const PUBLISHERS = 1_000;
const SIGNALS = 2_000;
const SYMBOLS = ['EURUSD', 'XAUUSD', 'BTCUSD', 'US500'].map(asSymbol);
const T0 = Date.UTC(2026, 0, 5);
const HOUR = 3_600_000;

/** Signal `index` of a publisher: one an hour, so that a few are open at a time. */
function signalOf(index: number): RankingSignal {
  const at = T0 + index * HOUR;
  return closed(index % 5 < 2 ? 2 : -1, {
    symbol: SYMBOLS[index % SYMBOLS.length]!,
    publishedAt: asEpochMs(at),
    filledAt: asEpochMs(at + 1_000),
    closingAt: asEpochMs(at + 3 * HOUR),
    closedAt: asEpochMs(at + 3 * HOUR),
  });
}

test('restores, ranks and updates 1,000 publishers with 2,000 signals each', () => {
  const signals = Array.from({ length: SIGNALS + 100 }, (_, index) => signalOf(index));
  // One publisher after the other, so each is in a log of its own.
  const records = Array.from({ length: PUBLISHERS }, () => new TrackRecord(sharedLog(TRUSTED, false)));
  // Computing time, because other programs may run at the same time.
  const computed = (): number => {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1000;
  };
  const ms = (from: number): number => Math.round((computed() - from) * 1000) / 1000;

  const restoring = computed();
  for (const record of records)
    for (let index = 0; index < SIGNALS + 3; index++) {
      if (index < SIGNALS) record.publish(signals[index]!);
      if (index >= 3) record.close(signals[index - 3]!);
    }
  const restored = ms(restoring);

  const now = asEpochMs(T0 + SIGNALS * HOUR);
  const mark = { pnlR: -0.5, rankR: -0.4, worstR: -0.8, isTrusted: true };
  const rank = () =>
    rankPublishers(
      records.map((record, index) => {
        const { evidence } = record.marked(() => mark);
        record.summary();
        return { publisher: `pub_${index}`, evidence, recentDecisions: record.completedSince(0, 10) };
      }),
      { now, trials: new Trials(false) },
    );
  const ranking = computed();
  const ranked = rank();
  const first = ms(ranking);
  const again = computed();
  rank();
  const second = ms(again);

  const updating = computed();
  for (let index = SIGNALS; index < SIGNALS + 100; index++) {
    records[0]!.publish(open(signals[index]!));
    records[0]!.close(signals[index]!);
    records[0]!.marked(() => mark);
    records[0]!.summary();
  }
  const update = ms(updating) / 100;
  const voiding = computed();
  records[0]!.void(signals[10]!);
  const voided = ms(voiding);

  console.log(
    `ranking: ${PUBLISHERS} × ${SIGNALS} signals restored in ${restored} ms, ranked in ${first} ms and again in ` +
      `${second} ms; a publication with its closing and all figures ${update} ms, a void ${voided} ms`,
  );
  expect(ranked.filter(({ status }) => status === 'ranked')).toHaveLength(PUBLISHERS);
  expect(records[0]!.summary().rankedSignals).toBe(SIGNALS + 99);
  expect(restored).toBeLessThan(30_000);
  expect(update).toBeLessThan(1);
});
