// Logs of random signals with targets, amendments, requests, data losses and voids, as the engine judges and ranks them.
import { describe, expect, test } from 'bun:test';
import type { LogEntry, LogRecord, PublisherDetail } from '@tickwire/client';
import { asEpochMs, publishedEValue, TrackRecord, trustedSources } from '@tickwire/engine';
import { rankingSignal } from '../../../server/src/signals/ranking-signals.ts';
import { toFigures } from '../../../server/src/signals/track-record-list.ts';
import { randomLog, SIGNER } from '../../../server/testing/signals/random-log.fixture.ts';
import { recordHash } from '../signals/evidence/canonical.ts';
import { checkRecord, type RecordChecks } from './check-record.ts';
import { checkSignal } from './check-signal.ts';
import { historyOf, type PublicSignal, type SignalHistory } from './history.ts';

const { subtle } = crypto;
const UNTRUSTED = new Set(['push:pub_one']);

function signalsOf(seed: number, publisher: string, events = 3_000): PublicSignal[] {
  const entries = randomLog({ seed, events }).lines.map(
    ({ hash, text }): LogEntry => ({ hash, record: JSON.parse(text) as LogRecord }),
  );
  const own = entries.filter(({ record }) => 'signal' in record && record.publisher === publisher);
  const byId = Map.groupBy(own, ({ record }) => ('signal' in record ? record.signal : ''));
  return [...byId].map(([signal, records]) => ({ signal, records })).reverse();
}

/** What the service would show, without the marks of open signals. */
function shownOf(signals: readonly PublicSignal[], publisher: string): PublisherDetail {
  const record = new TrackRecord(trustedSources());
  const histories = signals.map(historyOf);
  const steps = histories.flatMap((history) => stepsOf(history, record)).sort((a, b) => a.n - b.n);
  for (const { run } of steps) run();
  const { evidence } = record.marked(() => null);
  return {
    publisher,
    ...toFigures(record.figures({})),
    decisions: evidence.decisions,
    e_value: publishedEValue(evidence.eValue),
    voided: record.voided,
    instruments: record.instruments().map(({ symbol, ...summary }) => ({ symbol, ...toFigures(summary) })),
  } as unknown as PublisherDetail;
}

function stepsOf(history: SignalHistory, record: TrackRecord): { readonly n: number; readonly run: () => void }[] {
  const { published, filled, exits, closed, voided } = history;
  const { result } = checkSignal(history);
  const ended = closed ?? voided;
  const closing = ended && {
    n: ended.n,
    at: asEpochMs(Date.parse(closed ? closed.closed_at : ended.at)),
    record: closed,
    filledAt: filled && asEpochMs(Date.parse(filled.filled_at)),
    rankR: result?.rank_r ?? 0,
    exitSources: exits.map(({ decided }) => decided.source),
  };
  const steps = [{ n: published.n, run: () => record.publish(rankingSignal(published, null)) }];
  if (closing) steps.push({ n: closing.n, run: () => record.close(rankingSignal(published, null, closing)) });
  if (closed && voided) steps.push({ n: voided.n, run: () => record.void(rankingSignal(published, null, closing)) });
  return steps;
}

const checked = (
  signals: readonly PublicSignal[],
  publisher: string,
  shown = shownOf(signals, publisher),
): Promise<RecordChecks> => checkRecord({ shown, signals, untrusted: UNTRUSTED, complete: true }, subtle);
const failedOf = ({ results }: RecordChecks): string[] =>
  results.filter(({ outcome }) => outcome === 'failed').map(({ title, text }) => `${title}: ${text}`);
/** Signals that are neither pending nor open. */
const ended = (signals: readonly PublicSignal[]): PublicSignal[] =>
  signals.filter(({ records }) => records.some(({ record: { type } }) => type === 'closed' || type === 'voided'));

describe('a true record', () => {
  test('passes every check, with the figures of the service', async () => {
    let closings = 0;
    for (let seed = 1; seed <= 3; seed++) {
      for (const publisher of ['pub_one', 'pub_two', SIGNER]) {
        const signals = ended(signalsOf(seed, publisher));
        const checks = await checked(signals, publisher);
        const signatures = publisher === SIGNER ? [] : ['Signatures of the publisher'];
        expect(checks.results.filter(({ outcome }) => outcome !== 'passed').map(({ title }) => title)).toEqual(
          signatures,
        );
        expect(checks.results).toHaveLength(6);
        expect([checks.recomputed, checks.closed]).toEqual([signals.length, signals.length]);
        closings += checks.closed;
      }
    }
    expect(closings).toBeGreaterThan(1_000);
  }, 30_000);

  test('says that the e-value cannot be compared while a signal is open', async () => {
    const signals = ended(signalsOf(1, 'pub_two'));
    const open = signals.find(({ records }) => records.some(({ record: { type } }) => type === 'filled'))!;
    const until = open.records.findIndex(({ record: { type } }) => type === 'filled') + 1;
    const some = [{ signal: open.signal, records: open.records.slice(0, until) }];
    const { results } = await checked(some, 'pub_two');
    expect(results.at(-1)).toMatchObject({ outcome: 'unavailable' });
  });
});

describe('detects', () => {
  const publisher = 'pub_two';
  const signals = ended(signalsOf(7, publisher, 1_000));

  /** Changes one record and its hash, as somebody with access to the log could. */
  async function forged(
    type: LogRecord['type'],
    changes: (record: never) => object,
    from = signals,
  ): Promise<PublicSignal[]> {
    const copy = structuredClone(from) as { signal: string; records: LogEntry[] }[];
    const entry = copy.flatMap(({ records }) => records).find(({ record }) => record.type === type && worth(record))!;
    Object.assign(entry.record, changes(entry.record as never));
    Object.assign(entry, { hash: await recordHash(entry.record, subtle) });
    return copy;
  }
  const worth = (record: LogRecord): boolean => record.type !== 'closed' || record.reason === 'stop_loss';

  test('a changed record by its hash', async () => {
    const copy = structuredClone(signals);
    Object.assign(copy[0]!.records[0]!.record, { entry: 1 });
    expect(failedOf(await checked(copy, publisher, shownOf(signals, publisher)))[0]).toMatch(/^Hashes: Record \d+/);
  });

  test('results, prices and evidence that do not follow, even with new hashes', async () => {
    const forgeries: [LogRecord['type'], (record: never) => object][] = [
      ['closed', ({ pnl_r }: { pnl_r: number }) => ({ pnl_r: pnl_r + 1 })],
      ['closed', ({ last_exit }: { last_exit: object }) => ({ last_exit: { ...last_exit, price: 300 } })],
      ['closed', ({ decided }: { decided: object }) => ({ decided: { ...decided, seq: 1 } })],
      ['closed', () => ({ closed_at: '2026-03-02T12:00:00.000Z' })],
      ['filled', ({ entry_price }: { entry_price: number }) => ({ entry_price: entry_price - 0.5 })],
      ['exited', ({ price }: { price: number }) => ({ price: price + 0.01 })],
      ['published', () => ({ publisher: 'pub_other' })],
    ];
    for (const [type, changes] of forgeries) {
      const checks = await checked(await forged(type, changes), publisher, shownOf(signals, publisher));
      expect([type, failedOf(checks).some((text) => text.startsWith('Prices and results'))]).toEqual([type, true]);
    }
  });

  test('requests that the publisher did not sign like this, or signed earlier', async () => {
    const own = ended(signalsOf(7, SIGNER, 1_000));
    const shown = shownOf(own, SIGNER);
    for (const [type, changes] of [
      ['published', ({ take_profit }: { take_profit: number }) => ({ take_profit: take_profit + 0.01 })],
      ['amended', ({ stop_loss }: { stop_loss: number }) => ({ stop_loss: stop_loss + 0.01 })],
      ['close_requested', ({ signed }: { signed: object }) => ({ signed: { ...signed, public_key: 'ab'.repeat(32) } })],
      ['close_requested', ({ at }: { at: string }) => ({ at: new Date(Date.parse(at) + 60_000).toISOString() })],
    ] as [LogRecord['type'], (record: never) => object][]) {
      const checks = await checked(await forged(type, changes, own), SIGNER, shown);
      expect([type, failedOf(checks).some((text) => text.startsWith('Signatures of the publisher'))]).toEqual([
        type,
        true,
      ]);
    }
  });

  test('a signal that is left out, and a figure that is too good', async () => {
    const shown = shownOf(signals, publisher);
    expect(failedOf(await checked(signals.slice(1), publisher, shown)).join()).toContain('signals is shown as');
    const better = { ...shown, total_r: shown.total_r + 1, e_value: 25 };
    expect(failedOf(await checked(signals, publisher, better)).map((text) => text.split(':')[0])).toEqual([
      'Figures',
      'Decisions and e-value',
    ]);
  });

  test('a broken link between neighbours', async () => {
    const copy = structuredClone(signals) as { signal: string; records: LogEntry[] }[];
    const entries = copy.flatMap(({ records }) => records).sort((a, b) => a.record.n - b.record.n);
    const follower = entries.find(({ record }, index) => record.n === (entries[index - 1]?.record.n ?? -2) + 1)!;
    follower.record.prev = 'a'.repeat(64);
    Object.assign(follower, { hash: await recordHash(follower.record, subtle) });
    expect(failedOf(await checked(copy, publisher))[0]).toStartWith('Hash chain');
  });
});
