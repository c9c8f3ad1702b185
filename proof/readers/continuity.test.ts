// Tests the parts that the readers of the proof rely on: reading the continuity fields, and checking them.
import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { SymbolIndex } from '../../bench/load/symbol-index.ts';
import { ContinuityCheck } from './continuity-check.ts';
import { ContinuityTail } from './continuity-tail.ts';

describe('the continuity of a reader', () => {
  test('is read from the end of a message, whatever precedes it', () => {
    const numbers = fc.record({ text: fc.string(), seq: fc.nat(), prev: fc.nat() });
    fc.assert(
      fc.property(numbers, ({ text, seq, prev }) => {
        const bytes = Buffer.from(`??${JSON.stringify({ symbol: 'BTCUSD', text, seq, prev, epoch: 'a1b2c3' })}`);
        const tail = new ContinuityTail();
        expect(tail.read(bytes, 2, bytes.length)).toBe(true);
        expect([tail.seq, tail.prev]).toEqual([seq, prev]);
        expect(new SymbolIndex(['EURUSD', 'BTCUSD']).at(bytes, 2, bytes.length)).toBe(1);
      }),
    );
    const bare = Buffer.from('{"symbol":"BTCUSD","bid":1}');
    expect(new ContinuityTail().read(bare, 0, bare.length)).toBe(false);
  });

  test('holds while each message names the previous one', () => {
    const check = new ContinuityCheck(2);
    check.message(0, 5, 3);
    check.message(1, 6, 0);
    check.message(0, 9, 5);
    expect([check.undeclared, check.duplicates, check.position]).toEqual([0, 0, 9]);
  });

  test('is broken by an undeclared hole and by a duplicate message', () => {
    const check = new ContinuityCheck(1);
    check.message(0, 5, 3);
    check.message(0, 9, 7);
    check.message(0, 9, 7);
    expect([check.undeclared, check.duplicates]).toEqual([1, 1]);
    expect(check.fault).toContain('seq 9 names 7');
  });

  test('allows the holes of a slow period that its gap declares, and no others', () => {
    const check = new ContinuityCheck(3);
    for (const symbol of [0, 1, 2]) check.message(symbol, symbol + 1, 0);
    check.slow();
    for (const symbol of [0, 1]) check.message(symbol, 20 + symbol, 10 + symbol);
    expect(check.position).toBe(3);
    check.gap({ reason: 'slow', symbols: [0], toSeq: 25 });
    expect([check.declared, check.undeclared, check.position]).toEqual([1, 1, 25]);
    check.message(2, 30, 24);
    expect(check.undeclared).toBe(2);
    // A gap without an end covers only what has been seen.
    check.slow();
    check.message(2, 40, 35);
    check.gap({ reason: 'slow', symbols: [2], toSeq: null });
    expect([check.declared, check.undeclared, check.position]).toEqual([2, 2, 40]);
    check.message(2, 50, 45);
    expect(check.undeclared).toBe(3);
  });

  test('continues at the position after a resume, without a hole and without messages seen while slow', () => {
    const check = new ContinuityCheck(1);
    check.message(0, 5, 3);
    check.slow();
    check.message(0, 20, 19);
    check.resume();
    expect(check.position).toBe(5);
    check.message(0, 8, 5);
    check.message(0, 20, 8);
    expect([check.undeclared, check.duplicates]).toEqual([0, 0]);
    check.resume();
    check.gap({ reason: 'resume', symbols: [0], toSeq: 40 });
    check.message(0, 38, 30);
    check.message(0, 41, 38);
    expect([check.undeclared, check.duplicates, check.position]).toEqual([0, 0, 41]);
  });

  test('is broken if a slow period ends without a notice', () => {
    const check = new ContinuityCheck(1);
    check.message(0, 5, 3);
    check.slow();
    check.message(0, 20, 19);
    check.finish();
    expect(check.undeclared).toBe(1);
  });
});
