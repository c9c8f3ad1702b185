import { describe, expect, test } from 'bun:test';
import type { SignalDetail } from '@tickwire/client';
import { forge, proofOf, type RealLog, readerOf, realLog } from '../../../testing/real-log.ts';
import { checkTicket } from '../ticket.ts';
import { recordHash } from './canonical.ts';
import { checkChain, checkHead } from './check-log.ts';
import { checkProof } from './check-proof.ts';
import type { CheckResult } from './check-result.ts';
import { checkSavedHeads, savedHeads, saveHead } from './saved-heads.ts';

const { subtle } = crypto;
const hashOf = (record: object): Promise<string> => recordHash(record, subtle);
const checked = (real: RealLog, signal: SignalDetail): Promise<CheckResult[]> =>
  checkProof(proofOf(real, signal), signal, subtle, checkTicket);
const failedOf = (results: readonly CheckResult[]): string[] =>
  results.filter(({ outcome }) => outcome === 'failed').map(({ title }) => title);
const closedBy = ({ signals }: RealLog, reason: string, order?: string): SignalDetail => {
  const found = signals.find(
    (signal) =>
      signal.status === 'closed' && signal.close_reason === reason && (order ?? signal.order) === signal.order,
  );
  if (!found) throw new Error(`No signal was closed by ${reason}`);
  return found;
};

describe('a real log', () => {
  test('contains every way a signal can end', () => {
    const { signals } = realLog();
    const ends = new Set(signals.map((signal) => (signal.status === 'closed' ? signal.close_reason : 'active')));
    expect([...ends].sort()).toEqual(['active', 'expired', 'manual', 'stop_loss', 'take_profit', 'unfilled']);
    expect(new Set(signals.map(({ order }) => order))).toEqual(new Set(['market', 'limit', 'stop']));
  });

  test('passes every check, for each of its signals', async () => {
    const real = realLog();
    for (const signal of real.signals) {
      const results = await checked(real, signal);
      expect(
        results.map(({ title, outcome, text }) => (outcome === 'passed' ? 'passed' : `${title}: ${text}`)),
      ).toEqual(results.map(() => 'passed'));
      expect(await checkChain(proofOf(real, signal), readerOf(real), subtle)).toMatchObject({ outcome: 'passed' });
    }
    expect(await checkHead(real.head, readerOf(real), subtle)).toMatchObject({ outcome: 'passed' });
  });
});

describe('detects a changed record', () => {
  test('by its hash, for every field', async () => {
    const { published_n, closed_n } = closedBy(realLog(), 'stop_loss');
    for (const n of [published_n, closed_n!]) {
      for (const name of Object.keys(realLog().log[n]!.record)) {
        const real = realLog();
        const { record } = real.log[n]!;
        const fields = record as unknown as Record<string, unknown>;
        fields[name] = typeof fields[name] === 'number' ? fields[name] + 1 : `${String(fields[name])}x`;
        const titles = failedOf(await checked(real, closedBy(real, 'stop_loss')));
        expect([name, titles.some((title) => title.startsWith('Hash'))]).toEqual([name, true]);
      }
    }
  });

  test('by the chain, if its hash was recomputed', async () => {
    const real = realLog();
    const signal = closedBy(real, 'stop_loss');
    await forge(real, signal.published_n, { at: '2026-11-15T14:00:00.000Z' });
    expect(await checkChain(proofOf(real, signal), readerOf(real), subtle)).toMatchObject({
      outcome: 'failed',
      text: expect.stringContaining('does not follow the record before'),
    });
  });

  test('by the head, if it is the last one', async () => {
    const real = realLog();
    const last = real.log.at(-1)!;
    await forge(real, last.record.n, { at: '2026-11-15T14:00:00.000Z' });
    const signal = real.signals.find(({ closed_n }) => closed_n === last.record.n) ?? real.signals[0]!;
    expect(await checkChain(proofOf(real, signal), readerOf(real), subtle)).toMatchObject({ outcome: 'failed' });
  });

  test('or a removed record, or a log that ends too early', async () => {
    const real = realLog();
    const proof = proofOf(real, real.signals[0]!);
    const without = { ...real, log: real.log.filter(({ record }) => record.n !== real.head.n - 2) };
    expect(await checkChain(proof, readerOf(without), subtle)).toMatchObject({ outcome: 'failed' });
    const cut = { ...real, log: real.log.slice(0, -1) };
    expect(await checkChain(proof, readerOf(cut), subtle)).toMatchObject({ outcome: 'failed' });
  });
});

describe('detects a forged record with a valid hash by its content', () => {
  const forged = async (reason: string, changes: object, order?: string): Promise<string[]> => {
    const real = realLog();
    const signal = closedBy(real, reason, order);
    await forge(real, signal.closed_n!, changes);
    // The page shows what the log contains.
    return failedOf(await checked(real, { ...signal, ...(changes as Partial<SignalDetail>) } as SignalDetail));
  };

  test('a better result', async () => {
    expect(await forged('stop_loss', { pnl_r: 2, pnl: 100 })).toContain('Pips, percent and R');
    expect(await forged('unfilled', { pnl: 5 })).toContain('Pips, percent and R');
  });

  test('a target that was not hit, and a stop that was', async () => {
    expect(await forged('stop_loss', { reason: 'take_profit' })).toContain('Closing follows the rules');
    expect(await forged('take_profit', { reason: 'stop_loss' })).toContain('Closing follows the rules');
  });

  test('a better exit, another time, a fill that did not happen', async () => {
    const { exit_price } = closedBy(realLog(), 'manual', 'market') as { exit_price: number };
    expect(await forged('manual', { exit_price: exit_price - 1 }, 'market')).toContain('Closing follows the rules');
    expect(await forged('expired', { closed_at: '2026-11-15T23:00:00.000Z' })).toContain('Closing follows the rules');
    for (const order of ['limit', 'stop']) {
      const { entry_price } = closedBy(realLog(), 'manual', order) as { entry_price: number };
      expect(await forged('manual', { entry_price: entry_price + 1 }, order)).toContain('Closing follows the rules');
      expect(await forged('manual', { filled: null }, order)).toContain('Closing follows the rules');
    }
  });

  test('levels that were not valid at its quote', async () => {
    const real = realLog();
    const signal = closedBy(real, 'take_profit');
    const changes = { order: 'limit', stop_loss: signal.take_profit + 1 };
    await forge(real, signal.published_n, changes);
    expect(failedOf(await checked(real, { ...signal, ...changes } as SignalDetail))).toContain(
      'Publication follows the rules',
    );
  });

  test('a malformed record', async () => {
    const real = realLog();
    const signal = closedBy(real, 'stop_loss');
    await forge(real, signal.closed_n!, { decided: undefined, instrument: null });
    expect(failedOf(await checked(real, signal)).length).toBeGreaterThan(0);
  });
});

test('detects a note that was changed later, and one that was never published', async () => {
  const real = realLog();
  const noted = real.signals.find(({ note }) => note !== null)!;
  const other = { ...noted, note: `${noted.note} ` };
  expect(failedOf(await checkProof(proofOf(real, other), other, subtle, checkTicket))).toEqual(['Note']);
  const plain = { ...real.signals.find(({ note }) => note === null)!, note: 'made up' };
  expect(failedOf(await checkProof(proofOf(real, plain), plain, subtle, checkTicket))).toEqual(['Note']);
});

test('detects a page that shows another result than the log', async () => {
  const real = realLog();
  const signal = { ...closedBy(real, 'stop_loss'), pnl_r: 3 } as SignalDetail;
  expect(failedOf(await checked(real, signal))).toEqual(['Same signal']);
});

describe('the head', () => {
  test('fails with another hash, signature or key', async () => {
    const real = realLog();
    for (const change of [{ hash: '0'.repeat(64) }, { signature: '00'.repeat(64) }, { public_key: '11'.repeat(32) }])
      expect(await checkHead({ ...real.head, ...change }, readerOf(real), subtle)).toMatchObject({ outcome: 'failed' });
  });

  test('saved earlier shows that the log was rewritten with valid hashes', async () => {
    const stored = new Map<string, string>();
    const storage = {
      getItem: (name: string) => stored.get(name) ?? null,
      setItem: (name: string, value: string) => void stored.set(name, value),
    };
    const real = realLog();
    expect(await checkSavedHeads(real.head, storage, readerOf(real), hashOf)).toMatchObject({ outcome: 'unavailable' });
    saveHead(storage, real.head);
    saveHead(storage, real.head);
    expect(savedHeads(storage)).toHaveLength(1);
    expect(await checkSavedHeads(real.head, storage, readerOf(real), hashOf)).toMatchObject({ outcome: 'passed' });
    const rewritten = realLog();
    for (let n = 3; n < rewritten.log.length; n++)
      await forge(rewritten, n, {
        prev: rewritten.log[n - 1]!.hash,
        ...(n === 3 && { at: '2026-11-15T14:00:00.000Z' }),
      });
    const head = { ...real.head, hash: rewritten.log.at(-1)!.hash };
    expect(await checkSavedHeads(head, storage, readerOf(rewritten), hashOf)).toMatchObject({ outcome: 'failed' });
    expect(await checkSavedHeads({ ...head, log: 'another' }, storage, readerOf(rewritten), hashOf)).toMatchObject({
      outcome: 'failed',
    });
  });
});
