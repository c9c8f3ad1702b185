import { describe, expect, test } from 'bun:test';
import {
  type BarMessage,
  type OhlcvBar,
  type Stream,
  type StreamHandlers,
  type StreamOptions,
  TickwireError,
  type Timeframe,
} from '@tickwire/client';
import { TIMEFRAME_MS } from '@tickwire/contract/timeframes.ts';
import { BarFeed, type BarFeedOptions, type HistoryState } from './bar-feed.ts';
import { PAGE } from './bar-source.ts';
import { MAX_CANDLES } from './chart-bars.ts';

const NOW = Date.UTC(2026, 10, 12, 12, 0, 30);

interface PendingRequest {
  readonly symbol: string;
  readonly options: { timeframe: Timeframe; bars: number; before?: number; detail: true };
  readonly answer: (bars: readonly OhlcvBar[]) => Promise<void>;
  readonly fail: (error: TickwireError) => Promise<void>;
}
interface Opened {
  symbols: readonly string[];
  readonly timeframe: Timeframe;
  readonly handlers: StreamHandlers<'bars'>;
  closed: boolean;
}

/** Bars of a timeframe up to the one that forms now, or up to `before`. */
function barsOf(timeframe: Timeframe, count: number, close: number, before = NOW + 1): OhlcvBar[] {
  const length = TIMEFRAME_MS[timeframe];
  const last = Math.floor((before - 1) / length) * length;
  return Array.from({ length: count }, (_, index) => ({
    time: new Date(last - (count - 1 - index) * length).toISOString(),
    open: close,
    high: close,
    low: close,
    close,
    volume: 1,
  }));
}

const settled = async (): Promise<void> => {
  for (let turn = 0; turn < 5; turn++) await Promise.resolve();
};

/** A feed whose requests and polls are controlled by the test. */
function feed(liveBars = false, allowance: BarFeedOptions['allowance'] = () => null) {
  const requests: PendingRequest[] = [];
  const streams: Opened[] = [];
  const histories: HistoryState[] = [];
  const failures: string[] = [];
  const rounds: (() => Promise<number>)[] = [];
  let shown = 0;
  const clock = { time: NOW, elapsed: 0 };
  const client = {
    market: (symbol: string, options: PendingRequest['options']) =>
      new Promise((resolve, reject) => {
        requests.push({
          symbol,
          options,
          answer: (ohlcv) => {
            resolve({ symbol, timeframe: options.timeframe, ohlcv, quote: null });
            return settled();
          },
          fail: (error) => {
            reject(error);
            return settled();
          },
        });
      }),
  } as unknown as BarFeedOptions['client'];
  const openBars = ({ symbols, timeframe }: StreamOptions<'bars'>, handlers: StreamHandlers<'bars'>) => {
    const opened: Opened = { symbols: symbols ?? [], timeframe, handlers, closed: false };
    streams.push(opened);
    return {
      get state() {
        return opened.closed ? 'closed' : 'live';
      },
      setSymbols: (next: readonly string[]) => {
        opened.symbols = next;
      },
      close: () => {
        opened.closed = true;
      },
    } as unknown as Stream<'bars'>;
  };
  const made = new BarFeed({
    client,
    openBars: liveBars ? openBars : null,
    allowance,
    onSeries: () => {
      shown++;
    },
    onChange: () => {},
    onHistory: (history) => histories.push(history),
    onError: ({ detail }) => failures.push(detail),
    poll: (task) => {
      let stopped = false;
      const round = async (): Promise<number> => (stopped ? 0 : task());
      rounds.push(round);
      void round();
      return {
        stop: () => {
          stopped = true;
        },
      };
    },
    now: () => clock.time,
    elapsed: () => clock.elapsed,
  });
  const open = (symbol: string, timeframe: Timeframe): void => {
    // Far enough apart that each is requests for at once.
    clock.time += 1_000;
    clock.elapsed += 1_000;
    made.open(symbol, timeframe);
  };
  return { made, open, clock, requests, streams, histories, failures, rounds, shown: () => shown };
}

const closes = (made: BarFeed): number[] => [...new Set(made.series?.candles.map(({ close }) => close))];

describe('another instrument', () => {
  test('is requested immediately, with taker volumes', () => {
    const { open, requests } = feed();
    open('EURUSD', '5m');
    expect(requests.map(({ symbol, options }) => [symbol, options])).toEqual([
      ['EURUSD', { timeframe: '5m', bars: PAGE, detail: true }],
    ]);
  });

  test('ignores late responses for the previous one, in any order', async () => {
    const { made, open, requests, failures } = feed();
    open('EURUSD', '5m');
    open('XAUUSD', '5m');
    expect(made.series).toBeNull();
    await requests[0]!.answer(barsOf('5m', 10, 1));
    expect(made.series).toBeNull();
    await requests[1]!.answer(barsOf('5m', 10, 2));
    expect(closes(made)).toEqual([2]);
    open('BTCUSD', '1m');
    open('XAUUSD', '1m');
    await requests[3]!.answer(barsOf('1m', 10, 4));
    await requests[2]!.fail(new TickwireError({ status: 503, code: 'store_unavailable', detail: 'away' }));
    expect([closes(made), failures]).toEqual([[4], []]);
  });

  test('ignores older bars requested for the previous one', async () => {
    const { made, open, requests } = feed();
    open('EURUSD', '5m');
    await requests[0]!.answer(barsOf('5m', PAGE, 1));
    void made.loadOlder();
    open('XAUUSD', '5m');
    await requests[2]!.answer(barsOf('5m', PAGE, 2));
    await requests[1]!.answer(barsOf('5m', PAGE, 9));
    expect([closes(made), made.series?.candles.length, made.history]).toEqual([[2], PAGE, 'more']);
  });

  test('is shown from the cache if it was open before, and then updated', async () => {
    const { made, open, requests, shown } = feed();
    open('EURUSD', '1m');
    await requests[0]!.answer(barsOf('1m', PAGE, 1));
    open('XAUUSD', '1m');
    open('EURUSD', '1m');
    expect([closes(made), shown()]).toEqual([[1], 2]);
    expect(requests[2]!.options.bars).toBeLessThan(10);
    await requests[2]!.answer(barsOf('1m', 3, 1.5));
    expect(closes(made)).toEqual([1, 1.5]);
  });

  test('is not requested while the user moves past it quickly', async () => {
    const { made, requests } = feed();
    for (const symbol of ['EURUSD', 'XAUUSD', 'BTCUSD']) made.open(symbol, '1m');
    expect(requests.map(({ symbol }) => symbol)).toEqual(['EURUSD']);
    while (requests.length < 2) await new Promise((resolve) => setTimeout(resolve, 10));
    expect(requests.map(({ symbol }) => symbol)).toEqual(['EURUSD', 'BTCUSD']);
    made.close();
  });
});

describe('older bars', () => {
  test('are requested one page at a time, until the start of the history', async () => {
    const { made, open, requests } = feed();
    open('EURUSD', '1h');
    await requests[0]!.answer(barsOf('1h', PAGE, 2));
    const oldest = made.series!.candles[0]!.time;
    void made.loadOlder();
    void made.loadOlder();
    expect(requests).toHaveLength(2);
    expect(requests[1]!.options.before).toBe(oldest);
    await requests[1]!.answer(barsOf('1h', PAGE, 1, oldest));
    expect([made.series!.candles.length, made.history]).toEqual([2 * PAGE, 'more']);
    void made.loadOlder();
    await requests[2]!.answer(barsOf('1h', 7, 1, made.series!.candles[0]!.time));
    expect(made.history).toBe('complete');
    void made.loadOlder();
    expect(requests).toHaveLength(3);
  });

  test('appear on a short chart when the service has loaded them', async () => {
    const { made, open, requests, rounds, shown } = feed();
    open('BTCUSDT', '1m');
    await requests[0]!.answer(barsOf('1m', 300, 1));
    expect(made.history).toBe('complete');
    void rounds[0]!();
    expect(requests[1]!.options.bars).toBe(PAGE);
    await requests[1]!.answer(barsOf('1m', PAGE, 1));
    expect([made.series!.candles.length, made.history]).toEqual([PAGE, 'more']);
    expect([requests.length, shown()]).toEqual([2, 1]);
  });

  test('that a fast replay has passed are all requested, although its newest one has arrived', async () => {
    const { made, open, clock, requests, rounds } = feed();
    open('EURUSD', '1m');
    await requests[0]!.answer(barsOf('1m', PAGE, 1));
    const later = NOW + 120 * 60_000;
    made.applyPrice(2, later, 1);
    clock.time = later;
    void rounds[0]!();
    const { bars } = requests[1]!.options;
    expect(bars).toBeGreaterThan(120);
    await requests[1]!.answer(barsOf('1m', bars, 2, later));
    expect(made.series!.candles).toHaveLength(PAGE + 120);
    void rounds[0]!();
    expect(requests[2]!.options.bars).toBeLessThan(10);
  });

  test('are asked for soon while a chart is short, and later while nothing comes', async () => {
    const { open, requests, rounds } = feed(false, () => ({ limit: 300, remaining: 290, resetSeconds: 60 }));
    open('BTCUSDT', '1m');
    await requests[0]!.answer(barsOf('1m', 10, 1));
    const waits: number[] = [];
    for (const count of [10, 10, 40, 40, 40, 40, 40, 40, PAGE]) {
      const wait = rounds[0]!();
      await requests.at(-1)!.answer(barsOf('1m', count, 1));
      waits.push((await wait) / 1_000);
    }
    expect(waits).toEqual([4, 8, 2, 4, 8, 16, 30, 30, 30]);
  });

  test('are not requested if the chart is full', async () => {
    const { made, open, requests, histories } = feed();
    open('EURUSD', '1m');
    await requests[0]!.answer(barsOf('1m', PAGE, 1));
    for (let page = 1; page < MAX_CANDLES / PAGE; page++) {
      void made.loadOlder();
      await requests[page]!.answer(barsOf('1m', PAGE, 1, made.series!.candles[0]!.time));
    }
    expect([made.series!.candles.length, histories.at(-1)]).toEqual([MAX_CANDLES, 'full']);
    void made.loadOlder();
    expect(requests).toHaveLength(MAX_CANDLES / PAGE);
  });

  test('that could not be loaded are reported, and not requested again immediately', async () => {
    const { made, open, clock, requests, failures } = feed();
    open('EURUSD', '1m');
    await requests[0]!.answer(barsOf('1m', PAGE, 1));
    void made.loadOlder();
    await requests[1]!.fail(new TickwireError({ status: 503, code: 'store_unavailable', detail: 'away' }));
    expect([failures, made.history]).toEqual([['away'], 'more']);
    // A replay sets its clock: the pause is one of the person who waits.
    clock.time += 3_600_000;
    void made.loadOlder();
    expect(requests).toHaveLength(2);
    clock.time -= 7_200_000;
    clock.elapsed += 10_000;
    void made.loadOlder();
    expect(requests).toHaveLength(3);
  });
});

describe("the service's own live bars", () => {
  const bar = (symbol: string, timeframe: Timeframe, close: number): BarMessage => {
    const time = Math.floor(NOW / TIMEFRAME_MS[timeframe]) * (TIMEFRAME_MS[timeframe] / 1_000);
    const prices = { open: close, high: close, low: close, close };
    return { channel: 'bars', symbol, timeframe, time, ...prices, volume: 9, closed: false };
  };

  test('replace ticks while they arrive', async () => {
    const { made, open, requests, streams } = feed(true);
    open('EURUSD', '1m');
    await requests[0]!.answer(barsOf('1m', 10, 1));
    const [stream] = streams;
    made.applyPrice(2, NOW, 1);
    expect(made.series!.candles.at(-1)!.close).toBe(2);
    stream!.handlers.onState?.('live', { end: null, retryInMs: null });
    made.applyPrice(3, NOW, 1);
    stream!.handlers.onMessage(bar('EURUSD', '1m', 4));
    expect(made.series!.candles.at(-1)!.close).toBe(4);
    stream!.handlers.onState?.('stale', { end: null, retryInMs: null });
    made.applyPrice(5, NOW, 1);
    expect(made.series!.candles.at(-1)!.close).toBe(5);
  });

  test('for another instrument or timeframe are ignored', async () => {
    const { made, open, requests, streams } = feed(true);
    open('EURUSD', '1m');
    await requests[0]!.answer(barsOf('1m', 10, 1));
    open('XAUUSD', '1m');
    await requests[1]!.answer(barsOf('1m', 10, 2));
    expect(streams.map(({ symbols }) => symbols)).toEqual([['XAUUSD']]);
    streams[0]!.handlers.onMessage(bar('EURUSD', '1m', 9));
    open('XAUUSD', '5m');
    await requests[2]!.answer(barsOf('5m', 10, 3));
    expect(streams.map(({ timeframe, closed }) => [timeframe, closed])).toEqual([
      ['1m', true],
      ['5m', false],
    ]);
    streams[0]!.handlers.onMessage(bar('XAUUSD', '1m', 9));
    expect(closes(made)).toEqual([3]);
  });

  test('that were missed are requested immediately', async () => {
    const { open, requests, streams } = feed(true);
    open('EURUSD', '1m');
    await requests[0]!.answer(barsOf('1m', 10, 1));
    streams[0]!.handlers.onGap?.({} as never);
    expect(requests).toHaveLength(2);
  });

  test('are closed with the feed', async () => {
    const { made, open, requests, streams } = feed(true);
    open('EURUSD', '1m');
    await requests[0]!.answer(barsOf('1m', 10, 1));
    made.close();
    expect([streams[0]!.closed, made.series]).toEqual([true, null]);
  });
});
