// Kraken, CryptoDataDownload and TradingView.
import { describe, expect, test } from 'bun:test';
import { importBytes, skippedIn, utc } from '../../../testing/import/read-rows.fixture.ts';

const BTC = { symbol: 'BTCUSD', digits: 2 };

describe('Kraken', () => {
  const text = '1704153600,42000.5,42010.0,41990.1,42005.0,1.5,12\n1704160800,42005.0,42006.0,42004.0,42006.0,2,3\n';

  test('takes the length of a bar from the name, not from the steps', async () => {
    const { rows } = await importBytes('XBTUSD_60.csv', text, BTC);
    expect(rows).toMatchObject([
      { time: 1704153600000, timeframe: '1h', basis: 'trade', open: 42000.5, high: 42010, low: 41990.1, volume: 1.5 },
      { time: 1704160800000, close: 42006, volume: 2 },
    ]);
    await expect(importBytes('XBTUSD_720.csv', text, BTC)).rejects.toThrow('says 12h, but the bars are 2 hours apart');
  });

  test('rejects another pair, and reads trades in a folder of Kraken', async () => {
    await expect(importBytes('Kraken_OHLCVT.zip!ETHUSD_60.csv', text, BTC)).rejects.toThrow('ETHUSD, not BTCUSD');
    const trades = await importBytes('kraken/XBTUSD.csv', '1704153600,42000.5,0.25\n1704153601,42000.6,0.1\n', BTC);
    expect(trades.rows[0]).toMatchObject({
      kind: 'trade',
      time: 1704153600000,
      price: 42000.5,
      size: 0.25,
      side: null,
    });
    await expect(importBytes('XBTUSD.csv', '1704153600,42000.5,0.25\n', BTC)).rejects.toThrow('--columns');
  });
});

describe('CryptoDataDownload', () => {
  const file = (header: string, ...lines: string[]): string =>
    ['https://www.CryptoDataDownload.com', header, ...lines, ''].join('\n');

  test('reads newest-first rows with the volume of the base currency, in any order of columns', async () => {
    const rows = ['1704157200,2024-01-02 01:00:00,BTC/USD,42005,42010,42000,42001,84010,2'];
    rows.push('1704153600000,2024-01-02 00:00:00,BTC/USD,42000.5,42010,41990.1,42005,63000.75,1.5');
    const text = file('unix,date,symbol,open,high,low,close,Volume USD,Volume BTC', ...rows);
    const { rows: bars } = await importBytes('Gemini_BTCUSD_1h.csv', text, BTC);
    expect(bars).toMatchObject([
      { time: 1704157200000, timeframe: '1h', basis: 'trade', close: 42001, volume: 2 },
      { time: 1704153600000, open: 42000.5, volume: 1.5 },
    ]);
  });

  test('reads dates as UTC, and rejects their old form and other symbols', async () => {
    const header = 'Date,Symbol,Open,High,Low,Close,Volume BTC,Volume USD';
    const row = 'BTCUSD,1,2,1,2,5,9';
    const dated = file(header, `2024-01-03 00:00:00,${row}`, `2024-01-02 00:00:00,${row}`);
    expect((await importBytes('a.csv', dated, BTC)).rows[1]).toMatchObject({
      time: utc('2024-01-02T00:00:00Z'),
      timeframe: '1d',
      volume: 5,
    });
    await expect(importBytes('a.csv', file(header, `2020-11-01 11-PM,${row}`), BTC)).rejects.toThrow(
      'download the file again',
    );
    await expect(importBytes('a.csv', dated, { symbol: 'ETHUSD', digits: 2 })).rejects.toThrow(
      'specify --symbol BTCUSD',
    );
  });
});

describe('TradingView', () => {
  const text =
    'time,open,high,low,close,Volume,Volume MA\n1704153600,42000.5,42010,41990.1,42005,1.5,1.2\n1704157200,42005,42006,42004,42006,2,\n';

  test('reads the interval from the name, and the basis from the source', async () => {
    const crypto = await importBytes('COINBASE_BTCUSD, 60_2f1c0.csv', text, BTC);
    expect(crypto.rows).toMatchObject([
      { time: 1704153600000, timeframe: '1h', basis: 'trade', volume: 1.5 },
      { time: 1704157200000, timeframe: '1h', close: 42006, volume: 2 },
    ]);
    const forex = 'time,open,high,low,close\n2024-01-02T00:00:00+02:00,1.1,1.2,1.0,1.15\n';
    expect((await importBytes('OANDA_EURUSD, 5.csv', forex)).rows).toMatchObject([
      { time: utc('2024-01-01T22:00:00Z'), timeframe: '5m', basis: 'bid', volume: 0 },
    ]);
    expect(
      (await importBytes('BITSTAMP_BTCUSD, 1D (1).csv', text.replace('1704157200', '1704240000'), BTC)).rows[0],
    ).toMatchObject({
      timeframe: '1d',
    });
  });

  test('does not take months for minutes, and daily dates need a zone', async () => {
    await expect(importBytes('BITSTAMP_BTCUSD, 1M.csv', text, BTC)).rejects.toThrow(
      'says 1M, but the bars are 1 hour apart',
    );
    await expect(importBytes('BITSTAMP_BTCUSD, 1W.csv', text, BTC)).rejects.toThrow(
      'says 1w, but the bars are 1 hour apart',
    );
    const dated = 'time,open,high,low,close,Volume\n2024-01-02,1,2,1,2,5\n';
    await expect(importBytes('BITSTAMP_BTCUSD, 1D.csv', dated, BTC)).rejects.toThrow('--timezone');
    const { rows, report } = await importBytes('BITSTAMP_BTCUSD, 1D.csv', dated, { ...BTC, timezone: 'UTC' });
    expect(rows.length).toBe(1);
    expect(skippedIn(report)).toEqual({});
  });
});
