import { describe, expect, test } from 'bun:test';
import { asEpochMs, asSymbol, type PriceEvent } from '@tickwire/engine';
import { block, MONDAY, quote } from '../../testing/store/samples.fixture.ts';
import type { TapeBlock } from './market-store.ts';
import { BlockWriter, encodeBlock } from './tape-block.ts';
import { ticksOf } from './tape-records.ts';
import { blocksOf, encodePart, isIntact, PART, placeOf, rowOf, type TapeRow, withParts } from './tape-rows.ts';

const EURUSD = asSymbol('EURUSD');
const minute = asEpochMs(MONDAY);
const ticks = (count: number) =>
  Array.from({ length: count }, (_, at) => {
    const event: PriceEvent = { ...quote, time: asEpochMs(MONDAY + at * 100), bid: 1 + at / 1000 };
    return { seq: 100 + at, event, source: 'kraken' };
  });
const nameOf = () => 'a file';

/** Each row with one bit of a number changed. */
function* changedNumbers(row: TapeRow): Generator<TapeRow> {
  for (const field of ['minute', 'firstSeq', 'count', 'bidVolume', 'askVolume', 'checksum'] as const) {
    const view = new DataView(new ArrayBuffer(8));
    for (let bit = 0; bit < 64; bit++) {
      view.setFloat64(0, row[field]);
      view.setUint8(bit >> 3, view.getUint8(bit >> 3) ^ (1 << (bit & 7)));
      yield { ...row, [field]: view.getFloat64(0) };
    }
  }
}

describe('the checksum of a block', () => {
  const row = rowOf(block({ minute, bytes: encodeBlock(ticks(20), minute, 5), count: 20 }));

  test('finds every changed bit of its bytes', () => {
    for (let bit = 0; bit < row.bytes.length * 8; bit++) {
      const bytes = row.bytes.slice();
      bytes[bit >> 3]! ^= 1 << (bit & 7);
      expect(isIntact({ ...row, bytes })).toBe(false);
    }
  });

  test('finds every changed bit of its other columns', () => {
    for (const changed of changedNumbers(row)) expect(isIntact(changed)).toBe(false);
    expect(isIntact({ ...row, symbol: asSymbol('EURUSE') })).toBe(false);
    expect(isIntact(row)).toBe(true);
  });

  test('leaves out a damaged block and says where it is', () => {
    const [good, bad] = blocksOf([row, { ...row, firstSeq: 200 }], nameOf) as [TapeBlock, TapeBlock];
    expect([ticksOf(good).length, ticksOf(bad).length]).toEqual([20, 0]);
    expect([good.damaged, placeOf(bad)]).toEqual([
      undefined,
      { file: 'a file', symbol: 'EURUSD', minute: '2026-03-02T00:00' },
    ]);
  });
});

describe('parts', () => {
  const writer = new BlockWriter(minute, 5);
  const sections = [5, 5, 5].map((count, at) => {
    const from = at === 0 ? 0 : writer.length;
    for (const { seq, event, source } of ticks(15).slice(at * count, at * count + count))
      writer.append(seq, event, source);
    return encodePart(minute, 104 + at * count, count, [
      { symbol: EURUSD, firstSeq: 100, from, bytes: writer.bytes(from) },
    ]);
  });
  const seqs = (blocks: readonly TapeBlock[]) => blocks.flatMap(ticksOf).map(({ seq }) => seq);

  test('are the bytes of a block in pieces', () => {
    expect(withParts(sections, nameOf)).toEqual([
      block({
        minute,
        firstSeq: 100,
        count: 15,
        bidVolume: 0,
        askVolume: 0,
        bytes: encodeBlock(ticks(15), minute, 5),
      }),
    ]);
  });

  test('of other symbols are left out', () => {
    expect(withParts(sections, nameOf, asSymbol('XAUUSD'))).toEqual([]);
  });

  test('behind a damaged one are not read, and both are reported', () => {
    const rows = sections.map((part, at) => ({ ...rowOf(part), ...(at === 1 && { count: 6 }) }));
    const blocks = blocksOf(rows, nameOf);
    expect(seqs(blocks)).toEqual([100, 101, 102, 103, 104]);
    expect(blocks.flatMap((each) => (each.damaged ? each.symbol : []))).toEqual([EURUSD, PART]);
    expect(blocksOf(rows, nameOf, EURUSD).filter(({ damaged }) => damaged)).toHaveLength(2);
  });
});
