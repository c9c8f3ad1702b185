import { beforeEach, describe, expect, test } from 'bun:test';
import { asEpochMs, asSymbol, HOUR_MS, type MarketSymbol } from '@tickwire/engine';
import type { JournalEvent } from '../journal/journal.ts';
import { PerpetualIntake, type PerpetualSink } from './perpetual-intake.ts';

const BTC = asSymbol('BTCUSDT.P');
const ETH = asSymbol('ETHUSDT.P');
const NOTHING = {
  ...{ markPrice: null, indexPrice: null, fundingRate: null },
  ...{ fundingIntervalMs: null, nextFundingTime: null, openInterest: null },
};

let appended: JournalEvent[][];
let intake: PerpetualIntake;
let owner: string;
let bybit: PerpetualSink;
let okx: PerpetualSink;
beforeEach(() => {
  appended = [];
  intake = new PerpetualIntake({ append: (events) => void (events.length > 0 && appended.push([...events])) });
  owner = 'bybit';
  const owns = (venue: string) => (symbol: MarketSymbol) => symbol === ETH || venue === owner;
  bybit = intake.sinkFor('bybit', owns('bybit'));
  okx = intake.sinkFor('okx', owns('okx'));
});
const at = (time: number) => ({ symbol: BTC, time: asEpochMs(time) });
const flushed = (): unknown[] => {
  appended = [];
  intake.flush();
  return appended.flat();
};

describe('figures of a perpetual', () => {
  test('are merged from all messages until they enter the journal, and are complete from then on', () => {
    bybit.figures([{ ...at(1_000), markPrice: 5, fundingRate: -0.0001, fundingIntervalMs: 8 * HOUR_MS }]);
    bybit.figures([
      { ...at(1_200), openInterest: 7 },
      { ...at(1_300), markPrice: 6 },
    ]);
    expect(appended).toEqual([]);
    const first = { kind: 'perpetual', venue: 'bybit', ...NOTHING, fundingIntervalMs: 8 * HOUR_MS };
    expect(flushed()).toEqual([{ ...first, ...at(1_300), markPrice: 6, fundingRate: -0.0001, openInterest: 7 }]);
    bybit.figures([{ ...at(2_000), indexPrice: 5.5 }]);
    expect(flushed()).toMatchObject([{ time: 2_000, markPrice: 6, indexPrice: 5.5, openInterest: 7 }]);
  });

  test('enter the journal only if they have changed, or after ten seconds', () => {
    bybit.figures([{ ...at(1_000), markPrice: 5 }]);
    expect(flushed()).toHaveLength(1);
    bybit.figures([{ ...at(2_000), markPrice: 5 }]);
    expect(flushed()).toEqual([]);
    bybit.figures([{ ...at(11_000), markPrice: 5 }]);
    expect(flushed()).toMatchObject([{ time: 11_000 }]);
    expect(flushed()).toEqual([]);
  });

  test('are the newest ones, even if they change back before they enter the journal', () => {
    bybit.figures([{ ...at(1_000), markPrice: 5 }]);
    flushed();
    bybit.figures([
      { ...at(2_000), markPrice: 6 },
      { ...at(2_100), markPrice: 5 },
    ]);
    expect(flushed()).toMatchObject([{ time: 2_100, markPrice: 5 }]);
  });

  test('have the time of the newest message: a late one does not set it back', () => {
    bybit.figures([
      { ...at(2_000), markPrice: 5 },
      { ...at(1_500), openInterest: 7 },
    ]);
    expect(flushed()).toMatchObject([{ time: 2_000, markPrice: 5, openInterest: 7 }]);
  });

  test('are those of the venue that owns the symbol; after a failover all are of the other one', () => {
    bybit.figures([{ ...at(1_000), markPrice: 5, openInterest: 7 }]);
    okx.figures([{ ...at(1_100), markPrice: 50, fundingRate: 0.01 }]);
    expect(flushed()).toMatchObject([{ venue: 'bybit', markPrice: 5 }]);
    owner = 'okx';
    bybit.figures([{ ...at(2_000), markPrice: 6 }]);
    expect(flushed()).toEqual([]);
    // What it sent before, and does not repeat, is still known.
    okx.figures([{ ...at(2_100), markPrice: 51 }]);
    expect(flushed()).toEqual([
      { kind: 'perpetual', venue: 'okx', ...NOTHING, ...at(2_100), markPrice: 51, fundingRate: 0.01 },
    ]);
  });
});

test('a liquidation that two connections of a venue deliver enters the journal once', () => {
  const liquidation = { ...at(1_000), price: 5, size: 2, side: 'sell' as const };
  bybit.liquidations([liquidation, liquidation]);
  bybit.liquidations([liquidation, { ...liquidation, size: 3 }]);
  expect(appended.flat()).toMatchObject([{ size: 2 }, { size: 3 }]);
});

test('each liquidation enters the journal at once, unless another venue owns the symbol', () => {
  const liquidation = { ...at(1_000), price: 5, size: 2, side: 'sell' as const };
  okx.liquidations([liquidation, { ...liquidation, symbol: ETH }]);
  bybit.liquidations([liquidation, { ...liquidation, price: 4 }]);
  expect(appended).toEqual([
    [{ kind: 'liquidation', venue: 'okx', ...liquidation, symbol: ETH }],
    [
      { kind: 'liquidation', venue: 'bybit', ...liquidation },
      { kind: 'liquidation', venue: 'bybit', ...liquidation, price: 4 },
    ],
  ]);
});
