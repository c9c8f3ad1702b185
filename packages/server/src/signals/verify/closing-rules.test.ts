// Closings at a missed trade, checked from the evidence in the record alone.
import { describe, expect, test } from 'bun:test';
import { asEpochMs, type EpochMs, type Evidence, type MarketSymbol, type QuoteEvidence } from '@tickwire/engine';
import { checkClosing } from './closing-rules.ts';
import type { FindingCode } from './findings.ts';
import type { ParsedClosing, ParsedPublication } from './parsed-signal.ts';
import { shapeFault } from './record-shape.ts';

const NOON = Date.UTC(2026, 2, 4, 12);
const at = (second: number): EpochMs => asEpochMs(NOON + second * 1_000);
const quote: QuoteEvidence = { kind: 'quote', seq: 1, time: at(0), bid: 1.5, ask: 1.51, source: 'venue' };
const trade = (price: number, side: 'buy' | 'sell'): Evidence => ({
  ...{ kind: 'trade', seq: 5, time: at(20), price, side },
  spread: 0.01,
  source: 'venue',
});

/** A buy at 1.51 with a stop at 1.40 and a target at 1.70 that expires at 12:00:30. */
const publication: ParsedPublication = {
  ...{ n: 1, signal: 'sig', publisher: 'pub', symbol: 'EURUSD' as MarketSymbol, buy: true, digits: 2, pipSize: 0.01 },
  ...{ entry: 151, stopLoss: 140, takeProfit: 170, order: 'market', at: at(1), entryPrice: 151, noteHash: null },
  ...{ entryDeadline: at(30), deadline: at(30), quote },
};
/** It expired at a bid of 1.45: −6 ticks, with a risk of 11. */
const expired: ParsedClosing = {
  ...{ n: 2, reason: 'expired', entryPrice: 151, exitPrice: 145, closedAt: at(30) },
  ...{ pnl: -6, pnlPercent: -3.9735, pnlR: -0.5455, pnlBest: null, ranked: true },
  ...{ filled: null, decided: trade(1.45, 'sell'), decidedSeq: 9 },
};

function faults(closing: Partial<ParsedClosing>, published: Partial<ParsedPublication> = {}): FindingCode[] {
  const codes: FindingCode[] = [];
  const lifecycle = { publication: { ...publication, ...published }, closing: { ...expired, ...closing } };
  checkClosing(lifecycle, (code) => codes.push(code));
  return codes;
}

describe('a missed trade as the standing price', () => {
  test('is where a signal expires: at its price, or one spread below if it lifted the ask', () => {
    expect(faults({})).toEqual([]);
    expect(faults({ decided: trade(1.46, 'buy') })).toEqual([]);
    expect(faults({ decided: trade(1.45, 'buy') })).toEqual(['decision']);
    expect(faults({ decided: trade(1.46, 'sell') })).toEqual(['decision']);
  });

  test('cannot have reached a level on its own side', () => {
    const low = { exitPrice: 140, pnl: -11, pnlPercent: -7.2848, pnlR: -1 };
    expect(faults({ ...low, decided: trade(1.4, 'sell') })).toEqual(['decision']);
    expect(faults({ ...low, decided: trade(1.41, 'buy') })).toEqual([]);
  });

  test('cannot have filled a signal that closed unfilled', () => {
    const limit = { order: 'limit', entry: 145, stopLoss: 130, entryPrice: null } as const;
    const unfilled = { reason: 'unfilled', entryPrice: null, exitPrice: null, pnl: 0, pnlPercent: 0, pnlR: 0 } as const;
    expect(faults({ ...unfilled, decided: trade(1.45, 'buy') }, limit)).toEqual(['decision']);
    expect(faults({ ...unfilled, decided: trade(1.45, 'sell') }, limit)).toEqual([]);
  });

  test('cannot close a signal manually, nor can a bar', () => {
    const byHand = { reason: 'manual', closedAt: at(25) } as const;
    expect(faults({ ...byHand, decided: { ...quote, seq: 5, time: at(20), bid: 1.45, ask: 1.46 } })).toEqual([]);
    expect(faults({ ...byHand, decided: trade(1.45, 'sell') })).toEqual(['decision']);
    const prices = { open: 1.45, high: 1.45, low: 1.45, close: 1.45, spread: 0.01 };
    expect(faults({ ...byHand, decided: { kind: 'bar', seq: 5, time: at(-60), ...prices, source: 'venue' } })).toEqual([
      'decision',
    ]);
  });

  test('is older than the fill only if a bar of an earlier minute filled', () => {
    const limit = { order: 'limit', entry: 151, entryPrice: null } as const;
    const bar: Evidence = {
      ...{ kind: 'bar', seq: 6, time: at(-60), open: 1.5, high: 1.5, low: 1.5, close: 1.5 },
      spread: 0.01,
      source: 'venue',
    };
    expect(faults({ filled: bar }, limit)).toEqual([]);
    expect(faults({ filled: { ...quote, seq: 6, time: at(10) } }, limit)).toEqual(['evidence_order']);
  });
});

test('a trade without the spread of the last quote is not evidence', () => {
  const common = { n: 2, prev: '0'.repeat(64), rules: 1, at: new Date(NOON).toISOString(), type: 'closed' };
  const ids = { signal: 'sig', publisher: 'pub', symbol: 'EURUSD', instrument: { digits: 2, pip_size: 0.01 } };
  const result = {
    reason: 'expired',
    entry_price: 1.51,
    exit_price: 1.45,
    pnl: -6,
    pnl_percent: -3.9735,
    pnl_r: -0.5455,
  };
  const time = new Date(at(20)).toISOString();
  const { spread, ...rest } = trade(1.45, 'sell') as Extract<Evidence, { kind: 'trade' }>;
  const record = { ...common, ...ids, ...result, closed_at: time, filled: null, decided_seq: 9 };
  expect(shapeFault({ ...record, decided: { ...rest, time, spread } })).toBeNull();
  expect(shapeFault({ ...record, decided: { ...rest, time } })).toContain('decided.spread');
});
