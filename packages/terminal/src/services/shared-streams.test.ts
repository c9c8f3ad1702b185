import { describe, expect, jest, test } from 'bun:test';
import type {
  BarMessage,
  IndicatorText,
  StreamHandlers,
  StreamKind,
  StreamOptions,
  StreamState,
} from '@tickwire/client';
import { SharedStreams } from './shared-streams.ts';

const RSI = 'rsi(14)' as IndicatorText;
const EMA = 'ema(9)' as IndicatorText;

interface Opened {
  readonly options: StreamOptions<StreamKind> & { readonly indicators?: readonly string[] };
  readonly handlers: StreamHandlers<StreamKind>;
  state: StreamState;
}

function tab() {
  const streams: Opened[] = [];
  const shared = new SharedStreams((_kind, options, handlers) => {
    const opened: Opened = { options, handlers, state: 'connecting' };
    streams.push(opened);
    return {
      get state() {
        return opened.state;
      },
      pause() {
        opened.state = 'stale';
        handlers.onState?.('stale', { end: { code: 1000, reason: '' }, retryInMs: null });
      },
      resume() {
        opened.state = 'connecting';
        handlers.onState?.('connecting', { end: null, retryInMs: null });
      },
      close() {
        opened.state = 'closed';
        handlers.onState?.('closed', { end: { code: 1000, reason: '' }, retryInMs: null });
      },
    };
  });
  const join = (symbols: string | readonly string[], indicators: readonly IndicatorText[] = []) => {
    const heard: string[] = [];
    const options = { symbols: [symbols].flat(), timeframe: '1h', indicators } as StreamOptions<StreamKind>;
    const stream = shared.open('bars', options, {
      onMessage: (bar) => heard.push(String((bar as BarMessage).symbol)),
      onState: (state) => heard.push(state),
      onGap: () => heard.push('gap'),
    });
    return { stream, heard };
  };
  const open = () =>
    streams
      .filter(({ state }) => state !== 'closed')
      .map(({ options: { symbols, indicators = [] } }) => [...symbols!, ...indicators].join(' '));
  const newest = () => streams.at(-1)!;
  const enter = (state: StreamState, code?: number) => {
    newest().state = state;
    newest().handlers.onState?.(state, { end: code === undefined ? null : { code, reason: '' }, retryInMs: null });
  };
  const send = (symbol: string) => newest().handlers.onMessage({ symbol } as BarMessage);
  return { join, open, enter, send, streams };
}

describe('the streams of a tab', () => {
  test('are one for each symbol and timeframe, with the indicators of all charts', () => {
    const { join, open, enter, send } = tab();
    const chart = join('EURUSD');
    enter('live');
    const lines = join('EURUSD', [RSI]);
    expect(open()).toEqual(['EURUSD rsi(14)']);
    const other = join('EURUSD', [EMA, RSI]);
    expect(open()).toEqual(['EURUSD ema(9) rsi(14)']);
    enter('live');
    send('EURUSD');
    for (const { heard } of [chart, lines, other]) expect(heard.slice(-2)).toEqual(['live', 'EURUSD']);
    // The streams that were replaced did not end for the charts.
    expect(chart.heard).not.toContain('closed');
    other.stream.close();
    expect(other.heard.at(-1)).toBe('closed');
    expect(open()).toEqual(['EURUSD rsi(14)']);
    lines.stream.close();
    chart.stream.close();
    expect(open()).toEqual([]);
    expect([lines.stream.state, chart.stream.state]).toEqual(['closed', 'closed']);
  });

  test('are live at once for a chart that joins a live stream', () => {
    const { join, enter, streams } = tab();
    join('EURUSD', [RSI]);
    enter('live');
    const second = join('EURUSD', [RSI]);
    expect(second.heard).toEqual(['live']);
    expect(streams).toHaveLength(1);
  });

  test('follow a chart to another symbol', () => {
    const { join, open, enter, send } = tab();
    const first = join('EURUSD');
    const second = join('EURUSD');
    second.stream.setSymbols(['XAUUSD']);
    expect(open()).toEqual(['EURUSD', 'XAUUSD']);
    enter('live');
    send('XAUUSD');
    expect(second.heard).toContain('XAUUSD');
    expect(first.heard).not.toContain('XAUUSD');
    second.stream.setSymbols(['EURUSD']);
    expect(open()).toEqual(['EURUSD']);
  });

  test('go on without indicators that the service refuses', () => {
    const { join, open, enter } = tab();
    const chart = join('EURUSD');
    const lines = join('EURUSD', [RSI]);
    enter('closed', 4400);
    expect(lines.stream.state).toBe('closed');
    expect(lines.heard.at(-1)).toBe('closed');
    expect(open()).toEqual(['EURUSD']);
    enter('live');
    expect(chart.heard.at(-1)).toBe('live');
  });

  test('end for all charts when the session ends, and begin again with the next chart', () => {
    const { join, open, enter } = tab();
    const [chart, lines] = [join('EURUSD'), join('EURUSD', [RSI])];
    enter('closed', 4401);
    for (const { heard, stream } of [chart, lines]) expect([heard.at(-1), stream.state]).toEqual(['closed', 'closed']);
    join('EURUSD');
    expect(open()).toEqual(['EURUSD']);
  });

  test('begin again with other indicators: those who were there may have missed something', () => {
    const { join, enter } = tab();
    jest.useFakeTimers();
    const chart = join('EURUSD');
    enter('live');
    // A page that has just opened is still loading.
    const lines = join('EURUSD', [RSI]);
    expect(chart.heard).toEqual(['live']);
    jest.advanceTimersByTime(6_000);
    const more = join('EURUSD', [EMA]);
    expect(chart.heard).toEqual(['live', 'gap']);
    more.stream.close();
    jest.useRealTimers();
    enter('live');
    lines.stream.pause();
    lines.stream.resume();
    expect(chart.heard.filter((each) => each === 'gap')).toHaveLength(1);
  });

  test('refuse a chart whose indicators would be too many together with those of others', () => {
    const { join, open, enter } = tab();
    const names = (from: number, count: number) =>
      Array.from({ length: count }, (_, at) => `sma(${from + at})` as IndicatorText);
    const first = join('EURUSD', names(1, 12));
    enter('live');
    const second = join('EURUSD', names(20, 9));
    expect([second.stream.state, second.heard]).toEqual(['closed', ['closed']]);
    expect(first.stream.state).toBe('live');
    expect(open()).toHaveLength(1);
    expect(join('EURUSD', names(5, 8)).stream.state).toBe('live');
  });

  test('go on with the other symbols if one is refused', () => {
    const { join, open, enter } = tab();
    const both = join(['EURUSD', 'NOSUCH']);
    enter('closed', 4400);
    expect(both.heard).not.toContain('closed');
    expect(open()).toEqual(['EURUSD']);
    both.stream.close();
    expect(open()).toEqual([]);
  });

  test('of several symbols are as good as the worst of them', () => {
    const { join, open, enter, send } = tab();
    join('EURUSD');
    enter('live');
    const both = join(['EURUSD', 'XAUUSD']);
    expect(open()).toEqual(['EURUSD', 'XAUUSD']);
    expect(both.stream.state).toBe('connecting');
    enter('live');
    expect(both.stream.state).toBe('live');
    send('XAUUSD');
    expect(both.heard.at(-1)).toBe('XAUUSD');
    both.stream.setSymbols(['XAUUSD']);
    expect(open()).toEqual(['EURUSD', 'XAUUSD']);
    both.stream.close();
    expect(open()).toEqual(['EURUSD']);
  });

  test('pause when the last part that wants them pauses, and resume where they were', () => {
    const { join, enter, send, streams } = tab();
    const [first, second] = [join('EURUSD'), join('EURUSD')];
    enter('live');
    first.stream.pause();
    expect(streams[0]!.state).toBe('live');
    send('EURUSD');
    expect(first.heard.at(-1)).toBe('stale');
    expect(second.heard.at(-1)).toBe('EURUSD');
    second.stream.pause();
    expect(streams[0]!.state).toBe('stale');
    second.stream.resume();
    enter('live');
    expect(second.heard).not.toContain('gap');
    // It missed what the other one received.
    first.stream.resume();
    expect(first.heard.slice(-2)).toEqual(['live', 'gap']);
    expect(streams).toHaveLength(1);
  });
});
