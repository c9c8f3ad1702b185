// Logs of random signals with targets, amendments, requests, data losses and voids, as the engine judges them.
import { describe, expect, test } from 'bun:test';
import type { LogEntry, LogRecord, PublicSignal, PublisherDetail } from '@tickwire/client';
import { randomLog, SIGNER } from '../../../server/testing/signals/random-log.fixture.ts';
import { recordHash } from '../signals/evidence/canonical.ts';
import type { CheckResult } from '../signals/evidence/check-result.ts';
import { checkRecord } from './check-record.ts';
import { historyOf } from './history.ts';

const { subtle } = crypto;

function signalsOf(seed: number, publisher: string): PublicSignal[] {
  const entries = randomLog({ seed, events: 1_000 }).lines.map(
    ({ hash, text }): LogEntry => ({ hash, record: JSON.parse(text) as LogRecord }),
  );
  const own = entries.filter(({ record }) => 'signal' in record && record.publisher === publisher);
  const byId = Map.groupBy(own, ({ record }) => ('signal' in record ? record.signal : ''));
  return [...byId].map(([signal, records]) => ({ signal, records })).reverse();
}

/** What the service would show. */
function shownOf(signals: readonly PublicSignal[], publisher: string): PublisherDetail {
  const histories = signals.map(historyOf);
  const closed = histories.filter((history) => history.closed ?? history.voided).length;
  const voided = histories.filter((history) => history.voided).length;
  const active = signals.length - closed;
  return { publisher, signals: signals.length, active, closed, voided } as PublisherDetail;
}

const checked = (
  signals: readonly PublicSignal[],
  publisher: string,
  shown = shownOf(signals, publisher),
): Promise<readonly CheckResult[]> => checkRecord({ shown, signals, complete: true }, subtle);
const failedOf = (results: readonly CheckResult[]): string[] =>
  results.filter(({ outcome }) => outcome === 'failed').map(({ title, text }) => `${title}: ${text}`);

test('a true record passes every check', async () => {
  for (const publisher of ['pub_one', 'pub_two', SIGNER]) {
    const results = await checked(signalsOf(1, publisher), publisher);
    const unsigned = publisher === SIGNER ? [] : ['Signatures of the publisher'];
    expect(results.filter(({ outcome }) => outcome !== 'passed').map(({ title }) => title)).toEqual(unsigned);
    expect(results).toHaveLength(4);
  }
});

test('a record that was not loaded completely is not counted', async () => {
  const signals = signalsOf(1, 'pub_two');
  const shown = { ...shownOf(signals, 'pub_two'), signals: 9_999 };
  const results = await checkRecord({ shown, signals, complete: false }, subtle);
  expect(results.at(-1)).toMatchObject({ title: 'Number of signals', outcome: 'unavailable' });
  expect(failedOf(results)).toEqual([]);
});

describe('detects', () => {
  const publisher = 'pub_two';
  const signals = signalsOf(7, publisher);
  const shown = shownOf(signals, publisher);

  /** Changes one record and its hash, as somebody with access to the log could. */
  async function forged(
    type: LogRecord['type'],
    changes: (record: never) => object,
    from = signals,
  ): Promise<PublicSignal[]> {
    const copy = structuredClone(from) as { signal: string; records: LogEntry[] }[];
    const entry = copy.flatMap(({ records }) => records).find(({ record }) => record.type === type)!;
    Object.assign(entry.record, changes(entry.record as never));
    Object.assign(entry, { hash: await recordHash(entry.record, subtle) });
    return copy;
  }

  test('a changed record by its hash', async () => {
    const copy = structuredClone(signals);
    Object.assign(copy[0]!.records[0]!.record, { entry: 1 });
    expect(failedOf(await checked(copy, publisher, shown))[0]).toMatch(/^Hashes: Record \d+/);
  });

  test('requests that the publisher did not sign like this, or signed earlier', async () => {
    const own = signalsOf(7, SIGNER);
    for (const [type, changes] of [
      ['published', ({ stop_loss }: { stop_loss: number }) => ({ stop_loss: stop_loss + 0.01 })],
      ['amended', ({ stop_loss }: { stop_loss: number }) => ({ stop_loss: stop_loss + 0.01 })],
      ['close_requested', ({ signed }: { signed: object }) => ({ signed: { ...signed, public_key: 'ab'.repeat(32) } })],
      ['close_requested', ({ at }: { at: string }) => ({ at: new Date(Date.parse(at) + 60_000).toISOString() })],
    ] as [LogRecord['type'], (record: never) => object][]) {
      const results = await checked(await forged(type, changes, own), SIGNER);
      expect([type, failedOf(results).some((text) => text.startsWith('Signatures of the publisher'))]).toEqual([
        type,
        true,
      ]);
    }
  });

  test('a signal that is left out, and one of another publisher', async () => {
    expect(failedOf(await checked(signals.slice(1), publisher, shown)).join()).toContain('signals is shown as');
    const foreign = await forged('published', () => ({ publisher: 'pub_other' }));
    expect(failedOf(await checked(foreign, publisher, shown)).join()).toContain('of another signal or publisher');
  });

  test('a result that was withdrawn, or a void that is not shown', async () => {
    const without = signals.map(({ signal, records }) => ({
      signal,
      records: records.filter(({ record }) => record.type !== 'closed' && record.type !== 'voided'),
    }));
    const [failed] = failedOf(await checked(without, publisher, shown));
    expect(failed).toContain('closed is shown as');
    expect(failed).toContain('voided is shown as');
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
