// Requirements on every store: bars, prices, numbers and the tape.
import { describe, expect, test } from 'bun:test';
import { TIMEFRAME_MS, TIMEFRAMES } from '@tickwire/contract';
import { asEpochMs, asSymbol, DAY_MS, MINUTE_MS } from '@tickwire/engine';
import type { BarRow, HistogramRow } from '../../src/store/market-store.ts';
import type { Store } from '../../src/store/store.ts';
import { BlockWriter } from '../../src/store/tape-block.ts';
import { ticksOf } from '../../src/store/tape-records.ts';
import { encodePart, type TapeSection } from '../../src/store/tape-rows.ts';
import { bar, block, EURUSD, MONDAY, minuteBar, quote, refusalOf, rowsOf, trade, XAUUSD } from './samples.fixture.ts';

const closeTo = (value: number): number => expect.closeTo(value, 9) as unknown as number;
const row = ({ symbol: _symbol, timeframe: _timeframe, ...rest }: BarRow) => rest;
/** `current` returns the store of the running test. */
export function marketStoreContract(current: () => Store): void {
  describe('bars and prices', () => {
    const write = (bars: BarRow[], barsUntil = 0) => current().market.write({ bars, prices: [], barsUntil });

    test('a range includes both ends, is ascending, and is limited from the requested end', async () => {
      await write([3, 1, 0, 2, 4].map((index) => minuteBar(index)));
      const range = { symbol: EURUSD, timeframe: '1m' as const, from: MONDAY + MINUTE_MS, to: MONDAY + 3 * MINUTE_MS };
      const times = async (limit: number, first: 'oldest' | 'newest') =>
        (await current().market.bars({ ...range, limit, first })).map(({ time }) => (time - MONDAY) / MINUTE_MS);
      expect(await times(10, 'oldest')).toEqual([1, 2, 3]);
      expect(await times(2, 'oldest')).toEqual([1, 2]);
      expect(await times(2, 'newest')).toEqual([2, 3]);
    });

    test('a bar written again replaces the old one exactly', async () => {
      const amended = minuteBar(0, { high: 1.300001, volume: 0.1 + 0.2, basis: 'bid', bidVolume: 0, askVolume: 0 });
      await write([minuteBar(0), minuteBar(1)]);
      await write([amended]);
      const found = await current().market.bars({
        symbol: EURUSD,
        timeframe: '1m',
        from: 0,
        to: MONDAY * 2,
        limit: 9,
        first: 'oldest',
      });
      expect(found).toEqual([row(amended), row(minuteBar(1))]);
    });

    test('symbols and timeframes do not mix; the newest bars of each are ascending', async () => {
      const bars = TIMEFRAMES.flatMap((timeframe) =>
        [0, 1, 2].flatMap((index) =>
          [EURUSD, XAUUSD].map((symbol) =>
            bar({ symbol, timeframe, time: asEpochMs(MONDAY + index * TIMEFRAME_MS[timeframe]) }),
          ),
        ),
      );
      await write(bars);
      const recent = rowsOf(await current().market.recentBars([XAUUSD], 2));
      expect(recent).toHaveLength(2 * TIMEFRAMES.length);
      for (const timeframe of TIMEFRAMES) {
        const length = TIMEFRAME_MS[timeframe];
        const times = recent.filter((each) => each.timeframe === timeframe).map(({ time }) => (time - MONDAY) / length);
        expect(times).toEqual([1, 2]);
      }
      expect(new Set(recent.map(({ symbol }) => symbol))).toEqual(new Set([XAUUSD]));
      expect(rowsOf(await current().market.recentBars([asSymbol('NONE')], 5))).toEqual([]);
    });

    test('volume at price of minutes is kept exactly, and replaced with the bar', async () => {
      const time = (index: number) => asEpochMs(MONDAY + index * MINUTE_MS);
      const histogram = (index: number, levels: HistogramRow['levels'], symbol = EURUSD): HistogramRow => ({
        symbol,
        time: time(index),
        digits: 5,
        levelTicks: 10,
        sides: 5,
        trades: 300,
        turnover: 16.251_000_000_1,
        levels,
      });
      const first = histogram(0, [
        { ticks: -20, buy: 0.1, sell: 0 },
        { ticks: 108_350, buy: 12.00000001, sell: 3 },
      ]);
      const second = histogram(1, [{ ticks: 108_360, buy: 0, sell: 4_000_000 }]);
      const gold = histogram(1, [{ ticks: 0, buy: 1 / 3, sell: 1e15 }], XAUUSD);
      const { market } = current();
      const bars = [minuteBar(0), minuteBar(1)];
      await market.write({ bars, prices: [], barsUntil: 1, histograms: [gold, second, first] });
      expect(await market.histograms([XAUUSD, EURUSD], time(0), time(2))).toEqual([gold, first, second]);
      expect(await market.histograms([EURUSD], time(0), time(1))).toEqual([first]);
      expect(await market.histograms([EURUSD], time(2), time(3))).toEqual([]);
      const amended = histogram(0, [{ ticks: 10, buy: 5, sell: 6 }]);
      const watermarks = { prices: [], numbers: {}, days: [], watched: [] };
      await market.writeImported({ bars: [minuteBar(0)], histograms: [amended], ...watermarks });
      expect(await market.histograms([EURUSD], time(0), time(2))).toEqual([amended, second]);
    });

    test('last prices are kept per symbol, including unknown ones', async () => {
      await current().market.write({ bars: [], prices: [{ symbol: EURUSD, quote, trade: null }], barsUntil: 7 });
      await current().market.write({ bars: [], prices: [{ symbol: EURUSD, quote, trade }], barsUntil: 8 });
      await current().market.write({ bars: [], prices: [{ symbol: XAUUSD, quote: null, trade: null }], barsUntil: 9 });
      const prices = new Map((await current().market.lastPrices()).map((each) => [each.symbol, each]));
      expect(prices.get(EURUSD)).toEqual({ symbol: EURUSD, quote, trade });
      expect(prices.get(XAUUSD)).toEqual({ symbol: XAUUSD, quote: null, trade: null });
      expect(await current().market.number('bars_until')).toBe(9);
    });

    test('a write that fails half-way leaves nothing behind', async () => {
      await write([minuteBar(0)], 1);
      const broken = { ...minuteBar(2), open: null as unknown as number };
      expect(await refusalOf(write([minuteBar(1), broken], 2))).toBeInstanceOf(Error);
      expect(rowsOf(await current().market.recentBars([EURUSD], 9))).toEqual([minuteBar(0)]);
      expect(await current().market.number('bars_until')).toBe(1);
    });

    test('numbers keep 53 bits; one that was never set is undefined', async () => {
      expect(await current().market.number('none')).toBeUndefined();
      await current().market.setNumber('some', 5);
      await current().market.setNumber('some', Number.MAX_SAFE_INTEGER);
      expect(await current().market.number('some')).toBe(Number.MAX_SAFE_INTEGER);
    });
  });

  describe('the tape', () => {
    test('a block written again replaces the one with the same symbol, minute and first seq', async () => {
      await current().market.writeTape([block(), block({ firstSeq: 9, bytes: new Uint8Array([9]) })]);
      await current().market.writeTape([block({ count: 3, askVolume: 6, bytes: new Uint8Array([7, 7]) })]);
      const blocks = (await current().market.tape(0)).sort((a, b) => a.firstSeq - b.firstSeq);
      expect(blocks.map(({ firstSeq, count, askVolume, bytes }) => [firstSeq, count, askVolume, ...bytes])).toEqual([
        [1, 3, 6, 7, 7],
        [9, 2, 5, 9],
      ]);
    });

    test('is read from a given minute, across days, for all symbols, in order of time', async () => {
      const minutes = [-DAY_MS, -MINUTE_MS, 0, MINUTE_MS, DAY_MS].map((offset) => asEpochMs(MONDAY + offset));
      await current().market.writeTape(minutes.toReversed().map((minute) => block({ minute })));
      await current().market.writeTape([block({ minute: minutes[2]!, symbol: XAUUSD })]);
      const read = await current().market.tape(MONDAY);
      expect(read.map(({ minute }) => minute - MONDAY)).toEqual([0, 0, MINUTE_MS, DAY_MS]);
      expect(new Set(read.map(({ symbol }) => symbol))).toEqual(new Set([EURUSD, XAUUSD]));
    });

    test('flow sums the volumes by side for a range of minutes, across days', async () => {
      await current().market.writeTape([
        block({ minute: asEpochMs(MONDAY - MINUTE_MS), bidVolume: 100, askVolume: 1_000 }),
        block({ minute: asEpochMs(MONDAY), bidVolume: 1, askVolume: 10 }),
        block({ minute: asEpochMs(MONDAY), firstSeq: 2, bidVolume: 2, askVolume: 20 }),
        block({ minute: asEpochMs(MONDAY + MINUTE_MS), bidVolume: 4, askVolume: 40 }),
        block({ minute: asEpochMs(MONDAY + MINUTE_MS), symbol: XAUUSD, count: 0, bidVolume: 0.5, askVolume: 0 }),
      ]);
      const sums = async (from: number, to: number) => Object.fromEntries(await current().market.flow(from, to));
      expect(await sums(MONDAY, MONDAY + MINUTE_MS)).toEqual({ EURUSD: { bidVolume: 3, askVolume: 30 } });
      expect(await sums(MONDAY - MINUTE_MS, MONDAY + DAY_MS)).toEqual({
        EURUSD: { bidVolume: 107, askVolume: 1_070 },
        XAUUSD: { bidVolume: 0.5, askVolume: 0 },
      });
      expect(await sums(MONDAY + DAY_MS, MONDAY + 2 * DAY_MS)).toEqual({});
    });

    test('pruning deletes whole days that have ended, and nothing of other days', async () => {
      const offsets = [-2 * DAY_MS, -DAY_MS, -MINUTE_MS, 0, DAY_MS];
      await current().market.writeTape(offsets.map((offset) => block({ minute: asEpochMs(MONDAY + offset) })));
      expect(await current().market.pruneTape(MONDAY - 1)).toBe(1);
      expect(await current().market.pruneTape(MONDAY + DAY_MS / 2)).toBe(1);
      expect(await current().market.pruneTape(MONDAY + DAY_MS / 2)).toBe(0);
      expect((await current().market.tape(0)).map(({ minute }) => minute - MONDAY)).toEqual([0, DAY_MS]);
      expect((await current().market.tapeDays()).map((day) => Date.parse(day) - MONDAY)).toEqual([0, DAY_MS]);
      await current().market.writeTape([block({ minute: asEpochMs(MONDAY - DAY_MS) })]);
      expect(await current().market.tape(0)).toHaveLength(3);
    });

    test('returns the blocks of one symbol for a range of minutes, across days', async () => {
      const minutes = [-MINUTE_MS, 0, MINUTE_MS].map((offset) => asEpochMs(MONDAY + offset));
      await current().market.writeTape(
        minutes.flatMap((minute) => [block({ minute }), block({ minute, symbol: XAUUSD })]),
      );
      const read = await current().market.tapeOf(XAUUSD, MONDAY - MINUTE_MS, MONDAY + MINUTE_MS);
      expect(read.map(({ symbol, minute }) => [symbol, minute - MONDAY])).toEqual([
        [XAUUSD, -MINUTE_MS],
        [XAUUSD, 0],
      ]);
      expect(await current().market.tapeOf(XAUUSD, MONDAY - 9 * DAY_MS, MONDAY - 8 * DAY_MS)).toEqual([]);
    });

    test('finds the blocks of the first minute of a symbol, across midnight', async () => {
      const { market } = current();
      const first = asEpochMs(MONDAY + 3 * MINUTE_MS);
      await market.writeTape([
        block({ minute: asEpochMs(MONDAY - MINUTE_MS) }),
        block(),
        block({ minute: asEpochMs(MONDAY - 31 * MINUTE_MS), symbol: XAUUSD }),
        block({ minute: first, symbol: XAUUSD, firstSeq: 9 }),
        block({ minute: first, symbol: XAUUSD, firstSeq: 5 }),
        block({ minute: asEpochMs(MONDAY + 4 * MINUTE_MS), symbol: XAUUSD }),
      ]);
      const find = async (from: number, to: number) =>
        (await market.firstTapeOf(XAUUSD, MONDAY + from * MINUTE_MS, MONDAY + to * MINUTE_MS)).map(
          ({ symbol, minute, firstSeq }) => [symbol, minute, firstSeq],
        );
      const found = [5, 9].map((firstSeq) => [XAUUSD, first, firstSeq]);
      expect(await find(-30, 30)).toEqual(found);
      expect(await find(3, 4)).toEqual(found);
      expect(await find(-30, 3)).toEqual([]);
      expect(await find(-9 * 1_440, -8 * 1_440)).toEqual([]);
    });

    test('replacing deletes all other blocks of the symbol in the minute, and nothing else', async () => {
      const next = asEpochMs(MONDAY + MINUTE_MS);
      await current().market.writeTape([
        block(),
        block({ firstSeq: 9 }),
        block({ symbol: XAUUSD }),
        block({ minute: next }),
      ]);
      await current().market.replaceTape([block({ firstSeq: 5 }), block({ firstSeq: 6 })]);
      const left = await current().market.tape(0);
      expect(left.map(({ symbol, minute, firstSeq }) => [symbol, minute - MONDAY, firstSeq]).sort()).toEqual([
        [EURUSD, 0, 5],
        [EURUSD, 0, 6],
        [EURUSD, MINUTE_MS, 1],
        [XAUUSD, 0, 1],
      ]);
    });

    test('puts ticks in parts behind those of their blocks, until they are gathered', async () => {
      const { market } = current();
      const minute = asEpochMs(MONDAY);
      const growing = { EURUSD: new BlockWriter(minute, 5), XAUUSD: new BlockWriter(minute, 5) };
      const written = { EURUSD: 0, XAUUSD: 0 };
      let seq = 10;
      const append = (symbol: 'EURUSD' | 'XAUUSD', ticks: number): TapeSection => {
        const writer = growing[symbol];
        for (let tick = 0; tick < ticks; tick++) writer.append(seq++, { ...trade, symbol: asSymbol(symbol) }, 'push');
        const from = written[symbol];
        written[symbol] = writer.length;
        return { symbol: asSymbol(symbol), firstSeq: symbol === 'EURUSD' ? 10 : 13, from, bytes: writer.bytes(from) };
      };
      const tickCounts = async () => {
        const found = await market.tapeOf(EURUSD, MONDAY, MONDAY + MINUTE_MS);
        const first = await market.firstTapeOf(XAUUSD, MONDAY - MINUTE_MS, MONDAY + MINUTE_MS);
        const all = (await market.tape(MONDAY)).flatMap(ticksOf).map((record) => record.seq);
        const flow = Object.fromEntries(await market.flow(MONDAY, MONDAY + MINUTE_MS));
        return [found.flatMap(ticksOf).length, first.flatMap(ticksOf).length, all.sort((a, b) => a - b), flow];
      };
      const upTo = (last: number) => Array.from({ length: last - 9 }, (_, at) => at + 10);
      const flowOf = (trades: number) => ({ bidVolume: closeTo(trades / 100), askVolume: 0 });
      const first = append('EURUSD', 3);
      await market.writeTape([encodePart(minute, 14, 5, [first, append('XAUUSD', 2)])]);
      await market.writeTape([encodePart(minute, 16, 2, [append('EURUSD', 2)])]);
      expect(await tickCounts()).toEqual([5, 2, upTo(16), { EURUSD: flowOf(5), XAUUSD: flowOf(2) }]);
      // A part that is repeated adds nothing.
      await market.writeTape([encodePart(minute, 15, 3, [first])]);
      expect(await tickCounts()).toEqual([5, 2, upTo(16), { EURUSD: flowOf(5), XAUUSD: flowOf(2) }]);
      await market.gatherTape(0);
      const gathered = await market.tape(MONDAY);
      expect(gathered.map(({ symbol, firstSeq, count }) => [symbol, firstSeq, count])).toEqual([
        [EURUSD, 10, 5],
        [XAUUSD, 13, 2],
      ]);
      await market.writeTape([encodePart(minute, 18, 2, [append('EURUSD', 1), append('XAUUSD', 1)])]);
      expect(await tickCounts()).toEqual([6, 3, upTo(18), { EURUSD: flowOf(6), XAUUSD: flowOf(3) }]);
      await market.writeTape(gathered, [{ minute, firstSeq: 18 }]);
      expect(await tickCounts()).toEqual([5, 2, upTo(16), { EURUSD: flowOf(5), XAUUSD: flowOf(2) }]);
      expect(await Array.fromAsync(market.damagedTape())).toEqual([]);
    });

    test('imported days are never pruned', async () => {
      await current().market.writeTape([-3, -2, -1].map((day) => block({ minute: asEpochMs(MONDAY + day * DAY_MS) })));
      const days = [new Date(MONDAY - 2 * DAY_MS).toISOString().slice(0, 10)];
      for (let round = 0; round < 2; round++)
        await current().market.writeImported({ bars: [], prices: [], numbers: {}, watched: [], days });
      expect(await current().market.pruneTape(MONDAY + DAY_MS)).toBe(2);
      expect((await current().market.tape(0)).map(({ minute }) => (minute - MONDAY) / DAY_MS)).toEqual([-2]);
    });
  });

  describe('imported data', () => {
    const nothing = { bars: [], prices: [], numbers: {}, watched: [], days: [] };

    test('is written completely or not at all, and changes only the numbers it names', async () => {
      await current().market.write({ bars: [], prices: [], barsUntil: 5 });
      const numbers = { imported_until: 7, seq_reserved: 2 ** 40 };
      const prices = [{ symbol: EURUSD, quote, trade }];
      await current().market.writeImported({ ...nothing, bars: [minuteBar(0)], prices, numbers });
      const broken = { ...minuteBar(2), open: null as unknown as number };
      const failing = { ...nothing, bars: [minuteBar(1), broken], numbers: { imported_until: 8 } };
      expect(await refusalOf(current().market.writeImported(failing))).toBeInstanceOf(Error);
      const range = { symbol: EURUSD, timeframe: '1m' as const, from: 0, to: MONDAY + DAY_MS, limit: 9 };
      expect(await current().market.bars({ ...range, first: 'oldest' })).toEqual([row(minuteBar(0))]);
      expect(await current().market.lastPrices()).toEqual(prices);
      const names = ['bars_until', 'imported_until', 'seq_reserved'];
      expect(await Promise.all(names.map((name) => current().market.number(name)))).toEqual([5, 7, 2 ** 40]);
    });

    test('covered periods are merged with those they touch, for the same symbol only', async () => {
      const cover = (from: number, to: number, symbol = EURUSD) =>
        current().market.writeImported({ ...nothing, watched: [{ symbols: [symbol], from, to }] });
      for (const [from, to] of [
        [10, 20],
        [30, 40],
        [60, 70],
      ] as const)
        await cover(from, to);
      await cover(5, 80, XAUUSD);
      await cover(20, 30);
      await cover(35, 50);
      await cover(12, 13);
      expect(await current().market.watched(EURUSD, 0, 100)).toEqual([
        { from: 10, to: 50 },
        { from: 60, to: 70 },
      ]);
    });

    test('fetched ranges are merged with those they touch, for the same symbol and length only', async () => {
      const fetch = (from: number, to: number, timeframe: '1m' | '1h' = '1m', symbol = EURUSD) =>
        current().market.writeImported({ ...nothing, fetched: [{ symbol, timeframe, from, to }] });
      await fetch(30, 40);
      await fetch(10, 20);
      await fetch(15, 25, '1h');
      await fetch(5, 80, '1m', XAUUSD);
      await fetch(20, 30);
      await fetch(60, 70);
      expect(await current().market.fetched(EURUSD, 0, 100)).toEqual([
        { timeframe: '1m', from: 10, to: 40 },
        { timeframe: '1h', from: 15, to: 25 },
        { timeframe: '1m', from: 60, to: 70 },
      ]);
      expect(await current().market.fetched(EURUSD, 40, 60)).toEqual([]);
    });

    test('added instruments are listed in the order in which they were added, each once', async () => {
      const { market } = current();
      const added = { symbol: XAUUSD, venue: 'binance', listing: '{"digits":2}', addedAt: 20 };
      const earlier = { symbol: EURUSD, venue: 'kraken', listing: '{}', addedAt: 10 };
      expect(await market.addedInstruments()).toEqual([]);
      await market.addInstrument(added);
      await market.addInstrument(earlier);
      await market.addInstrument(added);
      expect(await market.addedInstruments()).toEqual([earlier, added]);
    });

    test('firstTradeBar returns the first minute made of trades, or else the first longer bar', async () => {
      const { market } = current();
      expect(await market.firstTradeBar(EURUSD)).toBeUndefined();
      const day = bar({ timeframe: '1d', time: asEpochMs(MONDAY) });
      await market.writeImported({ ...nothing, bars: [day, minuteBar(3, { basis: 'bid' })] });
      expect(await market.firstTradeBar(EURUSD)).toBe(MONDAY);
      await market.writeImported({ ...nothing, bars: [minuteBar(9), minuteBar(7), minuteBar(1, { symbol: XAUUSD })] });
      expect(await market.firstTradeBar(EURUSD)).toBe(MONDAY + 7 * MINUTE_MS);
    });
  });
}
