// Real signals of rules version 2, and the same ones forged. Hashes are recomputed by the forger, so only the rules can tell.
import { describe, expect, test } from 'bun:test';
import type { PublishedRecord, SignalDetail } from '@tickwire/client';
import { type RealSignal, realSignals } from '../../../testing/real-signals.ts';
import { checkTicket } from '../ticket.ts';
import { compareWithPage } from './compare-with-page.ts';
import { courseFaults, publicationFaults, type SignalRecord } from './rules-version-2.ts';

type LooseRecord = SignalRecord & Record<string, unknown>;

const recordsOf = ({ records }: RealSignal): LooseRecord[] =>
  records.map(({ record }) => structuredClone(record) as LooseRecord);
const faultsOf = (records: readonly SignalRecord[]): string[] => {
  const [p, ...rest] = records as [PublishedRecord, ...SignalRecord[]];
  return [...publicationFaults(p, checkTicket), ...courseFaults(p, rest)];
};
const found = (what: (signal: SignalDetail, types: readonly string[]) => boolean): RealSignal => {
  const real = realSignals().find(({ signal, records }) =>
    what(
      signal,
      records.map(({ record }) => record.type),
    ),
  );
  if (!real) throw new Error('No such signal');
  return real;
};
const closedBy = (reason: string, exits = 0) =>
  found((signal) => signal.status === 'closed' && signal.close_reason === reason && signal.exits.length >= exits);
/** The faults after a change of the record of a type. */
const forged = (real: RealSignal, type: SignalRecord['type'], changes: object): string[] => {
  const records = recordsOf(real);
  Object.assign(records.find((record) => record.type === type)!, changes);
  return faultsOf(records);
};

describe('real signals', () => {
  test('have every kind of record, and every way to end', () => {
    const types = new Set(realSignals().flatMap(({ records }) => records.map(({ record }) => record.type)));
    expect([...types].sort()).toEqual([
      'amended',
      'close_requested',
      'closed',
      'exited',
      'filled',
      'published',
      'voided',
    ]);
    const ends = realSignals().map(({ signal }) => (signal.status === 'closed' ? signal.close_reason : signal.state));
    expect(new Set(ends)).toEqual(
      new Set(['take_profit', 'stop_loss', 'manual', 'unfilled', 'expired', 'voided', 'open', 'pending']),
    );
  });

  test('follow the rules, and the page shows what their records contain', () => {
    for (const real of realSignals()) {
      const faults: string[] = [];
      compareWithPage(recordsOf(real), real.signal, faults);
      expect([real.signal.id, ...faultsOf(recordsOf(real)), ...faults]).toEqual([real.signal.id]);
    }
  });
});

describe('detects', () => {
  test('a better fill, and one by a price from before the publication', () => {
    const real = closedBy('take_profit', 2);
    const { entry_price } = real.signal as { entry_price: number };
    expect(forged(real, 'filled', { entry_price: entry_price * 0.999 }).length).toBeGreaterThan(0);
    const records = recordsOf(real);
    const [p, f] = [records[0]!, records.find(({ type }) => type === 'filled')!];
    f.filled = { ...(f.filled as object), seq: (p.quote as { seq: number }).seq };
    expect(faultsOf(records)).toContain('It was filled by a price from before its publication');
  });

  test('an exit that was left out, came in another order, or had another part', () => {
    const real = closedBy('take_profit', 2);
    const records = recordsOf(real);
    expect(faultsOf(records.filter((record) => !(record.type === 'exited' && record.target === 1)))).toContain(
      'Target 2 was not the next one',
    );
    expect(forged(real, 'exited', { fraction: 0.6 })).toContain('Target 1 differs from the publication');
    expect(faultsOf(records.toSpliced(2, 2, records[3]!, records[2]!)).length).toBeGreaterThan(0);
  });

  test('a stop that was hit but not recorded: the target after breakeven does not count', () => {
    const real = closedBy('stop_loss', 1);
    const faults = forged(real, 'closed', { reason: 'take_profit' });
    expect(faults).toContain('The last exit does not follow from the evidence, or the target was not hit');
  });

  test('a looser stop', () => {
    const real = found((_, types) => types.includes('amended'));
    const { stop_loss } = real.signal;
    expect(forged(real, 'amended', { stop_loss })).toContain(
      `The stop ${stop_loss} is not tighter than the one before`,
    );
  });

  test('a manual close without a request, or at a better price', () => {
    const real = closedBy('manual');
    expect(faultsOf(recordsOf(real).filter(({ type }) => type !== 'close_requested'))).toContain(
      'The last exit is not the market price',
    );
    const last_exit = { fraction: 1, price: real.signal.take_profit };
    expect(forged(real, 'closed', { last_exit, exit_price: last_exit.price })).toContain(
      'The last exit is not the market price',
    );
  });

  test('a loser that ends as unfilled, a late closing, a record after the end', () => {
    const real = closedBy('stop_loss');
    expect(
      forged(real, 'closed', { reason: 'unfilled', entry_price: null, exit_price: null, filled: null }).length,
    ).toBeGreaterThan(0);
    expect(forged(closedBy('expired'), 'closed', { closed_at: '2026-11-17T00:00:00.000Z' })).toContain(
      'The time of the closing does not follow from its evidence',
    );
    const records = recordsOf(real);
    const again = { ...records.find(({ type }) => type === 'filled')!, n: 1e6, at: '2027-01-01T00:00:00.000Z' };
    expect(faultsOf([...records, again as LooseRecord])).toContain('Record 1000000 comes after its end');
  });

  test('prices that the publisher pushed, if that is not declared', () => {
    const real = closedBy('take_profit', 2);
    const records = recordsOf(real);
    const c = records.find(({ type }) => type === 'closed')!;
    c.decided = { ...(c.decided as object), source: `push:${real.signal.publisher}` };
    expect(faultsOf(records)).toContain('Its publisher pushed a deciding price, which is not declared');
  });

  test('deadlines, parts and a breakeven that the rules do not allow', () => {
    const real = closedBy('take_profit', 2);
    expect(forged(real, 'published', { entry_deadline: real.signal.expires_at })).toContain(
      'The deadlines do not follow from the time of publication',
    );
    expect(forged(real, 'published', { breakeven_after: 3 })).toContain(
      'It moves the stop after a target that it does not have',
    );
  });

  test('a page that hides a void', () => {
    const real = closedBy('voided');
    const faults: string[] = [];
    compareWithPage(recordsOf(real), { ...real.signal, voided_reason: null }, faults);
    expect(faults.join()).toContain('The reason of the void');
  });
});
