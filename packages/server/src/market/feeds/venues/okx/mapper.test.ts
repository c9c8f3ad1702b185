import { describe, expect, test } from 'bun:test';
import { asEpochMs, asSymbol, HOUR_MS } from '@tickwire/engine';
import { fuzzMapper } from '../../../../../testing/feeds/mapper-fuzz.fixture.ts';
import { okxMapper, okxTrade } from './mapper.ts';

const SPOT = asSymbol('BTCUSDT');
const SWAP = asSymbol('BTCUSDT.P');
const SYMBOLS = new Map([
  ['BTC-USDT', SPOT],
  ['BTC-USDT-SWAP', SWAP],
]);
const SIZES = new Map([['BTC-USDT-SWAP', 0.01]]);
const RECEIVED_AT = 1_786_540_436_000;

const on = (channel: string, instId: string, row: object) => ({ arg: { channel, instId }, data: [row] });
const BOOK_ROW = {
  asks: [['64073.1', '1.07909367', '0', '8']],
  bids: [['64073', '0.58849577', '0', '44']],
  ts: '1786538744703',
  checksum: 0,
  seqId: 79_706_756_139,
};
// Values as recorded in August 2026 (ccxt, ts/src/test/static/ws/okx.json, MIT); shapes as documented.
const BOOK = on('bbo-tbt', 'BTC-USDT', BOOK_ROW);
const SWAP_BOOK = on('bbo-tbt', 'BTC-USDT-SWAP', {
  ...BOOK_ROW,
  asks: [['63921.1', '1871.75', '0', '12']],
  bids: [['63921', '779.3', '0', '7']],
});
const TRADE_ROW = {
  instId: 'BTC-USDT-SWAP',
  tradeId: '2832749645',
  px: '63913.4',
  sz: '34.95',
  side: 'sell',
  ts: '1786540436090',
  source: '0',
  seqId: 333_793_118_093,
};
const TRADE = on('trades-all', 'BTC-USDT-SWAP', TRADE_ROW);
const MARK = on('mark-price', 'BTC-USDT-SWAP', { instType: 'SWAP', markPx: '63921.2', ts: '1786540471710' });
const INDEX = on('index-tickers', 'BTC-USDT', { instId: 'BTC-USDT', idxPx: '63950.1', ts: '1786540471711' });
const FUNDING = on('funding-rate', 'BTC-USDT-SWAP', {
  fundingRate: '-0.0000187539',
  fundingTime: '1786550400000',
  nextFundingTime: '1786579200000',
  ts: '1786540471712',
});
const INTEREST = on('open-interest', 'BTC-USDT-SWAP', { oi: '2216113.01', oiCcy: '22161.1301', ts: '1786540471713' });
const LIQUIDATION = {
  arg: { channel: 'liquidation-orders', instType: 'SWAP' },
  data: [
    {
      details: [{ bkLoss: '0', bkPx: '63000', ccy: '', posSide: 'short', side: 'buy', sz: '13', ts: '1692266434010' }],
      instFamily: 'BTC-USDT',
      instId: 'BTC-USDT-SWAP',
      instType: 'SWAP',
    },
    { details: [{ bkPx: '0.007831', side: 'buy', sz: '13', ts: '1692266434010' }], instId: 'IOST-USDT-SWAP' },
  ],
};
const GRANT = { event: 'subscribe', arg: { channel: 'trades-all', instId: 'BTC-USDT' }, connId: 'ae314bfb' };
const error = (msg: string) => ({ event: 'error', code: '60018', msg, connId: 'a4d3ae55' });

const create = () => okxMapper(SYMBOLS, SIZES);
const mapped = (message: unknown, map = create()) => map(JSON.stringify(message), RECEIVED_AT);

describe('okxMapper', () => {
  test('maps quotes of spot as they are, and sizes of swaps from contracts to coins', () => {
    expect(mapped(BOOK).events).toEqual([
      {
        kind: 'quote',
        symbol: SPOT,
        time: asEpochMs(1_786_538_744_703),
        bid: 64_073,
        ask: 64_073.1,
        bidSize: 0.58849577,
        askSize: 1.07909367,
      },
    ]);
    expect(mapped(SWAP_BOOK).events).toMatchObject([{ symbol: SWAP, bidSize: 7.793, askSize: 18.7175 }]);
  });

  test('makes no quote while a side is empty', () => {
    expect(mapped(on('bbo-tbt', 'BTC-USDT', { ...BOOK_ROW, asks: [] }))).toEqual({ events: [], complaints: [] });
  });

  test('maps a trade of a swap with its id, the taker’s side, and its size in coins', () => {
    expect(mapped(TRADE).events).toEqual([
      {
        kind: 'trade',
        symbol: SWAP,
        time: asEpochMs(1_786_540_436_090),
        price: 63_913.4,
        size: 0.3495,
        side: 'sell',
        sideMethod: null,
        id: 2_832_749_645,
      },
    ]);
  });

  test('rejects prices of a swap whose contract size is unknown', () => {
    const map = okxMapper(SYMBOLS, new Map());
    expect(mapped(TRADE, map)).toEqual({ events: [], complaints: ['unknown contract size: BTCUSDT.P'] });
    expect(mapped(BOOK, map).events).toHaveLength(1);
  });

  test('maps data of perpetuals, the index by its pair, and the rate that is charged next', () => {
    const one = (message: unknown) => mapped(message).perpetuals;
    expect(one(MARK)).toEqual([{ symbol: SWAP, time: asEpochMs(1_786_540_471_710), markPrice: 63_921.2 }]);
    expect(one(INDEX)).toEqual([{ symbol: SWAP, time: asEpochMs(1_786_540_471_711), indexPrice: 63_950.1 }]);
    expect(one(FUNDING)).toEqual([
      {
        symbol: SWAP,
        time: asEpochMs(1_786_540_471_712),
        fundingRate: -0.0000187539,
        fundingIntervalMs: 8 * HOUR_MS,
        nextFundingTime: asEpochMs(1_786_550_400_000),
      },
    ]);
    expect(one(INTEREST)).toEqual([{ symbol: SWAP, time: asEpochMs(1_786_540_471_713), openInterest: 22_161.1301 }]);
  });

  test('maps liquidations of its own swaps, and skips the others', () => {
    expect(mapped(LIQUIDATION)).toEqual({
      events: [],
      complaints: [],
      liquidations: [{ symbol: SWAP, time: asEpochMs(1_692_266_434_010), price: 63_000, size: 0.13, side: 'buy' }],
    });
  });

  test('reports replies, and a refused optional channel only as a complaint', () => {
    expect(mapped(GRANT).replies).toEqual([{ request: 'trades-all BTC-USDT', error: null }]);
    expect(mapped(error('Wrong URL or channel:bbo-tbt,instId:BTC-USDT doesn’t exist.')).replies).toMatchObject([
      { request: 'bbo-tbt BTC-USDT', error: expect.stringContaining('60018 Wrong URL'), refused: SPOT },
    ]);
    expect(mapped(error('Too many requests')).replies).toEqual([{ request: '*', error: '60018 Too many requests' }]);
    const optional = mapped(error("channel:index-tickers,instId:XAU-USDT doesn't exist."));
    expect(optional.replies).toBeUndefined();
    expect(optional.complaints[0]).toStartWith('optional channel refused: 60018 channel:index-tickers');
  });

  test('accepts pongs, and reconnects when the venue announces that it will close', () => {
    expect(create()('pong', RECEIVED_AT)).toEqual({ events: [], complaints: [] });
    const notice = { event: 'notice', code: '64008', msg: 'The connection will soon be closed', connId: 'a4d3ae55' };
    expect(mapped(notice).closing).toBe('64008 The connection will soon be closed');
  });

  test('names every problem', () => {
    const spoilt = (change: object) => mapped(on('trades-all', 'BTC-USDT', { ...TRADE_ROW, ...change })).complaints[0];
    expect(spoilt({ tradeId: 12 })).toStartWith('trade without id: ');
    expect(spoilt({ px: '' })).toStartWith('trade without price: ');
    expect(spoilt({ sz: '0' })).toStartWith('trade without size: ');
    expect(spoilt({ ts: 'now' })).toStartWith('trade without time: ');
    expect(spoilt({ side: 'up' })).toStartWith('trade without side: ');
    expect(mapped(on('bbo-tbt', 'LUNA-USDT', BOOK_ROW)).complaints).toEqual(['unknown symbol: LUNA-USDT']);
    expect(mapped(on('candle1m', 'BTC-USDT', {})).complaints).toEqual(['unknown channel: candle1m']);
    expect(mapped({ event: 'login' }).complaints).toEqual(['unknown event: login']);
  });

  test('maps a REST row to the same trade as the message', () => {
    expect(okxTrade(TRADE_ROW, SWAP, 0.01)).toEqual(mapped(TRADE).events[0] as never);
  });

  test('never throws', () => {
    fuzzMapper(create, [BOOK, SWAP_BOOK, TRADE, MARK, INDEX, FUNDING, INTEREST, LIQUIDATION, GRANT, error('no')]);
  });
});
