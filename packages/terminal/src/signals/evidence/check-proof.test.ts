import { describe, expect, test } from 'bun:test';
import type { SignalDetail } from '@tickwire/client';
import { forge, idsOf, NOTE, proofOf, readerOf, type SignalLog, signalLog } from '../../../testing/signal-log.ts';
import { recordText } from '../record-text.ts';
import { recordHash } from './canonical.ts';
import { checkChain, checkHead } from './check-log.ts';
import { checkProof } from './check-proof.ts';
import type { CheckResult } from './check-result.ts';
import { checkSavedHeads, savedHeads, saveHead } from './saved-heads.ts';

const { subtle } = crypto;
const hashOf = (record: object): Promise<string> => recordHash(record, subtle);
const failedOf = (results: readonly CheckResult[]): string[] =>
  results.filter(({ outcome }) => outcome !== 'passed').map(({ title, text }) => `${title}: ${text}`);

async function failures(log: SignalLog, id: string, changes: Partial<SignalDetail> = {}): Promise<string[]> {
  const { proof, shown } = proofOf(log, id);
  const displayed = { ...shown, ...changes } as SignalDetail;
  return failedOf(await checkProof(proof, displayed, subtle, (record) => recordText(record, 2)));
}
const chainOf = (log: SignalLog, id: string): Promise<CheckResult> =>
  checkChain(proofOf(log, id).proof, readerOf(log.log), subtle);

/** The first signal that was filled, exited in part, and closed. */
function richSignal(log: SignalLog): string {
  return idsOf(log).find((id) => {
    const types = proofOf(log, id).proof.records.map(({ record }) => record.type);
    return types.includes('exited') && types.includes('closed') && !types.includes('voided');
  })!;
}

describe('a true log', () => {
  test('passes every check, for each of its signals', async () => {
    const log = signalLog();
    const types = new Set(log.log.map(({ record }) => record.type));
    for (const type of ['filled', 'exited', 'amended', 'close_requested', 'closed', 'voided'] as const)
      expect([type, types.has(type)]).toEqual([type, true]);
    for (const id of idsOf(log)) {
      expect([id, await failures(log, id)]).toEqual([id, []]);
      expect(await chainOf(log, id)).toMatchObject({ outcome: 'passed' });
    }
    expect(await checkHead(log.head, readerOf(log.log), subtle)).toMatchObject({ outcome: 'passed' });
  });

  test('has a step for each record, with the tick that decided it', async () => {
    const log = signalLog();
    const { proof, shown } = proofOf(log, richSignal(log));
    const results = await checkProof(proof, shown, subtle, (record) => recordText(record, 2));
    for (const [index, { record, hash }] of proof.records.entries()) {
      const { title, text } = results[index]!;
      expect(title).toStartWith(`Record ${record.n}: `);
      expect(text).toEndWith(`. Hash: ${hash}.`);
      if (record.type === 'exited') expect(text).toContain(`(event ${record.decided.seq}, ${record.decided.source})`);
    }
  });
});

describe('detects a changed record', () => {
  test('by its hash, for every field of every record', async () => {
    const id = richSignal(signalLog());
    for (const { record } of proofOf(signalLog(), id).proof.records) {
      for (const name of Object.keys(record)) {
        const log = signalLog();
        const fields = log.log[record.n]!.record as unknown as Record<string, unknown>;
        // The proof is of the signal before the change.
        const { proof, shown } = proofOf(log, id);
        fields[name] = typeof fields[name] === 'number' ? fields[name] + 1 : `${String(fields[name])}x`;
        const failed = failedOf(await checkProof(proof, shown, subtle, () => ''));
        expect([name, failed.some((text) => text.includes('was changed: its SHA-256 is'))]).toEqual([name, true]);
      }
    }
  });

  test('by the chain, if its hash was recomputed', async () => {
    const log = signalLog();
    const id = richSignal(log);
    const { closed } = proofOf(log, id).proof;
    await forge(log, closed!.record.n, { pnl_r: 9 });
    expect(await failures(log, id)).toEqual([]);
    expect(await chainOf(log, id)).toMatchObject({
      outcome: 'failed',
      text: expect.stringContaining('does not follow the record before'),
    });
  });

  test('by the log, if only the proof has it', async () => {
    const log = signalLog();
    const id = richSignal(log);
    for (const { record } of proofOf(log, id).proof.records) {
      const forged = signalLog();
      await forge(forged, record.n, { at: record.at });
      Object.assign(forged.log[record.n]!, { hash: 'ab'.repeat(32) });
      expect(await checkChain(proofOf(forged, id).proof, readerOf(log.log), subtle)).toMatchObject({
        outcome: 'failed',
        text: `Record ${record.n} of the log differs from this proof.`,
      });
    }
  });

  test('by the head, if it is the last one', async () => {
    const log = signalLog();
    await forge(log, log.head.n, { at: '2030-11-15T14:00:00.000Z' });
    expect(await chainOf(log, idsOf(log)[0]!)).toMatchObject({ outcome: 'failed' });
  });

  test('or a removed record, or a log that ends too early', async () => {
    const log = signalLog();
    const [first] = idsOf(log);
    const { proof } = proofOf(log, first!);
    const without = log.log.filter(({ record }) => record.n !== log.head.n - 2);
    expect(await checkChain(proof, readerOf(without), subtle)).toMatchObject({ outcome: 'failed' });
    expect(await checkChain(proof, readerOf(log.log.slice(0, -1)), subtle)).toMatchObject({ outcome: 'failed' });
    const earlier = { ...proof, head: { ...proof.head, n: proof.records.at(-1)!.record.n - 1 } };
    expect(await checkChain(earlier, readerOf(log.log), subtle)).toMatchObject({ outcome: 'failed' });
  });

  test('that is older than the one before', async () => {
    const log = signalLog();
    const id = richSignal(log);
    const { n } = proofOf(log, id).proof.records[1]!.record;
    await forge(log, n, { at: '2026-03-02T11:00:00.000Z' });
    expect(await failures(log, id)).toEqual([expect.stringMatching(/^Order in time: Record \d+ is older/)]);
    for (let next = n + 1; next < log.log.length; next++) await forge(log, next, { prev: log.log[next - 1]!.hash });
    const rewritten = { ...log, head: { ...log.head, hash: log.log.at(-1)!.hash } };
    expect(await chainOf(rewritten, id)).toMatchObject({
      outcome: 'failed',
      text: `Record ${n} is older than the record before it.`,
    });
  });

  test('that is malformed', async () => {
    const log = signalLog();
    const id = richSignal(log);
    await forge(log, proofOf(log, id).proof.closed!.record.n, { last_exit: {}, decided: {} });
    expect(await failures(log, id)).toEqual([expect.stringContaining('A record is malformed')]);
  });
});

test('detects a note that was changed later, and one that was never published', async () => {
  const log = signalLog();
  const noted = idsOf(log).find((id) => proofOf(log, id).proof.note === NOTE)!;
  const plain = idsOf(log).find((id) => proofOf(log, id).proof.note === null)!;
  for (const [id, note] of [
    [noted, `${NOTE} `],
    [noted, null],
    [plain, NOTE],
  ] as const) {
    const { proof, shown } = proofOf(log, id);
    const failed = failedOf(await checkProof({ ...proof, note }, shown, subtle, () => ''));
    expect(failed).toEqual([expect.stringMatching(/^Note: /)]);
  }
});

test('detects a page that shows something else than the log', async () => {
  const log = signalLog();
  const id = richSignal(log);
  for (const change of [{ entry: 1 }, { stop_loss: 1 }, { direction: 'up' }, { pnl_r: 3 }, { close_reason: 'voided' }])
    expect(await failures(log, id, change as Partial<SignalDetail>)).toEqual([
      expect.stringMatching(/^Same signal: .*on this page, but/),
    ]);
  const voided = idsOf(log).find((each) =>
    proofOf(log, each).proof.records.some(({ record }) => record.type === 'voided'),
  )!;
  expect(await failures(log, voided, { pnl_r: 3 } as Partial<SignalDetail>)).toEqual([
    'Same signal: An operator voided it, but it is shown with a result.',
  ]);
});

test('detects records of another signal', async () => {
  const log = signalLog();
  const [one, other] = [richSignal(log), idsOf(log)[0]!];
  const { proof, shown } = proofOf(log, one);
  const records = [...proof.records.slice(0, -1), proofOf(log, other).proof.records[0]!];
  const failed = failedOf(await checkProof({ ...proof, closed: null, records }, shown, subtle, () => ''));
  expect(failed.join()).toContain('belongs to another signal');
});

describe('the head', () => {
  test('fails with another hash, signature or key', async () => {
    const { head, log } = signalLog();
    for (const change of [{ hash: '0'.repeat(64) }, { signature: '00'.repeat(64) }, { public_key: '11'.repeat(32) }])
      expect(await checkHead({ ...head, ...change }, readerOf(log), subtle)).toMatchObject({ outcome: 'failed' });
  });

  test('saved earlier shows that the log was rewritten with valid hashes', async () => {
    const stored = new Map<string, string>();
    const storage = {
      getItem: (name: string) => stored.get(name) ?? null,
      setItem: (name: string, value: string) => void stored.set(name, value),
    };
    const { head, log } = signalLog();
    expect(await checkSavedHeads(head, storage, readerOf(log), hashOf)).toMatchObject({ outcome: 'unavailable' });
    saveHead(storage, head);
    saveHead(storage, head);
    expect(savedHeads(storage)).toHaveLength(1);
    expect(await checkSavedHeads(head, storage, readerOf(log), hashOf)).toMatchObject({ outcome: 'passed' });
    const rewritten = signalLog();
    for (let n = 3; n < rewritten.log.length; n++)
      await forge(rewritten, n, {
        prev: rewritten.log[n - 1]!.hash,
        ...(n === 3 && { at: '2026-11-15T14:00:00.000Z' }),
      });
    const forged = { ...head, hash: rewritten.log.at(-1)!.hash };
    const read = readerOf(rewritten.log);
    expect(await checkSavedHeads(forged, storage, read, hashOf)).toMatchObject({ outcome: 'failed' });
    expect(await checkSavedHeads({ ...forged, log: 'another' }, storage, read, hashOf)).toMatchObject({
      outcome: 'failed',
    });
  });
});
