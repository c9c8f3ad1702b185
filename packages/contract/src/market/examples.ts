// Examples of instruments, quotes, price history and feeds. The numbers are consistent: spread is ask − bid.
import type { EndpointExamples } from '../common/endpoint.ts';
import type { MARKET_ENDPOINTS } from './endpoints.ts';
import { indicatorList } from './indicator-list.ts';

const euro = { bid: 1.08412, ask: 1.08424, spread: 0.00012, timestamp: '2026-03-02T11:24:07.318Z' };
const gold = { bid: 2412.35, ask: 2412.61, spread: 0.26, timestamp: '2026-03-02T11:24:06.902Z' };
/** With its first input only. */
const rsi = indicatorList().items.flatMap((each) =>
  each.name === 'rsi' ? [{ ...each, inputs: each.inputs.slice(0, 1) }] : [],
)[0]!;

export const MARKET_EXAMPLES: EndpointExamples<typeof MARKET_ENDPOINTS> = {
  symbols: {
    request: '/api/symbols',
    response: {
      items: [
        {
          symbol: 'EURUSD',
          name: 'Euro / US Dollar',
          type: 'forex',
          pip_size: 0.0001,
          contract_size: 100000,
          margin_rate: 0.0333,
          min_lot: 0.01,
          max_lot: 100,
        },
        {
          symbol: 'XAUUSD',
          name: 'Gold / US Dollar',
          type: 'metal',
          pip_size: 0.1,
          contract_size: 100,
          margin_rate: 0.05,
          min_lot: 0.01,
          max_lot: 50,
        },
      ],
      count: 2,
    },
  },
  market: {
    request: '/api/market/EURUSD?timeframe=1h&bars=3',
    response: {
      symbol: 'EURUSD',
      timeframe: '1h',
      ohlcv: [
        { time: '2026-03-02T09:00:00.000Z', open: 1.08301, high: 1.08377, low: 1.08262, close: 1.08359, volume: 4182 },
        { time: '2026-03-02T10:00:00.000Z', open: 1.08359, high: 1.08441, low: 1.08348, close: 1.08397, volume: 3907 },
        { time: '2026-03-02T11:00:00.000Z', open: 1.08397, high: 1.08426, low: 1.08371, close: 1.08412, volume: 1546 },
      ],
      quote: euro,
    },
  },
  quote: { request: '/api/market/EURUSD/quote', response: { symbol: 'EURUSD', ...euro } },
  quotes: {
    request: '/api/quotes?symbols=EURUSD,XAUUSD',
    response: {
      items: [
        { symbol: 'EURUSD', ...euro },
        { symbol: 'XAUUSD', ...gold },
      ],
      count: 2,
    },
  },
  overview: {
    request: '/api/overview?symbols=EURUSD,XAUUSD',
    response: {
      items: [
        {
          symbol: 'EURUSD',
          time: '2026-03-02T11:24:07.318Z',
          day_open: 1.08341,
          day_high: 1.08441,
          day_low: 1.08262,
          last: 1.08412,
          change: 0.00071,
          change_percent: 0.0655,
          sparkline: [1.08359, 1.08371, 1.08397, 1.08402],
        },
        {
          symbol: 'XAUUSD',
          time: '2026-02-27T21:59:58.114Z',
          day_open: null,
          day_high: null,
          day_low: null,
          last: 2412.35,
          change: null,
          change_percent: null,
          sparkline: [],
        },
      ],
    },
  },
  perpetual: {
    request: '/api/market/BTCUSDT.P/perpetual?limit=1',
    response: {
      symbol: 'BTCUSDT.P',
      venue: 'bybit',
      mark_price: 68412.5,
      index_price: 68420.13,
      funding_rate: 0.0001,
      funding_interval_hours: 8,
      next_funding_time: '2026-03-02T16:00:00.000Z',
      open_interest: 57798.137,
      timestamp: '2026-03-02T11:24:07.318Z',
      liquidations: [{ timestamp: '2026-03-02T11:23:59.402Z', side: 'sell', price: 68395.1, size: 0.254 }],
    },
  },
  bars: {
    request: '/api/bars/EURUSD?interval=1d&align=ny&limit=2',
    response: {
      symbol: 'EURUSD',
      interval: '1d',
      align: 'ny',
      items: [
        { time: '2026-02-26T22:00:00.000Z', open: 1.08295, high: 1.08473, low: 1.08188, close: 1.08341, volume: 61204 },
        { time: '2026-03-01T22:00:00.000Z', open: 1.08341, high: 1.08512, low: 1.08307, close: 1.08412, volume: 38117 },
      ],
      next: 'b1772143200000',
    },
  },
  profile: {
    request: '/api/profile/EURUSD?from=2026-03-02T11:00:00Z&to=2026-03-02T11:29:59Z',
    response: {
      symbol: 'EURUSD',
      level: 0.0001,
      side_method: 'feed',
      from: '2026-03-02T11:00:00.000Z',
      to: '2026-03-02T11:29:59.000Z',
      volume: 1335,
      delta: 65,
      poc: 1.084,
      value_area: { low: 1.0839, high: 1.0841 },
      levels: [
        { price: 1.0838, buy: 102, sell: 88 },
        { price: 1.0839, buy: 151, sell: 173 },
        { price: 1.084, buy: 281, sell: 246 },
        { price: 1.0841, buy: 166, sell: 128 },
      ],
      uncovered_volume: 0,
      covered_from: '2026-03-02T11:00:00.000Z',
    },
  },
  footprint: {
    request: '/api/footprint/EURUSD?interval=5m&limit=1',
    response: {
      symbol: 'EURUSD',
      level: 0.0001,
      side_method: 'feed',
      interval: '5m',
      align: 'utc',
      items: [
        {
          time: '2026-03-02T11:20:00.000Z',
          volume: 214,
          delta: -18,
          levels: [
            { price: 1.0839, buy: 31, sell: 64 },
            { price: 1.084, buy: 67, sell: 52 },
          ],
          uncovered_volume: 0,
        },
      ],
      next: 'b1772450400000',
    },
  },
  indicatorList: {
    request: '/api/indicators',
    response: { items: [rsi], count: 1 },
  },
  indicators: {
    request: '/api/indicators/EURUSD?name=rsi(14)&interval=5m&limit=2',
    response: {
      symbol: 'EURUSD',
      interval: '5m',
      align: 'utc',
      name: 'rsi',
      indicator: 'rsi(14)',
      inputs: { length: 14, source: 'close' },
      items: [
        { time: '2026-03-02T09:55:00.000Z', value: 55.48213790126, settled: true },
        { time: '2026-03-02T10:00:00.000Z', value: 57.0319462871, settled: true, forming: true },
      ],
      next: 'b1772445300000',
    },
  },
  severalBars: {
    request: '/api/bars?symbols=EURUSD,XAUUSD&interval=1d&limit=1',
    response: {
      items: [
        {
          symbol: 'EURUSD',
          interval: '1d',
          align: 'utc',
          items: [
            {
              time: '2026-03-02T00:00:00.000Z',
              open: 1.08341,
              high: 1.08512,
              low: 1.08307,
              close: 1.08412,
              volume: 38117,
            },
          ],
          next: 'b1772409600000',
        },
        {
          symbol: 'XAUUSD',
          interval: '1d',
          align: 'utc',
          items: [
            { time: '2026-03-02T00:00:00.000Z', open: 2961.2, high: 2977.9, low: 2958.4, close: 2969.6, volume: 9120 },
          ],
          next: null,
        },
      ],
      count: 2,
    },
  },
  ticks: {
    request: '/api/ticks/EURUSD?kind=trades&from=2026-03-02T11:00:00Z&limit=2',
    response: {
      symbol: 'EURUSD',
      kind: 'trades',
      items: [
        {
          time: '2026-03-02T11:00:00.120Z',
          price: 1.08397,
          size: 2,
          side: 'buy',
          side_method: null,
          id: null,
        },
        {
          time: '2026-03-02T11:00:01.404Z',
          price: 1.08396,
          size: 1.5,
          side: 'sell',
          side_method: 'quote_rule',
          id: null,
        },
      ],
      next: 'f1772449201404.81233',
    },
  },
  coverage: {
    request: '/api/market/EURUSD/coverage?timeframe=1m',
    response: {
      symbol: 'EURUSD',
      timeframe: '1m',
      from: '2026-03-01T21:00:00.000Z',
      to: '2026-03-02T00:00:00.000Z',
      bars: 118,
      absent: [
        { from: '2026-03-01T21:00:00.000Z', to: '2026-03-01T22:00:00.000Z', bars: 60, reason: 'market_closed' },
        { from: '2026-03-01T22:31:00.000Z', to: '2026-03-01T22:33:00.000Z', bars: 2, reason: 'missing' },
      ],
      fetched: [],
    },
  },
  hours: {
    request: '/api/market/US500/hours?from=2026-11-25&to=2026-11-28',
    response: {
      symbol: 'US500',
      timezone: 'America/New_York',
      sessions: [
        { open: '2026-11-24T23:00:00.000Z', close: '2026-11-25T22:00:00.000Z' },
        { open: '2026-11-25T23:00:00.000Z', close: '2026-11-26T18:00:00.000Z' },
        { open: '2026-11-26T23:00:00.000Z', close: '2026-11-27T18:15:00.000Z' },
      ],
      closed: [],
    },
  },
  positionSize: {
    request: '/api/position-size?symbol=EURUSD&entry=1.084&stop_loss=1.081&balance=10000&currency=USD&risk_percent=1',
    response: {
      symbol: 'EURUSD',
      lots: 0.33,
      units: 33000,
      risk: 99,
      risk_percent: 0.99,
      loss_per_lot: 300,
      currency: 'USD',
      rate: 1,
      limited_by: null,
    },
  },
  venueInstruments: {
    request: '/api/venues/all/instruments?q=atom',
    response: {
      items: [
        {
          venue: 'binance',
          symbol: 'ATOMUSDT',
          name: 'ATOM / USDT',
          type: 'crypto',
          last_price: 4.127,
          added: false,
        },
      ],
      count: 1,
      unavailable: [],
    },
  },
  addInstrument: {
    request: '/api/instruments',
    body: { venue: 'binance', symbol: 'ATOMUSDT' },
    response: {
      symbol: 'ATOMUSDT',
      name: 'ATOM / USDT',
      type: 'crypto',
      pip_size: 0.01,
      contract_size: 1,
      margin_rate: 0.5,
      min_lot: 0.01,
      max_lot: 100_000,
    },
  },
  priceSource: {
    request: '/api/market/BTCUSD/source',
    response: {
      symbol: 'BTCUSD',
      feed: 'coinbase',
      problem: 'Kraken refuses connections from this region (HTTP 451). BTCUSD now comes from Coinbase.',
    },
  },
  feeds: {
    request: '/api/feeds',
    response: {
      items: [
        {
          name: 'binance',
          state: 'live',
          symbols: ['BTCUSDT', 'ETHUSDT'],
          last_event_at: '2026-03-02T11:24:07.318Z',
          connects: 2,
          disconnects: 1,
          duplicates: 0,
          backfilled: 412,
          gaps: 0,
          invalid_messages: 0,
          history_bars_left: 0,
          last_error: 'closed the connection (1006)',
          problem: null,
          delay_ms: { p50: 38, p99: 121 },
          clock_offset_ms: -12,
        },
      ],
      count: 1,
      quarantine: [{ symbol: 'BTCUSDT', time: '2026-03-02T11:20:44.001Z', price: 6712.05, last: 67120.5 }],
    },
  },
  ingestTicks: {
    request: '/ingest/ticks',
    lines: [
      '{"symbol":"EURUSD","time":1772450647318,"bid":1.08412,"ask":1.08424}',
      '{"symbol":"BTCUSD","time":"2026-03-02T11:24:07.402Z","price":67120.5,"size":0.02,"side":"buy"}',
      '{"symbol":"XAUUSD","time":1772450647500,"bid":2412.7,"ask":2412.61}',
    ],
    response: {
      accepted: 2,
      rejected: [{ line: 3, code: 'crossed_quote', detail: 'the bid is above the ask' }],
      rejected_count: 1,
    },
  },
};
