import { describe, expect, test } from 'bun:test';
import type { SignalDetail } from '@tickwire/client';
import { checkChain, checkHead } from './check-log.ts';
import { checkProof } from './check-proof.ts';
import { checkKeptHeads, keepHead, keptHeads } from './kept-heads.ts';
import { forge, proofOf, type RealLog, readerOf, realLog } from './real-log.fixture.ts';
import type { Step } from './step.ts';

const { subtle } = crypto;
const checked = (real: RealLog, signal: SignalDetail): Promise<Step[]> =>
  checkProof(proofOf(real, signal), signal, subtle);
const wrongOf = (steps: readonly Step[]): string[] =>
  steps.filter(({ outcome }) => outcome === 'wrong').map(({ title }) => title);
const closedBy = ({ signals }: RealLog, reason: string, order?: string): SignalDetail => {
  const found = signals.find(
    (signal) =>
      signal.status === 'closed' && signal.close_reason === reason && (order ?? signal.order) === signal.order,
  );
  if (!found) throw new Error(`No signal was closed by ${reason}`);
  return found;
};

describe('a real log', () => {
  test('holds every way a signal can end', () => {
    const { signals } = realLog();
    const ends = new Set(signals.map((signal) => (signal.status === 'closed' ? signal.close_reason : 'active')));
    expect([...ends].sort()).toEqual(['active', 'expired', 'manual', 'stop_loss', 'take_profit', 'unfilled']);
    expect(new Set(signals.map(({ order }) => order))).toEqual(new Set(['market', 'limit', 'stop']));
  });

  test('is found right in every step, for each of its signals', async () => {
    const real = realLog();
    for (const signal of real.signals) {
      const steps = await checked(real, signal);
      expect(steps.map(({ title, outcome, text }) => (outcome === 'right' ? 'right' : `${title}: ${text}`))).toEqual(
        steps.map(() => 'right'),
      );
      expect(await checkChain(proofOf(real, signal), readerOf(real), subtle)).toMatchObject({ outcome: 'right' });
    }
    expect(await checkHead(real.head, readerOf(real), subtle)).toMatchObject({ outcome: 'right' });
  });
});

describe('a changed record is found', () => {
  test('by its hash, whichever field of it was touched', async () => {
    const { published_n, closed_n } = closedBy(realLog(), 'stop_loss');
    for (const n of [published_n, closed_n!]) {
      for (const name of Object.keys(realLog().log[n]!.record)) {
        const real = realLog();
        const { record } = real.log[n]!;
        const fields = record as unknown as Record<string, unknown>;
        fields[name] = typeof fields[name] === 'number' ? fields[name] + 1 : `${String(fields[name])}x`;
        const titles = wrongOf(await checked(real, closedBy(real, 'stop_loss')));
        expect([name, titles.some((title) => title.startsWith('Hash'))]).toEqual([name, true]);
      }
    }
  });

  test('by the chain, where its hash was made to fit', async () => {
    const real = realLog();
    const signal = closedBy(real, 'stop_loss');
    await forge(real, signal.published_n, { at: '2026-11-15T14:00:00.000Z' });
    expect(await checkChain(proofOf(real, signal), readerOf(real), subtle)).toMatchObject({
      outcome: 'wrong',
      text: expect.stringContaining('does not follow the one before'),
    });
  });

  test('by the head, where it is the last one', async () => {
    const real = realLog();
    const last = real.log.at(-1)!;
    await forge(real, last.record.n, { at: '2026-11-15T14:00:00.000Z' });
    const signal = real.signals.find(({ closed_n }) => closed_n === last.record.n) ?? real.signals[0]!;
    expect(await checkChain(proofOf(real, signal), readerOf(real), subtle)).toMatchObject({ outcome: 'wrong' });
  });

  test('and so are one that was taken out, and a log that ends too early', async () => {
    const real = realLog();
    const proof = proofOf(real, real.signals[0]!);
    const without = { ...real, log: real.log.filter(({ record }) => record.n !== real.head.n - 2) };
    expect(await checkChain(proof, readerOf(without), subtle)).toMatchObject({ outcome: 'wrong' });
    const cut = { ...real, log: real.log.slice(0, -1) };
    expect(await checkChain(proof, readerOf(cut), subtle)).toMatchObject({ outcome: 'wrong' });
  });
});

describe('a false record whose hash fits is found by what it says', () => {
  const forged = async (reason: string, changes: object, order?: string): Promise<string[]> => {
    const real = realLog();
    const signal = closedBy(real, reason, order);
    await forge(real, signal.closed_n!, changes);
    // The page shows what the log says.
    return wrongOf(await checked(real, { ...signal, ...(changes as Partial<SignalDetail>) } as SignalDetail));
  };

  test('a better result', async () => {
    expect(await forged('stop_loss', { pnl_r: 2, pnl: 100 })).toContain('Pips, percent and R');
    expect(await forged('unfilled', { pnl: 5 })).toContain('Pips, percent and R');
  });

  test('a target that was not met, and a stop that was', async () => {
    expect(await forged('stop_loss', { reason: 'take_profit' })).toContain('What ended it');
    expect(await forged('take_profit', { reason: 'stop_loss' })).toContain('What ended it');
  });

  test('a better exit, another time, a fill that was not', async () => {
    const { exit_price } = closedBy(realLog(), 'manual', 'market') as { exit_price: number };
    expect(await forged('manual', { exit_price: exit_price - 1 }, 'market')).toContain('What ended it');
    expect(await forged('expired', { closed_at: '2026-11-15T23:00:00.000Z' })).toContain('What ended it');
    for (const order of ['limit', 'stop']) {
      const { entry_price } = closedBy(realLog(), 'manual', order) as { entry_price: number };
      expect(await forged('manual', { entry_price: entry_price + 1 }, order)).toContain('What ended it');
      expect(await forged('manual', { filled: null }, order)).toContain('What ended it');
    }
  });

  test('levels that its quote would not have allowed', async () => {
    const real = realLog();
    const signal = closedBy(real, 'take_profit');
    const changes = { order: 'limit', stop_loss: signal.take_profit + 1 };
    await forge(real, signal.published_n, changes);
    expect(wrongOf(await checked(real, { ...signal, ...changes } as SignalDetail))).toContain(
      'Publication by the rules',
    );
  });

  test('a record that is none at all', async () => {
    const real = realLog();
    const signal = closedBy(real, 'stop_loss');
    await forge(real, signal.closed_n!, { decided: undefined, instrument: null });
    expect(wrongOf(await checked(real, signal)).length).toBeGreaterThan(0);
  });
});

test('a note that was changed afterwards is found, and one that was never published', async () => {
  const real = realLog();
  const noted = real.signals.find(({ note }) => note !== null)!;
  const other = { ...noted, note: `${noted.note} ` };
  expect(wrongOf(await checkProof(proofOf(real, other), other, subtle))).toEqual(['The note']);
  const plain = { ...real.signals.find(({ note }) => note === null)!, note: 'made up' };
  expect(wrongOf(await checkProof(proofOf(real, plain), plain, subtle))).toEqual(['The note']);
});

test('a page that shows another result than the log is found', async () => {
  const real = realLog();
  const signal = { ...closedBy(real, 'stop_loss'), pnl_r: 3 } as SignalDetail;
  expect(wrongOf(await checked(real, signal))).toEqual(['Same signal']);
});

describe('the head', () => {
  test('with another hash, signature or key is found', async () => {
    const real = realLog();
    for (const change of [{ hash: '0'.repeat(64) }, { signature: '00'.repeat(64) }, { public_key: '11'.repeat(32) }])
      expect(await checkHead({ ...real.head, ...change }, readerOf(real), subtle)).toMatchObject({ outcome: 'wrong' });
  });

  test('that was kept shows that the log was rewritten, with all its hashes made to fit', async () => {
    const shelf = new Map<string, string>();
    const storage = {
      getItem: (name: string) => shelf.get(name) ?? null,
      setItem: (name: string, value: string) => void shelf.set(name, value),
    };
    const real = realLog();
    expect(await checkKeptHeads(real.head, storage, readerOf(real), subtle)).toMatchObject({ outcome: 'open' });
    keepHead(storage, real.head);
    keepHead(storage, real.head);
    expect(keptHeads(storage)).toHaveLength(1);
    expect(await checkKeptHeads(real.head, storage, readerOf(real), subtle)).toMatchObject({ outcome: 'right' });
    const rewritten = realLog();
    for (let n = 3; n < rewritten.log.length; n++)
      await forge(rewritten, n, {
        prev: rewritten.log[n - 1]!.hash,
        ...(n === 3 && { at: '2026-11-15T14:00:00.000Z' }),
      });
    const head = { ...real.head, hash: rewritten.log.at(-1)!.hash };
    expect(await checkKeptHeads(head, storage, readerOf(rewritten), subtle)).toMatchObject({ outcome: 'wrong' });
    expect(await checkKeptHeads({ ...head, log: 'another' }, storage, readerOf(rewritten), subtle)).toMatchObject({
      outcome: 'wrong',
    });
  });
});
