import { describe, expect, test } from 'bun:test';
import { Continuity } from './continuity.ts';
import type { Gap } from './gap.ts';

function account(bySymbol = true) {
  const gaps: Gap[] = [];
  const continuity = new Continuity(bySymbol, (gap) => gaps.push(gap));
  continuity.subscribed({ epoch: 'e1' });
  const tick = (symbol: string, seq: number, prev: number) =>
    continuity.take({ symbol, seq, prev, epoch: 'e1', time: 1_000 + seq });
  /** The service has answered the last subscription. */
  const stands = (seq: number) => continuity.subscribed({ epoch: 'e1', seq });
  return { continuity, gaps, tick, stands };
}

test('it comes back to where the service said it stood, before anything has come', () => {
  const { continuity, gaps, stands } = account();
  expect(continuity.add(['A', 'B'])).toEqual([{ symbols: ['A', 'B'] }]);
  stands(40);
  expect(continuity.comeBack()).toEqual([{ symbols: ['A', 'B'], resume_from: { epoch: 'e1', seq: 40 } }]);
  expect(gaps).toEqual([]);
});

test('where nothing was ever published it stands at the beginning', () => {
  const { continuity, stands } = account();
  continuity.add(['A']);
  expect(continuity.placed).toBe(false);
  stands(0);
  expect(continuity.placed).toBe(true);
  expect(continuity.comeBack()).toEqual([{ symbols: ['A'], resume_from: { epoch: 'e1', seq: 0 } }]);
});

test('a service that was set back to before its position is asked anew, until a heartbeat tells where it is', () => {
  const { continuity, gaps, stands } = account();
  continuity.add(['A']);
  stands(40);
  continuity.comeBack();
  continuity.declared({ event: 'gap', reason: 'resume', symbols: ['A'] });
  expect(gaps).toMatchObject([{ reason: 'resume', fromSeq: null, toSeq: null }]);
  expect(continuity.comeBack()).toEqual([{ symbols: ['A'] }]);
  continuity.heartbeat({ epoch: 'e2', seq: 7 });
  expect(continuity.comeBack()).toEqual([{ symbols: ['A'], resume_from: { epoch: 'e2', seq: 7 } }]);
});

test('each batch has a position of its own: one may be live while the other is still replayed', () => {
  const { continuity, tick, stands } = account();
  continuity.add(['A']);
  stands(10);
  tick('A', 11, 9);
  continuity.add(['B']);
  stands(50);
  tick('B', 51, 0);
  expect(continuity.comeBack().map(({ resume_from }) => resume_from?.seq)).toEqual([11, 51]);
});

test('what comes again is not handed on, and is no gap', () => {
  const { continuity, gaps, tick } = account();
  continuity.add(['A', 'B']);
  expect([tick('A', 1, 0), tick('B', 2, 0), tick('A', 3, 1)]).toEqual([true, true, true]);
  expect([tick('A', 1, 0), tick('B', 2, 0), tick('A', 3, 1), tick('A', 4, 3)]).toEqual([false, false, false, true]);
  expect(gaps).toEqual([]);
});

test('a message that nobody spoke of is missed by the next one of its symbol', () => {
  const { continuity, gaps, tick } = account();
  continuity.add(['*']);
  tick('A', 1, 0);
  tick('B', 2, 0);
  tick('A', 9, 7);
  expect(gaps).toMatchObject([{ reason: 'undeclared', symbols: ['A'], fromSeq: 2, toSeq: 7, since: 1_001 }]);
});

describe('while the service sends only the newest', () => {
  test('its own account of it is the one gap there is', () => {
    const { continuity, gaps, tick } = account();
    continuity.add(['A', 'B']);
    tick('A', 1, 0);
    continuity.slow();
    tick('A', 20, 19);
    tick('A', 40, 39);
    expect(gaps).toEqual([]);
    continuity.declared({ event: 'gap', reason: 'slow', symbols: ['A'], dropped: 36, from_seq: 2, to_seq: 40 });
    tick('A', 41, 40);
    expect(gaps).toMatchObject([{ reason: 'slow', symbols: ['A'], dropped: 36, fromSeq: 2, toSeq: 40 }]);
  });

  test('what turns out to be nothing is no gap', () => {
    const { continuity, gaps, tick } = account();
    continuity.add(['A']);
    tick('A', 1, 0);
    continuity.slow();
    tick('A', 2, 1);
    continuity.declared({ event: 'gap', reason: 'slow', symbols: [], dropped: 0, from_seq: 2, to_seq: 2 });
    tick('A', 3, 2);
    expect(gaps).toEqual([]);
  });

  test('a connection that is lost before that account leaves what was noted', () => {
    const { continuity, gaps, tick } = account();
    continuity.add(['A', 'B']);
    tick('A', 1, 0);
    tick('B', 2, 0);
    continuity.slow();
    tick('B', 19, 17);
    tick('A', 20, 18);
    expect(continuity.comeBack()).toMatchObject([{ resume_from: { seq: 20 } }]);
    expect(gaps).toMatchObject([{ reason: 'slow', symbols: ['B', 'A'], fromSeq: 2, toSeq: 18 }]);
  });
});

test('after a restart of the service the numbers before it are not taken for its own', () => {
  const { continuity, gaps, tick, stands } = account();
  continuity.add(['A']);
  stands(10);
  continuity.add(['B']);
  stands(12);
  tick('A', 13, 0);
  continuity.comeBack();
  // The connection is lost again when only one of the two has been answered.
  continuity.subscribed({ epoch: 'e2' });
  continuity.declared({ event: 'gap', reason: 'resume', symbols: ['B'], from_seq: 13, to_seq: 90 });
  expect(gaps).toMatchObject([{ reason: 'resume', symbols: ['B'], fromSeq: 13, toSeq: 90 }]);
  const positions = continuity.comeBack().map(({ symbols, resume_from }) => [symbols, resume_from]);
  expect(positions).toEqual([
    [['A'], { epoch: 'e1', seq: 13 }],
    [['B'], { epoch: 'e2', seq: 90 }],
  ]);
});

test('news is one run, whatever it is about', () => {
  const { continuity, gaps } = account(false);
  expect(continuity.add(['A'])).toEqual([{ symbols: ['A'] }]);
  continuity.subscribed({ epoch: 'e1', seq: 5 });
  expect(continuity.add(['B'])).toEqual([{ symbols: ['B'] }]);
  const item = (seq: number, prev: number) =>
    continuity.take({ seq, prev, epoch: 'e1', timestamp: '1970-01-01T00:00:09Z' });
  item(7, 0);
  item(8, 7);
  expect(continuity.comeBack()).toEqual([{ symbols: ['A', 'B'], resume_from: { epoch: 'e1', seq: 8 } }]);
  item(20, 15);
  expect(gaps).toMatchObject([{ reason: 'undeclared', symbols: ['*'], fromSeq: 9, toSeq: 15, since: 9 }]);
});

describe('many batches', () => {
  test('become a few on the way back, the furthest behind together', () => {
    const { continuity, stands } = account();
    for (let at = 1; at <= 30; at++) {
      continuity.add([`S${at}`]);
      stands(at * 10);
    }
    const requests = continuity.comeBack();
    expect(requests).toHaveLength(8);
    expect(requests.map(({ resume_from }) => resume_from?.seq)).toEqual([10, 240, 250, 260, 270, 280, 290, 300]);
    expect(requests[0]?.symbols).toHaveLength(23);
  });

  test('one that has no position yet drags no other along', () => {
    const { continuity, stands } = account();
    for (let at = 1; at <= 20; at++) {
      continuity.add([`S${at}`]);
      if (at <= 10) stands(at);
    }
    const [first, second] = continuity.comeBack();
    expect(first).toEqual({ symbols: Array.from({ length: 10 }, (_, at) => `S${at + 11}`) });
    expect(second?.resume_from).toEqual({ epoch: 'e1', seq: 1 });
  });

  test('no message names more symbols than one may', () => {
    const { continuity } = account();
    const symbols = Array.from({ length: 2_500 }, (_, at) => `S${at}`);
    expect(continuity.add(symbols).map((request) => request.symbols.length)).toEqual([1_000, 1_000, 500]);
  });
});
