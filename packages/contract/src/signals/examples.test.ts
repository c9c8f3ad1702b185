import { describe, expect, test } from 'bun:test';
import { createHash, createPublicKey, verify } from 'node:crypto';
import { canonicalJson } from '../common/canonical-json.ts';
import { RESPONSE_EXAMPLES } from '../documents/examples.ts';
import {
  ACTIVE_EXAMPLE,
  ALERT_EXAMPLE,
  CLOSED_EXAMPLE,
  CLOSED_MANUALLY_EXAMPLE,
  DETAIL_EXAMPLE,
  FILLED_EXAMPLE,
  PROOF_EXAMPLE,
  REQUEST_EXAMPLE,
} from './examples.ts';
import { LogEntry } from './log.ts';
import { HEAD_EXAMPLE, LOG_EXAMPLE } from './log-example.ts';
import { profitOf, WHOLE } from './profit.ts';
import { PUBLISHER_EXAMPLE, TRACK_RECORD_EXAMPLE } from './publisher-examples.ts';
import { SignalRequest, TradingViewAlert } from './requests.ts';
import type { ClosedSignal } from './schemas.ts';

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
const entries: readonly LogEntry[] = Object.values(LOG_EXAMPLE);

describe('the example log', () => {
  test('has the hash of the canonical JSON of each record', () => {
    for (const { hash, record } of entries) expect(hash).toBe(sha256(canonicalJson(record)));
  });

  test('keeps its hashes when it is serialized and parsed', () => {
    for (const entry of entries) {
      const { hash, record } = LogEntry.parse(JSON.parse(JSON.stringify(entry)));
      expect(sha256(canonicalJson(record))).toBe(hash);
    }
  });

  test('is an unbroken chain', () => {
    entries.slice(1).forEach(({ record }, index) => {
      const before = entries[index];
      expect([record.n, record.prev]).toEqual([(before?.record.n ?? 0) + 1, before?.hash ?? '']);
    });
  });

  test('has a head that names the last record and is signed with its public key', () => {
    const { public_key, signature, ...signed } = HEAD_EXAMPLE;
    expect([signed.n, signed.hash]).toEqual([LOG_EXAMPLE.latest.record.n, LOG_EXAMPLE.latest.hash]);
    const x = Buffer.from(public_key, 'hex').toString('base64url');
    const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' });
    const holds = (text: string) => verify(null, Buffer.from(text), key, Buffer.from(signature, 'hex'));
    expect(holds(canonicalJson(signed))).toBe(true);
    expect(holds(canonicalJson({ ...signed, n: signed.n + 1 }))).toBe(false);
  });

  test('has a proof with all records of one signal', () => {
    const { published, closed, seals, records } = PROOF_EXAMPLE;
    expect(published.record).toMatchObject({ type: 'published', signal: CLOSED_EXAMPLE.id });
    expect(closed?.record).toMatchObject({ type: 'closed', signal: CLOSED_EXAMPLE.id });
    expect(records.map(({ record }) => record)).toMatchObject(
      ['published', 'filled', 'closed'].map((type) => ({ type, signal: CLOSED_EXAMPLE.id })),
    );
    expect(seals.map(({ record }) => record)).toMatchObject([{ type: 'tape', symbol: 'XAUUSD', day: '2026-03-01' }]);
  });
});

describe('the example signals', () => {
  const profit = (signal: ClosedSignal, { digits, pip_size }: { digits: number; pip_size: number }) => {
    const ticks = (price: number | null) => Math.round((price ?? Number.NaN) * 10 ** digits);
    return profitOf({
      direction: signal.direction,
      entry: ticks(signal.entry),
      entryPrice: ticks(signal.entry_price),
      stopLoss: ticks(signal.stop_loss),
      exits: [{ fraction: WHOLE, price: ticks(signal.exit_price) }],
      digits,
      pipSize: pip_size,
    });
  };

  test('have profit and loss that follow from the prices', () => {
    expect(CLOSED_EXAMPLE).toMatchObject(profit(CLOSED_EXAMPLE, LOG_EXAMPLE.closed.record.instrument));
    expect(CLOSED_MANUALLY_EXAMPLE).toMatchObject(
      profit(CLOSED_MANUALLY_EXAMPLE, LOG_EXAMPLE.latest.record.instrument),
    );
    expect(CLOSED_MANUALLY_EXAMPLE.exit_price).toBe(RESPONSE_EXAMPLES.quote.bid);
  });

  test('agree with their log records', () => {
    const { published, closed, latest } = LOG_EXAMPLE;
    const { pnl, pnl_percent, pnl_r, entry_price, exit_price, closed_at } = CLOSED_EXAMPLE;
    expect(closed.record).toMatchObject({ pnl, pnl_percent, pnl_r, entry_price, exit_price, closed_at });
    expect(closed.record.reason).toBe(CLOSED_EXAMPLE.close_reason as 'take_profit');
    for (const [signal, { record }] of [
      [CLOSED_EXAMPLE, published],
      [ACTIVE_EXAMPLE, latest],
    ] as const) {
      const { id, symbol, direction, entry, stop_loss, take_profit, timestamp } = signal;
      expect(record).toMatchObject({ signal: id, symbol, direction, entry, stop_loss, take_profit, at: timestamp });
    }
    const { publisher, order, expires_at, published_n, published_hash } = DETAIL_EXAMPLE;
    expect(latest.record).toMatchObject({ publisher, order, deadline: expires_at, n: published_n });
    expect(DETAIL_EXAMPLE).toMatchObject({
      filled_at: FILLED_EXAMPLE.filled_at,
      entry_price: FILLED_EXAMPLE.entry_price,
    });
    expect(latest.hash).toBe(published_hash as typeof latest.hash);
    expect(latest.record.note_sha256).toBe(sha256(DETAIL_EXAMPLE.note ?? '') as never);
  });

  test('include an alert that is equivalent to the request', () => {
    const { id, ...read } = TradingViewAlert.parse(ALERT_EXAMPLE);
    expect(SignalRequest.parse(read)).toEqual(REQUEST_EXAMPLE);
    expect(id).toBe(ALERT_EXAMPLE.id);
  });
});

describe('the example track record', () => {
  test('has counts that add up', () => {
    const record = TRACK_RECORD_EXAMPLE;
    expect(record.signals).toBe(record.active + record.closed);
    expect(record.closed).toBe(record.ranked_signals + record.unfilled + record.unranked);
    expect(record.ranked_signals).toBe(record.wins + record.losses + record.breakeven);
  });

  test('has figures that follow from the equity curve', () => {
    const { equity, instruments, ...record } = PUBLISHER_EXAMPLE;
    const results = equity.map(({ r }) => r);
    const sum = (numbers: readonly number[]) => numbers.reduce((total, each) => total + each, 0);
    equity.forEach(({ total_r }, index) => {
      expect(total_r).toBeCloseTo(sum(results.slice(0, index + 1)), 9);
    });
    expect(record.ranked_signals).toBe(results.length);
    expect(record.total_r).toBeCloseTo(sum(results), 9);
    expect(record.average_r).toBeCloseTo(sum(results) / results.length, 4);
    expect(record.profit_factor).toBeCloseTo(sum(results.filter((r) => r > 0)) / -sum(results.filter((r) => r < 0)), 4);
    expect(sum(instruments.map(({ total_r }) => total_r))).toBeCloseTo(record.total_r, 9);
    expect(sum(instruments.map(({ signals }) => signals))).toBe(record.signals);
  });
});
