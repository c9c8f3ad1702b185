import { describe, expect, test } from 'bun:test';
import { createSample } from '../files/file-sample.ts';
import { ImportError } from '../import-error.ts';
import { timeframeOfName } from '../survey/interval-in-name.ts';
import { detectFormat, formatCandidates } from './detect-format.ts';

const sample = (name: string, content: string | Uint8Array) =>
  createSample(name, typeof content === 'string' ? new TextEncoder().encode(content) : content, true);

function faultOf(name: string, content: string | Uint8Array): ImportError {
  try {
    detectFormat(sample(name, content));
  } catch (error) {
    if (error instanceof ImportError) return error;
  }
  throw new Error('a format was detected');
}

describe('detectFormat', () => {
  test.each([
    ['binance-csv', 'a.csv', '1,61837.63,0.02,1236.75,1723161255342,True,True\n'],
    [
      'binance-csv',
      'a.csv',
      'id,price,qty,quote_qty,time,is_buyer_maker\n1,61837.63,0.02,1236.75,1723161255342,true\n',
    ],
    ['binance-recording', 'a', '1723161254087891268 {"stream":"btcusdt@trade","data":{}}\n'],
    ['csv', 'a.csv', 'time,bid,ask\n1,2,3\n'],
    ['csv', 'a.csv', 'timestamp,open,high,low,close,volume\n1549238400000,1,1,1,1,1\n'],
    ['dukascopy-bi5', '00h_ticks.bi5', ''],
    ['dukascopy-csv', 'a.csv', 'Gmt time,Open,High,Low,Close,Volume\n'],
    ['dukascopy-csv', 'eurusd-m1-bid-2019-02-04-2019-02-05.csv', 'timestamp,open,high,low,close,volume\n1,1,1,1,1,1\n'],
    ['dukascopy-json', 'a.json', '[[1549238400994,1.1,1.2,1,1]]'],
    ['histdata', 'a.csv', '20140501 000000123,1.1,1.2,0\n'],
    ['histdata', 'a.csv', '20140501 000000;1.1;1.2;1.0;1.1;0\n'],
    ['histdata', 'DAT_MT_EURUSD_M1_2014.csv', '2014.05.01,00:00,1.1,1.2,1.0,1.1,0\n'],
    ['lean', '20140501_eurusd_tick_quote.csv', '43.1,1.1,1.2\n'],
    ['metatrader', 'EURUSD60.csv', '2014.05.01,00:00,1.1,1.2,1.0,1.1,0\n'],
    ['metatrader', 'a.csv', '<DATE>\t<TIME>\t<BID>\t<ASK>\n'],
    ['metatrader', 'a.csv', 'Date,open,high,low,close,tick_volume\n'],
    ['ndjson', 'a.jsonl', '{"symbol":"EURUSD","time":1,"bid":1,"ask":2}\n'],
  ])('detects %s in %s', (format, name, text) => {
    expect(detectFormat(sample(name, text)).name).toBe(format as never);
  });

  test('tolerates one bad line among the first', () => {
    const lines = `garbage\n${'20140501 000000123,1.1,1.2,0\n'.repeat(19)}`;
    expect(detectFormat(sample('a.csv', lines)).name).toBe('histdata');
  });

  test('asks for --format if numbers without names fit several formats', () => {
    const error = faultOf('a.csv', '1549238400994,1.14545,1.14543,1,2.06\n');
    expect(error.fault).toBe('ambiguous_format');
    expect(error.message).toContain('dukascopy-csv');
    expect(error.message).toContain('csv (CSV with named columns)');
    expect(error.message).toContain('--format');
  });

  test('rejects an unknown format and shows the start of the file', () => {
    expect(faultOf('a.csv', 'hello world\n').fault).toBe('unknown_format');
    expect(faultOf('a.csv', 'hello world\n').message).toContain('The file starts with "hello world"');
    const garbage = Uint8Array.from({ length: 5_000 }, (_, index) => (index * 7919 + (index >> 3)) & 255);
    expect(faultOf('a.csv', garbage).fault).toBe('unknown_format');
    expect(faultOf('a.csv', garbage).message).toMatch(/^[\x20-\x7e]+$/);
    expect(faultOf('a.csv', 'name,age\nx,1\n').fault).toBe('unknown_format');
  });

  test('rejects an archive inside an archive', () => {
    expect(faultOf('a.zip!b.zip', Uint8Array.of(0x50, 0x4b, 3, 4, 0, 0)).fault).toBe('unsupported_archive');
  });

  test('gives every candidate a confidence between 0 and 1', () => {
    for (const { confidence } of formatCandidates(sample('a.csv', 'time,bid,ask\n'))) {
      expect(confidence > 0 && confidence <= 1).toBe(true);
    }
  });
});

describe('timeframeOfName', () => {
  test.each([
    ['XAUUSDh1.csv', '1h'],
    ['EURUSD_M15_201901.csv', '15m'],
    ['eurusd-m1-bid-2019-02-04.csv', '1m'],
    ['BTCUSDT-4h-2024-01.csv', '4h'],
    ['EURUSD_Candlestick_1_M_BID_04.02.2019.csv', '1m'],
    ['EURUSD_Candlestick_4_Hour_BID.csv', '4h'],
    ['sample_h1_data.json', '1h'],
    ['EURUSD_30M.csv', '30m'],
    ['BTCUSDT-1M-2024.csv', '1M'],
    ['BTCUSDT-1m-2024-01.csv', '1m'],
    ['EURUSD_MN1.csv', '1M'],
    ['EURUSD_W1.csv', '1w'],
    ['EURUSD_H2.csv', '2h'],
    ['eurusd-s1-bid-2024-01-02.csv', '1s'],
    ['EURUSD_7m.csv', null],
    ['history.csv', null],
    ['GER40.csv', null],
  ])('%s: %p', (name, timeframe) => expect(timeframeOfName(name)).toBe(timeframe as never));
});
