// Signatures of requests that the SDK made, in logs that are written here record by record.
import { describe, expect, test } from 'bun:test';
import { createSigningKey, type LogEntry, type LogRecord, type SignalProof, Signer } from '@tickwire/client';
import { readerOf } from '../../../testing/signal-log.ts';
import { recordHash } from './canonical.ts';
import { checkPublisher } from './check-publisher.ts';
import { checkSignatures, type RequestRecord } from './signatures.ts';

const { subtle } = crypto;
const PUBLISHER = 'pub_signer';
const pair = await createSigningKey();
const other = await createSigningKey();
const LEVELS = { symbol: 'EURUSD', direction: 'buy', entry: 1.084, stop_loss: 1.081 } as const;
const TARGETS = [
  { price: 1.087, fraction: 0.6 },
  { price: 1.09, fraction: 0.4 },
];

type Fields = Record<string, unknown> & { readonly type: LogRecord['type'] };

/** The log of the records, linked and hashed. */
async function logOf(records: readonly Fields[]): Promise<LogEntry[]> {
  const log: LogEntry[] = [];
  for (const [n, fields] of records.entries()) {
    const prev = log[n - 1]?.hash ?? '0'.repeat(64);
    const record = { n, prev, rules: 2, at: new Date().toISOString(), ...fields } as unknown as LogRecord;
    log.push({ record, hash: await recordHash(record, subtle) });
  }
  return log;
}

const opened: Fields = { type: 'opened', log: 'log', realm: 'sim', public_key: 'ab'.repeat(32) };
const keyOf = (public_key: string | null): Fields => ({ type: 'publisher_key', publisher: PUBLISHER, public_key });
const about = { publisher: PUBLISHER, signal: 'sig_1', symbol: 'EURUSD' };

/** A publication, a tighter stop and a request to close, with the signatures of a pair of keys or without. */
async function requestsBy(keys: typeof pair | null, later = keys): Promise<Fields[]> {
  const first = keys && new Signer(PUBLISHER, keys.privateKey);
  const publication = await first?.publish({ ...LEVELS, take_profit: 1.09 });
  // Each signer has its own clock: its first signature must be later.
  if (later !== keys) await Bun.sleep(5);
  const signer = later === keys ? first : new Signer(PUBLISHER, later!.privateKey);
  const amendment = await signer?.amend('sig_1', { stop_loss: 1.082 });
  const closing = await signer?.close('sig_1');
  const signed = (signature: object | undefined, by: typeof pair | null) =>
    signature && { signed: { ...signature, public_key: by!.publicKey } };
  const at = new Date();
  const deadline = new Date(at.getTime() + 30 * 86_400_000).toISOString();
  return [
    {
      ...{ type: 'published', ...about, ...LEVELS, take_profit: 1.09, at: at.toISOString(), deadline },
      ...signed(publication?.signed, keys),
    },
    { type: 'amended', ...about, stop_loss: 1.082, ...signed(amendment?.signed, later) },
    { type: 'close_requested', ...about, ...signed(closing, later) },
  ];
}

function proofOf(log: readonly LogEntry[]): SignalProof {
  const records = log.filter(({ record }) => 'signal' in record);
  return { published: records[0]!, closed: null, seals: [], note: null, records } as unknown as SignalProof;
}

const checked = async (records: readonly Fields[]) => {
  const log = await logOf(records);
  return checkPublisher(proofOf(log), readerOf(log), subtle);
};

describe('requests of a publisher', () => {
  test('that are signed with the registered key pass', async () => {
    expect(await checked([opened, keyOf(pair.publicKey), ...(await requestsBy(pair))])).toMatchObject({
      outcome: 'passed',
      text: `3 requests are signed with the key ${pair.publicKey}, which the log has for the publisher since record 1.`,
    });
  });

  test('to enter at the market are signed without an entry', async () => {
    const { entry, ...levels } = { ...LEVELS, take_profit: 1.09 };
    for (const slippage of [{}, { max_slippage: 0.0002 }]) {
      const request = { ...levels, order: 'market' as const, ...slippage };
      const { signed } = await new Signer(PUBLISHER, pair.privateKey).publish(request);
      const at = new Date();
      const deadline = new Date(at.getTime() + 30 * 86_400_000).toISOString();
      const record: Fields = {
        type: 'published',
        ...{ ...about, ...levels, entry, max_slippage: null, ...slippage, at: at.toISOString(), deadline },
        ...{ order: 'market', signed: { ...signed, public_key: pair.publicKey } },
      };
      expect(await checked([opened, keyOf(pair.publicKey), record])).toMatchObject({ outcome: 'passed' });
      const forged = { ...record, max_slippage: 0.0003 };
      expect(await checked([opened, keyOf(pair.publicKey), forged])).toMatchObject({ outcome: 'failed' });
    }
  });

  test('may be without a signature only if no key was registered', async () => {
    const unsigned = await requestsBy(null);
    const another = { ...keyOf(pair.publicKey), publisher: 'pub_other' };
    expect(await checked([opened, another, ...unsigned])).toMatchObject({
      outcome: 'passed',
      text: expect.stringContaining('had no signing key'),
    });
    expect(await checked([opened, keyOf(pair.publicKey), keyOf(null), ...unsigned])).toMatchObject({
      outcome: 'passed',
    });
    expect(await checked([opened, keyOf(pair.publicKey), ...unsigned])).toMatchObject({
      outcome: 'failed',
      text: expect.stringContaining('Record 2 is not signed, although the publisher had a signing key.'),
    });
  });

  test('must have the key that was registered at their time', async () => {
    const [publication, ...later] = await requestsBy(pair, other);
    const replaced = [opened, keyOf(pair.publicKey), publication!, keyOf(other.publicKey), ...later];
    expect(await checked(replaced)).toMatchObject({ outcome: 'passed' });
    expect(await checked([opened, keyOf(pair.publicKey), publication!, ...later])).toMatchObject({
      outcome: 'failed',
      text: expect.stringContaining('Record 3 is signed with a key that was not registered'),
    });
    // Registered by the service itself, after the fact.
    expect(await checked([opened, ...(await requestsBy(pair)), keyOf(pair.publicKey)])).toMatchObject({
      outcome: 'failed',
    });
  });

  test('must not differ from what was signed, in any field', async () => {
    const changes: [number, object][] = [
      [0, { entry: 1.0841 }],
      [0, { stop_loss: 1.08 }],
      [0, { direction: 'sell' }],
      [0, { symbol: 'GBPUSD' }],
      [0, { deadline: '2030-01-01T00:00:00.000Z' }],
      [0, { breakeven_after: 1 }],
      [1, { stop_loss: 1.083 }],
      [2, { signal: 'sig_2' }],
    ];
    for (const [index, change] of changes) {
      const records = await requestsBy(pair);
      records[index] = { ...records[index]!, ...change };
      expect(await checked([opened, keyOf(pair.publicKey), ...records])).toMatchObject({
        outcome: 'failed',
        text: expect.stringContaining(`Record ${index + 2} is not what the publisher signed.`),
      });
    }
  });

  test('cannot be repeated or held back', async () => {
    const [publication, amendment, closing] = (await requestsBy(pair)) as [Fields, Fields, Fields];
    expect(await checked([opened, keyOf(pair.publicKey), publication, amendment, amendment])).toMatchObject({
      outcome: 'failed',
      text: 'The signature of record 4 is not later than the one before it.',
    });
    const late = { ...closing, at: new Date(Date.now() + 31_000).toISOString() };
    expect(await checked([opened, keyOf(pair.publicKey), publication, amendment, late])).toMatchObject({
      outcome: 'failed',
      text: 'Record 4 was signed more than 30 s before or after it was written.',
    });
  });

  test('are compared only with records that lead to them by their hashes', async () => {
    const log = await logOf([opened, keyOf(pair.publicKey), ...(await requestsBy(pair))]);
    const faked = [...log];
    const { record } = log[1]!;
    faked[1] = { hash: log[1]!.hash, record: { ...record, public_key: other.publicKey } as LogRecord };
    expect(await checkPublisher(proofOf(log), readerOf(faked), subtle)).toMatchObject({ outcome: 'failed' });
    expect(await checkPublisher(proofOf(log), readerOf(log.slice(2)), subtle)).toMatchObject({ outcome: 'failed' });
  });

  test('of an old key are valid, but its registration may be too far back', async () => {
    const between = Array.from({ length: 5_100 }, (): Fields => ({ type: 'tape', symbol: 'EURUSD', at: '' }));
    for (const [keys, text] of [
      [pair, '3 requests are signed with the key'],
      [null, 'It is not signed.'],
    ] as const) {
      const registered = keys ? [keyOf(keys.publicKey)] : [];
      const records = [opened, ...registered, ...between, ...(await requestsBy(keys))];
      const { outcome, text: told } = await checked(records);
      expect(outcome).toBe('unavailable');
      expect(told).toStartWith(text);
      expect(told).toContain('is not in the 5000 records before');
      // Nearer, it is found on an earlier page.
      expect(await checked([opened, ...registered, ...records.slice(-4_000)])).toMatchObject({ outcome: 'passed' });
    }
  });

  test('are not checked by a browser without Ed25519, and it says so', async () => {
    const log = await logOf([opened, keyOf(pair.publicKey), ...(await requestsBy(pair))]);
    const old = {
      digest: subtle.digest.bind(subtle),
      generateKey: () => Promise.reject(new DOMException('Unrecognized name.', 'NotSupportedError')),
    } as unknown as SubtleCrypto;
    expect(await checkPublisher(proofOf(log), readerOf(log), old)).toMatchObject({
      outcome: 'unavailable',
      text: expect.stringContaining('This browser cannot verify Ed25519 signatures'),
    });
  });
});

test('a publication is what was signed, whichever fields the request had', async () => {
  const signer = new Signer(PUBLISHER, pair.privateKey);
  const note = 'Over the high';
  const note_sha256 = new Bun.CryptoHasher('sha256').update(note).digest('hex');
  const expires_at = '2026-12-01T10:00:00Z';
  for (let choice = 0; choice < 32; choice++) {
    const has = (bit: number): boolean => (choice & (1 << bit)) !== 0;
    const targets = has(0) && { targets: TARGETS };
    const common = { ...targets, ...(has(0) && has(1) && { breakeven_after: 1 }) };
    const { signed } = await signer.publish({
      ...{ ...LEVELS, ...common, symbol: 'eurusd' },
      ...((has(2) || !targets) && { take_profit: 1.09 }),
      ...(has(3) && { note }),
      ...(has(4) && { expires_at }),
    } as never);
    const at = new Date();
    const record = {
      ...{ type: 'published', n: 1, ...about, ...LEVELS, ...common, take_profit: 1.09, at: at.toISOString() },
      ...(has(3) && { note_sha256 }),
      deadline: new Date(has(4) ? expires_at : at.getTime() + 30 * 86_400_000).toISOString(),
      signed: { ...signed, public_key: pair.publicKey },
    } as unknown as RequestRecord;
    const faults: string[] = [];
    expect(await checkSignatures([record], subtle, faults)).toEqual({
      signed: 1,
      unsigned: 0,
      keys: [pair.publicKey],
    });
    expect([choice, ...faults]).toEqual([choice]);
  }
});
