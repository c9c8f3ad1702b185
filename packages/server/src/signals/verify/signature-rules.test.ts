import { describe, expect, test } from 'bun:test';
import { generateKeyPairSync, sign } from 'node:crypto';
import { canonicalJson, type LogRecord, type PublishedRecord } from '@tickwire/contract';
import { randomLog, SIGNER } from '../../../testing/signals/random-log.fixture.ts';
import { type Draft, findingsOf, rewritten } from '../../../testing/signals/tampering.fixture.ts';
import type { Finding } from './findings.ts';
import { PublisherSignatures } from './signature-rules.ts';

const log = randomLog({ seed: 21, events: 500, signed: 0.6 });
const signed = ({ signed: signature }: Draft): boolean => signature !== undefined;

async function signatureFaults(edit: (all: Draft[]) => void): Promise<Finding[]> {
  const found = await findingsOf(rewritten(log.lines, edit));
  return found.filter(({ code }) => code === 'signature');
}
const find = (all: Draft[], type: LogRecord['type']): Draft => all.find((each) => each.type === type && signed(each))!;

describe('a log with signed requests', () => {
  test('has no faults, with signatures of every kind', async () => {
    expect(await findingsOf(log.lines)).toEqual([]);
    const types = log.lines.map(({ text }) => JSON.parse(text) as Draft).filter(signed);
    expect(new Set(types.map(({ type }) => type))).toEqual(new Set(['published', 'amended', 'close_requested']));
  });

  for (const type of ['published', 'amended', 'close_requested'] as const) {
    test(`finds a removed or foreign signature: ${type}`, async () => {
      const removed = await signatureFaults((all) => {
        delete find(all, type).signed;
      });
      expect(removed.map(({ message }) => message)).toEqual([`it is not signed, although ${SIGNER} has a signing key`]);
      const foreign = await signatureFaults((all) => {
        const [first, second] = all.filter((each) => each.type === type && signed(each)) as [Draft, Draft];
        const { signature } = second.signed as { signature: string };
        first.signed = { ...(first.signed as object), signature };
      });
      expect(foreign.map(({ message }) => message)).toEqual([`it is not signed by the key of ${SIGNER}`]);
    });
  }

  test('finds a change of each requested field', async () => {
    for (const [type, change] of [
      ['published', { entry: 20.5 }],
      ['published', { stop_loss: 19.5 }],
      ['published', { deadline: '2026-03-02T12:30:00.000Z' }],
      ['published', { note_sha256: 'ab'.repeat(32) }],
      ['amended', { stop_loss: 20.5 }],
    ] as const) {
      const found = await signatureFaults((all) => void Object.assign(find(all, type), change));
      expect([change, found.length]).toEqual([change, 1]);
    }
  });

  test('finds a repeated request, and one that was held back', async () => {
    const repeated = await signatureFaults((all) => {
      const [first, second] = all.filter((each) => each.type === 'published' && signed(each)) as [Draft, Draft];
      second.signed = first.signed;
    });
    expect(repeated.map(({ message }) => message)).toContainEqual(expect.stringContaining('is not later than'));
    const held = await signatureFaults((all) => {
      const draft = find(all, 'published');
      draft.at = new Date(Date.parse(draft.at as string) + 31_000).toISOString();
    });
    expect(held[0]!.message).toContain('more than 30 s');
  });

  test('finds signatures with a key that is not registered', async () => {
    const { length } = log.lines.filter(({ text }) => text.includes('"signature"'));
    for (const key of [null, 'ab'.repeat(32)]) {
      const found = await signatureFaults((all) => {
        all.find(({ type }) => type === 'publisher_key')!.public_key = key;
      });
      expect([key, found.length]).toEqual([key, length]);
    }
  });
});

describe('the signed request', () => {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  const public_key = Buffer.from(publicKey.export({ format: 'jwk' }).x!, 'base64url').toString('hex');
  const [at, signed_at] = ['2026-03-02T11:24:08.000Z', '2026-03-02T11:24:07.318Z'];
  const common = { n: 1, prev: '0'.repeat(64), rules: 2, at, publisher: 'pub' };
  const levels = { symbol: 'EURUSD', direction: 'buy', entry: 1.084, stop_loss: 1.081, take_profit: 1.09 } as const;
  const record: PublishedRecord = {
    ...common,
    ...levels,
    type: 'published',
    signal: 'sig',
    order: 'limit',
    entry_deadline: '2026-03-03T11:24:08.000Z',
    deadline: '2026-04-01T11:24:08.000Z',
    instrument: { digits: 5, pip_size: 0.0001 },
    quote: { kind: 'quote', seq: 1, time: at, bid: 1.0841, ask: 1.0842, source: 'sim' },
  };

  async function isValid(request: object, more: object = {}): Promise<boolean> {
    const text = canonicalJson({ action: 'publish', publisher: 'pub', signed_at, ...request });
    const signature = sign(null, Buffer.from(text), privateKey).toString('hex');
    const signatures = new PublisherSignatures();
    signatures.setKey({ ...common, type: 'publisher_key', public_key });
    const faults: string[] = [];
    signatures.check({ ...record, ...more, signed: { signed_at, signature, public_key } }, (_, fault) => {
      faults.push(fault);
    });
    await signatures.settle();
    expect(faults.length).toBe(1 - signatures.valid);
    return signatures.valid === 1;
  }

  test('has the fields that were sent', async () => {
    expect(await isValid(levels)).toBe(true);
    expect(await isValid({ ...levels, action: 'amend' })).toBe(false);
    expect(await isValid({ ...levels, breakeven_after: 1 })).toBe(false);
  });

  test('has no text that is not well-formed', async () => {
    expect(await isValid(levels, { symbol: '\ud800' })).toBe(false);
  });

  test('has expires_at in UTC with milliseconds, if it was sent', async () => {
    const expires_at = '2026-03-02T12:00:00.000Z';
    const deadlines = { entry_deadline: expires_at, deadline: expires_at };
    expect(await isValid({ ...levels, expires_at }, deadlines)).toBe(true);
    expect(await isValid(levels, deadlines)).toBe(false);
    expect(await isValid({ ...levels, expires_at: '2026-03-02T12:00:00Z' }, deadlines)).toBe(false);
    // The latest time that is allowed equals the default.
    expect(await isValid({ ...levels, expires_at: record.deadline })).toBe(true);
  });

  test('may leave out take_profit if there are targets', async () => {
    const targets = [
      { price: 1.086, fraction: 0.5 },
      { price: 1.09, fraction: 0.5 },
    ];
    const { take_profit, ...rest } = levels;
    expect(await isValid({ ...levels, targets }, { targets })).toBe(true);
    expect(await isValid({ ...rest, targets }, { targets })).toBe(true);
    expect(await isValid(rest)).toBe(false);
  });
});
