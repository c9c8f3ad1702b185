import { describe, expect, test } from 'bun:test';
import type { Gap } from './gap.ts';
import { SequenceTracker } from './sequence-tracker.ts';

function createTracker(bySymbol = true) {
  const gaps: Gap[] = [];
  const tracker = new SequenceTracker(bySymbol, (gap) => gaps.push(gap));
  tracker.onSubscribed({ epoch: 'e1' });
  const tick = (symbol: string, seq: number, prev: number) =>
    tracker.accept({ symbol, seq, prev, epoch: 'e1', time: 1_000 + seq });
  /** The service confirms the last subscription at this position. */
  const confirm = (seq: number) => tracker.onSubscribed({ epoch: 'e1', seq });
  return { tracker, gaps, tick, confirm };
}

test('resumes at the confirmed position if no message has arrived yet', () => {
  const { tracker, gaps, confirm } = createTracker();
  expect(tracker.add(['A', 'B'])).toEqual([{ symbols: ['A', 'B'] }]);
  confirm(40);
  expect(tracker.resume()).toEqual([{ symbols: ['A', 'B'], resume_from: { epoch: 'e1', seq: 40 } }]);
  expect(gaps).toEqual([]);
});

test('resumes at 0 if nothing was ever published', () => {
  const { tracker, confirm } = createTracker();
  tracker.add(['A']);
  expect(tracker.positioned).toBe(false);
  confirm(0);
  expect(tracker.positioned).toBe(true);
  expect(tracker.resume()).toEqual([{ symbols: ['A'], resume_from: { epoch: 'e1', seq: 0 } }]);
});

test('subscribes without a position after the service was reset, until a heartbeat gives one', () => {
  const { tracker, gaps, confirm } = createTracker();
  tracker.add(['A']);
  confirm(40);
  tracker.resume();
  tracker.onGapNotice({ event: 'gap', reason: 'resume', symbols: ['A'] });
  expect(gaps).toMatchObject([{ reason: 'resume', fromSeq: null, toSeq: null }]);
  expect(tracker.resume()).toEqual([{ symbols: ['A'] }]);
  tracker.onHeartbeat({ epoch: 'e2', seq: 7 });
  expect(tracker.resume()).toEqual([{ symbols: ['A'], resume_from: { epoch: 'e2', seq: 7 } }]);
});

test('keeps one position per batch, because one may be live while the other is replayed', () => {
  const { tracker, tick, confirm } = createTracker();
  tracker.add(['A']);
  confirm(10);
  tick('A', 11, 9);
  tracker.add(['B']);
  confirm(50);
  tick('B', 51, 0);
  expect(tracker.resume().map(({ resume_from }) => resume_from?.seq)).toEqual([11, 51]);
});

test('drops duplicates without reporting a gap', () => {
  const { tracker, gaps, tick } = createTracker();
  tracker.add(['A', 'B']);
  expect([tick('A', 1, 0), tick('B', 2, 0), tick('A', 3, 1)]).toEqual([true, true, true]);
  expect([tick('A', 1, 0), tick('B', 2, 0), tick('A', 3, 1), tick('A', 4, 3)]).toEqual([false, false, false, true]);
  expect(gaps).toEqual([]);
});

test('reports an undeclared gap if `prev` of the next message does not match', () => {
  const { tracker, gaps, tick } = createTracker();
  tracker.add(['*']);
  tick('A', 1, 0);
  tick('B', 2, 0);
  tick('A', 9, 7);
  expect(gaps).toMatchObject([{ reason: 'undeclared', symbols: ['A'], fromSeq: 2, toSeq: 7, since: 1_001 }]);
});

describe('while the service sends only the latest values', () => {
  test('reports only the gap that the service declares', () => {
    const { tracker, gaps, tick } = createTracker();
    tracker.add(['A', 'B']);
    tick('A', 1, 0);
    tracker.onSlow();
    tick('A', 20, 19);
    tick('A', 40, 39);
    expect(gaps).toEqual([]);
    tracker.onGapNotice({ event: 'gap', reason: 'slow', symbols: ['A'], dropped: 36, from_seq: 2, to_seq: 40 });
    tick('A', 41, 40);
    expect(gaps).toMatchObject([{ reason: 'slow', symbols: ['A'], dropped: 36, fromSeq: 2, toSeq: 40 }]);
  });

  test('reports no gap if nothing was dropped', () => {
    const { tracker, gaps, tick } = createTracker();
    tracker.add(['A']);
    tick('A', 1, 0);
    tracker.onSlow();
    tick('A', 2, 1);
    tracker.onGapNotice({ event: 'gap', reason: 'slow', symbols: [], dropped: 0, from_seq: 2, to_seq: 2 });
    tick('A', 3, 2);
    expect(gaps).toEqual([]);
  });

  test('reports what was missed if the connection is lost before the gap notice', () => {
    const { tracker, gaps, tick } = createTracker();
    tracker.add(['A', 'B']);
    tick('A', 1, 0);
    tick('B', 2, 0);
    tracker.onSlow();
    tick('B', 19, 17);
    tick('A', 20, 18);
    expect(tracker.resume()).toMatchObject([{ resume_from: { seq: 20 } }]);
    expect(gaps).toMatchObject([{ reason: 'slow', symbols: ['B', 'A'], fromSeq: 2, toSeq: 18 }]);
  });
});

test('does not mix positions of two epochs', () => {
  const { tracker, gaps, tick, confirm } = createTracker();
  tracker.add(['A']);
  confirm(10);
  tracker.add(['B']);
  confirm(12);
  tick('A', 13, 0);
  tracker.resume();
  // The connection is lost again after only one of the two was confirmed.
  tracker.onSubscribed({ epoch: 'e2' });
  tracker.onGapNotice({ event: 'gap', reason: 'resume', symbols: ['B'], from_seq: 13, to_seq: 90 });
  expect(gaps).toMatchObject([{ reason: 'resume', symbols: ['B'], fromSeq: 13, toSeq: 90 }]);
  const positions = tracker.resume().map(({ symbols, resume_from }) => [symbols, resume_from]);
  expect(positions).toEqual([
    [['A'], { epoch: 'e1', seq: 13 }],
    [['B'], { epoch: 'e2', seq: 90 }],
  ]);
});

test('tracks news with one position across symbols', () => {
  const { tracker, gaps } = createTracker(false);
  expect(tracker.add(['A'])).toEqual([{ symbols: ['A'] }]);
  tracker.onSubscribed({ epoch: 'e1', seq: 5 });
  expect(tracker.add(['B'])).toEqual([{ symbols: ['B'] }]);
  const item = (seq: number, prev: number) =>
    tracker.accept({ seq, prev, epoch: 'e1', timestamp: '1970-01-01T00:00:09Z' });
  item(7, 0);
  item(8, 7);
  expect(tracker.resume()).toEqual([{ symbols: ['A', 'B'], resume_from: { epoch: 'e1', seq: 8 } }]);
  item(20, 15);
  expect(gaps).toMatchObject([{ reason: 'undeclared', symbols: ['*'], fromSeq: 9, toSeq: 15, since: 9 }]);
});

describe('many batches', () => {
  test('are merged into eight on a reconnect, the furthest behind together', () => {
    const { tracker, confirm } = createTracker();
    for (let at = 1; at <= 30; at++) {
      tracker.add([`S${at}`]);
      confirm(at * 10);
    }
    const requests = tracker.resume();
    expect(requests).toHaveLength(8);
    expect(requests.map(({ resume_from }) => resume_from?.seq)).toEqual([10, 240, 250, 260, 270, 280, 290, 300]);
    expect(requests[0]?.symbols).toHaveLength(23);
  });

  test('are not merged if only one of them has a position', () => {
    const { tracker, confirm } = createTracker();
    for (let at = 1; at <= 20; at++) {
      tracker.add([`S${at}`]);
      if (at <= 10) confirm(at);
    }
    const [first, second] = tracker.resume();
    expect(first).toEqual({ symbols: Array.from({ length: 10 }, (_, at) => `S${at + 11}`) });
    expect(second?.resume_from).toEqual({ epoch: 'e1', seq: 1 });
  });

  test('split more than 1,000 symbols over several messages', () => {
    const { tracker } = createTracker();
    const symbols = Array.from({ length: 2_500 }, (_, at) => `S${at}`);
    expect(tracker.add(symbols).map((request) => request.symbols.length)).toEqual([1_000, 1_000, 500]);
  });
});
