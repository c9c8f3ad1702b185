// Signals of rules version 2, from a log of random signals that the engine judged.
import { describe, expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { LogEntry, SignalDetail, SignalProof } from '@tickwire/client';
import { forge, type RealLog, readerOf } from '../../../testing/real-log.ts';
import { checkTicket } from '../ticket.ts';
import { checkChain } from './check-log.ts';
import { checkProof } from './check-proof.ts';

const { subtle } = crypto;
const text = readFileSync(join(import.meta.dir, '../../../testing/version-2-log.json'), 'utf8');

type Fields = Record<string, unknown>;
const fieldsOf = ({ record }: LogEntry): Fields => record as unknown as Fields;

function readLog(): RealLog {
  const { log } = JSON.parse(text) as { log: LogEntry[] };
  const { record, hash } = log.at(-1)!;
  const head = { log: 'log', n: record.n, hash, at: record.at, public_key: '', signature: '' };
  return { log, head, signals: [] };
}

const isAbout = (entry: LogEntry, id: string): boolean => fieldsOf(entry).signal === id;

/** The response of the service for one signal, and the signal as a page shows it. */
function proofOf({ log, head }: RealLog, id: string): { proof: SignalProof; shown: SignalDetail } {
  const records = log.filter((entry) => isAbout(entry, id));
  const published = records[0]!;
  const closed = records.find(({ record }) => record.type === 'closed') ?? null;
  const isVoided = records.some(({ record }) => record.type === 'voided');
  const p = fieldsOf(published);
  const c = closed && fieldsOf(closed);
  const outcome = isVoided
    ? { status: 'closed', close_reason: 'voided', pnl: 0, pnl_r: 0, exit_price: null }
    : c
      ? { status: 'closed', close_reason: c.reason, pnl: c.pnl, pnl_r: c.pnl_r, exit_price: c.exit_price }
      : { status: 'active' };
  return {
    proof: { published, closed, seals: [], head, note: null, records },
    shown: { ...p, id, timestamp: p.at, ...outcome } as unknown as SignalDetail,
  };
}

async function failed(real: RealLog, id: string): Promise<string[]> {
  const { proof, shown } = proofOf(real, id);
  const results = await checkProof(proof, shown, subtle, checkTicket);
  return results.filter(({ outcome }) => outcome !== 'passed').map((result) => `${result.title}: ${result.text}`);
}

const idsOf = ({ log }: RealLog): string[] =>
  log.filter(({ record }) => record.type === 'published').map((entry) => fieldsOf(entry).signal as string);

test('every signal passes every check, whatever happened to it', async () => {
  const real = readLog();
  const types = new Set(real.log.map(({ record }) => record.type));
  for (const type of ['filled', 'exited', 'amended', 'close_requested', 'voided'] as const)
    expect([type, types.has(type)]).toEqual([type, true]);
  for (const id of idsOf(real)) {
    expect([id, await failed(real, id)]).toEqual([id, []]);
    expect(await checkChain(proofOf(real, id).proof, readerOf(real), subtle)).toMatchObject({ outcome: 'passed' });
  }
});

describe('finds a forged record with a valid hash', () => {
  /** The titles of the checks that fail for the signal of the first such record, changed. */
  async function forged(isWanted: (fields: Fields) => boolean, change: (fields: Fields) => object): Promise<string[]> {
    const real = readLog();
    const entry = real.log.find((each) => isWanted(fieldsOf(each)))!;
    await forge(real, entry.record.n, change(fieldsOf(entry)));
    const faults = await failed(real, fieldsOf(entry).signal as string);
    return faults.map((fault) => fault.slice(0, fault.indexOf(':')));
  }
  const is =
    (type: string, more: Fields = {}) =>
    (fields: Fields): boolean =>
      fields.type === type && Object.entries(more).every(([name, value]) => fields[name] === value);
  const plus = (value: unknown, ticks: number): number => Math.round((value as number) * 1_000 + ticks) / 1_000;

  const LIFE = expect.arrayContaining([expect.stringContaining('the rules')]);

  test('a better fill, and one at another time', async () => {
    for (const ticks of [1, -1])
      expect(await forged(is('filled'), ({ entry_price }) => ({ entry_price: plus(entry_price, ticks) }))).toEqual(
        LIFE,
      );
    expect(await forged(is('filled'), () => ({ filled_at: '2026-03-02T12:00:00.000Z' }))).toEqual(LIFE);
  });

  test('an exit at another price, of another fraction, of another target', async () => {
    expect(await forged(is('exited'), ({ price }) => ({ price: plus(price, 1) }))).toEqual(LIFE);
    expect(await forged(is('exited'), () => ({ fraction: 0.9 }))).toEqual(LIFE);
    expect(await forged(is('exited'), () => ({ target: 3 }))).toEqual(LIFE);
  });

  test('a wider stop', async () => {
    expect(
      await forged(is('amended'), ({ stop_loss }) => ({ stop_loss: (stop_loss as number) > 20 ? 10 : 40 })),
    ).toEqual(LIFE);
  });

  for (const reason of ['stop_loss', 'take_profit', 'manual', 'expired'])
    test(`a better last exit: ${reason}`, async () => {
      const change = ({ last_exit }: Fields): object => {
        const { fraction, price } = last_exit as { fraction: number; price: number };
        return { last_exit: { fraction, price: plus(price, 2) } };
      };
      expect(await forged(is('closed', { reason }), change)).toEqual(LIFE);
      expect(await forged(is('closed', { reason }), () => ({ closed_at: '2026-03-02T12:00:00.000Z' }))).toEqual(LIFE);
    });

  test('a result', async () => {
    const stopped = is('closed', { reason: 'stop_loss' });
    expect(await forged(stopped, () => ({ pnl_r: 3 }))).toContain('Pips, percent and R');
    expect(await forged(stopped, ({ exit_price }) => ({ exit_price: plus(exit_price, 1) }))).toContain(
      'Pips, percent and R',
    );
  });

  test('a record that is older than the one before', async () => {
    const changed = () => ({ at: '2026-03-02T11:00:00.000Z' });
    expect(await forged(is('filled'), changed)).toContain('Order in time');
    const real = readLog();
    const [first, second] = idsOf(real);
    const { n } = real.log.find((entry) => isAbout(entry, second!))!.record;
    await forge(real, n, changed());
    for (let next = n + 1; next < real.log.length; next++) await forge(real, next, { prev: real.log[next - 1]!.hash });
    const head = { ...real.head, hash: real.log.at(-1)!.hash };
    const { proof } = proofOf({ ...real, head }, first!);
    expect(await checkChain(proof, readerOf(real), subtle)).toMatchObject({
      outcome: 'failed',
      text: `Record ${n} is older than the record before it.`,
    });
  });

  test('a changed record between publication and closing, by its hash', async () => {
    const real = readLog();
    const entry = real.log.find(({ record }) => record.type === 'amended')!;
    fieldsOf(entry).symbol = 'EURUSD';
    const faults = await failed(real, fieldsOf(entry).signal as string);
    expect(faults).toContain(`Hashes of the records between: Record ${entry.record.n} was changed.`);
  });
});
