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
import { BarFeed, type BarFeedOptions, PAGE, type Reach } from './bar-feed.ts';
import { MOST_CANDLES, TIMEFRAME_MS } from './bar-series.ts';

const NOW = Date.UTC(2026, 10, 12, 12, 0, 30);

interface Asked {
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

/** A feed whose requests are answered, and whose rounds are begun, by hand. */
function feed(liveBars = false) {
  const asked: Asked[] = [];
  const streams: Opened[] = [];
  const reached: Reach[] = [];
  const failures: string[] = [];
  const rounds: (() => Promise<number>)[] = [];
  let shown = 0;
  let time = NOW;
  const client = {
    market: (symbol: string, options: Asked['options']) =>
      new Promise((resolve, reject) => {
        asked.push({
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
  const listen = ({ symbols, timeframe }: StreamOptions<'bars'>, handlers: StreamHandlers<'bars'>) => {
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
    listen: liveBars ? listen : null,
    allowance: () => null,
    onSeries: () => {
      shown++;
    },
    onChange: () => {},
    onReach: (reach) => reached.push(reach),
    onFailure: ({ detail }) => failures.push(detail),
    repeat: (task) => {
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
    now: () => time,
  });
  const open = (symbol: string, timeframe: Timeframe): void => {
    // Far enough apart that each is asked for at once.
    time += 1_000;
    made.open(symbol, timeframe);
  };
  return { made, open, asked, streams, reached, failures, rounds, shown: () => shown };
}

const closes = (made: BarFeed): number[] => [...new Set(made.series?.candles.map(({ close }) => close))];

describe('another instrument', () => {
  test('is asked for at once, with taker volumes', () => {
    const { open, asked } = feed();
    open('EURUSD', '5m');
    expect(asked.map(({ symbol, options }) => [symbol, options])).toEqual([
      ['EURUSD', { timeframe: '5m', bars: PAGE, detail: true }],
    ]);
  });

  test('never gets the late answers of the one before, whichever way they come', async () => {
    const { made, open, asked, failures } = feed();
    open('EURUSD', '5m');
    open('XAUUSD', '5m');
    expect(made.series).toBeNull();
    await asked[0]!.answer(barsOf('5m', 10, 1));
    expect(made.series).toBeNull();
    await asked[1]!.answer(barsOf('5m', 10, 2));
    expect(closes(made)).toEqual([2]);
    open('BTCUSD', '1m');
    open('XAUUSD', '1m');
    await asked[3]!.answer(barsOf('1m', 10, 4));
    await asked[2]!.fail(new TickwireError({ status: 503, code: 'store_unavailable', detail: 'away' }));
    expect([closes(made), failures]).toEqual([[4], []]);
  });

  test('never gets older bars that were asked for the one before', async () => {
    const { made, open, asked } = feed();
    open('EURUSD', '5m');
    await asked[0]!.answer(barsOf('5m', PAGE, 1));
    void made.older();
    open('XAUUSD', '5m');
    await asked[2]!.answer(barsOf('5m', PAGE, 2));
    await asked[1]!.answer(barsOf('5m', PAGE, 9));
    expect([closes(made), made.series?.candles.length, made.reach]).toEqual([[2], PAGE, 'more']);
  });

  test('is there at once when it was seen before, and its newest bars are then joined on', async () => {
    const { made, open, asked, shown } = feed();
    open('EURUSD', '1m');
    await asked[0]!.answer(barsOf('1m', PAGE, 1));
    open('XAUUSD', '1m');
    open('EURUSD', '1m');
    expect([closes(made), shown()]).toEqual([[1], 2]);
    expect(asked[2]!.options.bars).toBeLessThan(10);
    await asked[2]!.answer(barsOf('1m', 3, 1.5));
    expect(closes(made)).toEqual([1, 1.5]);
  });

  test('is not asked for while somebody hurries past it', async () => {
    const { made, asked } = feed();
    for (const symbol of ['EURUSD', 'XAUUSD', 'BTCUSD']) made.open(symbol, '1m');
    expect(asked.map(({ symbol }) => symbol)).toEqual(['EURUSD']);
    while (asked.length < 2) await new Promise((resolve) => setTimeout(resolve, 10));
    expect(asked.map(({ symbol }) => symbol)).toEqual(['EURUSD', 'BTCUSD']);
    made.close();
  });
});

describe('older bars', () => {
  test('are asked for one page at a time, until the beginning', async () => {
    const { made, open, asked } = feed();
    open('EURUSD', '1h');
    await asked[0]!.answer(barsOf('1h', PAGE, 2));
    const oldest = made.series!.candles[0]!.time;
    void made.older();
    void made.older();
    expect(asked).toHaveLength(2);
    expect(asked[1]!.options.before).toBe(oldest);
    await asked[1]!.answer(barsOf('1h', PAGE, 1, oldest));
    expect([made.series!.candles.length, made.reach]).toEqual([2 * PAGE, 'more']);
    void made.older();
    await asked[2]!.answer(barsOf('1h', 7, 1, made.series!.candles[0]!.time));
    expect(made.reach).toBe('beginning');
    void made.older();
    expect(asked).toHaveLength(3);
  });

  test('end where the chart is full', async () => {
    const { made, open, asked, reached } = feed();
    open('EURUSD', '1m');
    await asked[0]!.answer(barsOf('1m', PAGE, 1));
    for (let page = 1; page < MOST_CANDLES / PAGE; page++) {
      void made.older();
      await asked[page]!.answer(barsOf('1m', PAGE, 1, made.series!.candles[0]!.time));
    }
    expect([made.series!.candles.length, reached.at(-1)]).toEqual([MOST_CANDLES, 'full']);
    void made.older();
    expect(asked).toHaveLength(MOST_CANDLES / PAGE);
  });

  test('that could not be had are said so, and not asked for again at once', async () => {
    const { made, open, asked, failures } = feed();
    open('EURUSD', '1m');
    await asked[0]!.answer(barsOf('1m', PAGE, 1));
    void made.older();
    await asked[1]!.fail(new TickwireError({ status: 503, code: 'store_unavailable', detail: 'away' }));
    expect([failures, made.reach]).toEqual([['away'], 'more']);
    void made.older();
    expect(asked).toHaveLength(2);
  });
});

describe("the service's own live bars", () => {
  const bar = (symbol: string, timeframe: Timeframe, close: number): BarMessage => {
    const time = Math.floor(NOW / TIMEFRAME_MS[timeframe]) * (TIMEFRAME_MS[timeframe] / 1_000);
    const prices = { open: close, high: close, low: close, close };
    return { channel: 'bars', symbol, timeframe, time, ...prices, volume: 9, closed: false };
  };

  test('move the chart in place of ticks while they come, and ticks do when they do not', async () => {
    const { made, open, asked, streams } = feed(true);
    open('EURUSD', '1m');
    await asked[0]!.answer(barsOf('1m', 10, 1));
    const [stream] = streams;
    made.move(2, NOW, 1);
    expect(made.series!.candles.at(-1)!.close).toBe(2);
    stream!.handlers.onState?.('live', { end: null, retryInMs: null });
    made.move(3, NOW, 1);
    stream!.handlers.onMessage(bar('EURUSD', '1m', 4));
    expect(made.series!.candles.at(-1)!.close).toBe(4);
    stream!.handlers.onState?.('stale', { end: null, retryInMs: null });
    made.move(5, NOW, 1);
    expect(made.series!.candles.at(-1)!.close).toBe(5);
  });

  test('of another instrument or timeframe do not get in', async () => {
    const { made, open, asked, streams } = feed(true);
    open('EURUSD', '1m');
    await asked[0]!.answer(barsOf('1m', 10, 1));
    open('XAUUSD', '1m');
    await asked[1]!.answer(barsOf('1m', 10, 2));
    expect(streams.map(({ symbols }) => symbols)).toEqual([['XAUUSD']]);
    streams[0]!.handlers.onMessage(bar('EURUSD', '1m', 9));
    open('XAUUSD', '5m');
    await asked[2]!.answer(barsOf('5m', 10, 3));
    expect(streams.map(({ timeframe, closed }) => [timeframe, closed])).toEqual([
      ['1m', true],
      ['5m', false],
    ]);
    streams[0]!.handlers.onMessage(bar('XAUUSD', '1m', 9));
    expect(closes(made)).toEqual([3]);
  });

  test('that were missed are asked for at once', async () => {
    const { open, asked, streams } = feed(true);
    open('EURUSD', '1m');
    await asked[0]!.answer(barsOf('1m', 10, 1));
    streams[0]!.handlers.onGap?.({} as never);
    expect(asked).toHaveLength(2);
  });

  test('end with the feed', async () => {
    const { made, open, asked, streams } = feed(true);
    open('EURUSD', '1m');
    await asked[0]!.answer(barsOf('1m', 10, 1));
    made.close();
    expect([streams[0]!.closed, made.series]).toEqual([true, null]);
  });
});
