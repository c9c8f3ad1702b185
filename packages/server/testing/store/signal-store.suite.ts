// Requirements on every store: signals and their log.

import { describe, expect, test } from 'bun:test';
import { DAY_MS } from '@tickwire/engine';
import { StoreError } from '../../src/errors/store-error.ts';
import type { PublishedRow, SignalListQuery, SignalStore, SignalWrite } from '../../src/store/signal-store.ts';
import type { Store } from '../../src/store/store.ts';
import { EURUSD, MONDAY, refusalOf, XAUUSD } from './samples.fixture.ts';
import { signalEventsContract } from './signal-events.suite.ts';
import {
  closed,
  everySignal,
  fill,
  of,
  published,
  record,
  records,
  someSignals,
  write,
} from './signal-samples.fixture.ts';

/** `current` returns the store of the running test. */
export function signalStoreContract(current: () => Store): void {
  const store = (): SignalStore => current().signals;
  const put = (changes: Partial<SignalWrite>): Promise<void> => store().write(write(changes));
  /** Publishes signals, each by a record of its own, from 0 on. */
  const publish = (...rows: ((n: number) => PublishedRow)[]): Promise<void> =>
    put({ records: records(0, rows.length), published: rows.map((row, n) => row(n)) });

  describe('the signal log', () => {
    test('when empty has no tail and nothing judged', async () => {
      expect(await everySignal(store())).toEqual({
        log: [],
        tail: undefined,
        judgedUntil: 0,
        active: [],
        list: [],
        rows: [],
        events: [],
        signingKeys: [],
        gaps: [],
        unsealed: [],
      });
    });

    test('returns its records as they were stored, by number', async () => {
      await put({ records: records(0, 3) });
      await put({ records: records(3, 2) });
      expect(await store().log(-1, 100)).toEqual(records(0, 5));
      expect(await store().log(1, 2)).toEqual([record(2), record(3)]);
      expect(await store().log(4, 2)).toEqual([]);
      expect(await store().tail()).toEqual(record(4));
    });

    test('rejects a record that does not follow the last one, and keeps nothing of the write', async () => {
      await put({ ...someSignals });
      const before = await everySignal(store());
      for (const wrong of [
        records(4, 1),
        records(6, 1),
        records(0, 1),
        [record(5), record(7)],
        [record(5), record(5)],
      ]) {
        const refusal = await refusalOf(
          put({
            records: wrong,
            published: [published(wrong[0]!.n, { id: 'new' })],
            fills: [fill('sig_3', MONDAY)],
            closed: [closed('sig_2', wrong[0]!.n)],
            gaps: [{ symbol: XAUUSD, seq: 1, from: 1, to: 2 }],
            sealed: [{ day: '2026-03-02', symbol: XAUUSD, n: 1 }],
            judgedUntil: 2 ** 53 - 1,
          }),
        );
        expect(refusal).toBeInstanceOf(StoreError);
        expect(await everySignal(store())).toEqual(before);
      }
      expect(await refusalOf(put({ records: [record(1)] }))).toBeInstanceOf(StoreError);
      await put({ records: [record(5)] });
    });

    test('counts the publications since a time, by publisher', async () => {
      const at = (time: number, publisher: string) => (n: number) =>
        published(n, { id: `sig_${n}`, at: time, publisher });
      await publish(
        at(MONDAY - DAY_MS, 'ada'),
        at(MONDAY - 1, 'ada'),
        at(MONDAY, 'ada'),
        // The clock of the node that took over is a little behind.
        at(MONDAY - 2, 'bob'),
        at(MONDAY + 1, 'bob'),
        at(MONDAY + 2, 'ada'),
      );
      expect(await store().publishedSince(MONDAY)).toEqual(
        new Map([
          ['ada', 2],
          ['bob', 1],
        ]),
      );
      expect(await store().publishedSince(MONDAY + 3)).toEqual(new Map());
    });

    test('starts with record 0', async () => {
      expect(await refusalOf(put({ records: [record(1)] }))).toBeInstanceOf(StoreError);
      expect(await store().tail()).toBeUndefined();
    });

    test('keeps nothing of a write that fails half-way', async () => {
      await put({ ...someSignals });
      const before = await everySignal(store());
      const whole = {
        records: records(5, 2),
        published: [published(5)],
        fills: [fill('sig_3', MONDAY)],
        closed: [closed('sig_2', 6)],
        gaps: [{ symbol: XAUUSD, seq: 8, from: 1, to: 2 }],
        sealed: [{ day: '2026-03-03', symbol: EURUSD, n: 1 }],
        judgedUntil: 2 ** 53 - 1,
      };
      const nothing = null as unknown as string;
      const broken: Partial<SignalWrite>[] = [
        { published: [published(5), published(6, { id: 'sig_5' })] },
        { published: [published(5), published(5, { id: 'other' })] },
        { published: [published(5), published(9)] },
        { fills: [...whole.fills, fill('sig_2', MONDAY)] },
        { fills: [...whole.fills, fill('nobody', MONDAY)] },
        { closed: [...whole.closed, closed('sig_1', 6)] },
        { closed: [...whole.closed, closed('sig_2', 6)] },
        { closed: [...whole.closed, closed('nobody', 6)] },
        { closed: [closed('sig_2', 6, { rankR: nothing as unknown as number })] },
        { closed: [closed('sig_2', 9)] },
        { gaps: [...whole.gaps, { symbol: EURUSD, seq: 9, from: 1, to: nothing as unknown as number }] },
        { sealed: [...whole.sealed, { day: nothing, symbol: EURUSD, n: 1 }] },
      ];
      for (const changes of broken) {
        expect(await refusalOf(put({ ...whole, ...changes }))).toBeInstanceOf(StoreError);
        expect(await everySignal(store())).toEqual(before);
      }
      await put(whole);
      expect(await store().tail()).toEqual(record(6));
    });

    test('judgedUntil never decreases, and needs no record', async () => {
      for (const judgedUntil of [5, 2 ** 52 + 1, 7]) await put({ judgedUntil });
      expect(await store().judgedUntil()).toBe(2 ** 52 + 1);
      expect(await store().tail()).toBeUndefined();
    });
  });

  describe('signals', () => {
    test('are found by id, with their records and note', async () => {
      await put(someSignals);
      expect(await store().signal('sig_1')).toEqual({
        id: 'sig_1',
        published: record(1),
        closed: record(4),
        voided: null,
        note: null,
        rankR: 0.5,
      });
      expect(await store().signal('sig_2')).toEqual({
        id: 'sig_2',
        published: record(2),
        closed: null,
        voided: null,
        note: 'grüße',
        rankR: null,
      });
      expect(await store().signal('sig_9')).toBeUndefined();
    });

    test('can be published, filled and closed in one write, and keep their fill', async () => {
      await put({
        records: records(0, 2),
        published: [published(0)],
        fills: [fill('sig_0', MONDAY + 3)],
        closed: [closed('sig_0', 1, { rankR: -0.7 })],
      });
      expect(await store().active()).toEqual([]);
      expect(await store().rows()).toEqual([
        {
          id: 'sig_0',
          publishedN: 0,
          publisher: 'pub_a',
          symbol: EURUSD,
          publishedAt: MONDAY,
          filledAt: MONDAY + 3,
          closedN: 1,
          rankR: -0.7,
          voided: false,
        },
      ]);
    });

    test('fill once, and never after closing', async () => {
      await publish(published, published);
      const put0 = (id: string) => put({ fills: [fill(id, MONDAY + 5)] });
      await put0('sig_0');
      await put({ records: [record(2)], closed: [closed('sig_1', 2)] });
      for (const id of ['sig_0', 'sig_1', 'sig_2']) expect(await refusalOf(put0(id))).toBeInstanceOf(StoreError);
      expect((await store().rows()).map(({ filledAt }) => filledAt)).toEqual([MONDAY + 5, null]);
    });

    test('have all their records in log order, by id', async () => {
      await publish(published, published);
      await put({
        records: records(2, 4),
        ofSignals: [of(2, 'sig_1', 'filled'), of(3, 'sig_0', null), of(5, 'sig_1', 'changed')],
        fills: [fill('sig_1', MONDAY)],
      });
      const found = await store().records(['sig_1', 'nobody', 'sig_0']);
      expect(new Map(found)).toEqual(
        new Map([
          ['sig_0', [record(0), record(3)]],
          ['sig_1', [record(1), record(2), record(5)]],
        ]),
      );
      expect(await store().records([])).toEqual(new Map());
      const unknown = put({ records: [record(6)], ofSignals: [of(6, 'nobody', 'changed')] });
      expect(await refusalOf(unknown)).toBeInstanceOf(StoreError);
    });

    test('are voided once, active or closed, and a closed one keeps its closing', async () => {
      await publish(published, published);
      await put({ records: [record(2)], closed: [closed('sig_0', 2)] });
      const voidAt = (id: string, n: number) =>
        put({ records: [record(n)], ofSignals: [of(n, id, 'closed')], voided: [{ id, n, at: MONDAY + n }] });
      await voidAt('sig_0', 3);
      await voidAt('sig_1', 4);
      expect(await store().active()).toEqual([]);
      expect(await store().voids()).toBe(2);
      expect(await store().signal('sig_0')).toMatchObject({ closed: record(2), voided: record(3) });
      expect(await store().signal('sig_1')).toMatchObject({ closed: null, voided: record(4) });
      expect((await store().rows()).map(({ closedN, rankR, voided }) => [closedN, rankR, voided])).toEqual([
        [2, 0, true],
        [4, 0, true],
      ]);
      for (const id of ['sig_0', 'sig_1', 'nobody']) expect(await refusalOf(voidAt(id, 5))).toBeInstanceOf(StoreError);
      const [first, second] = [await store().list({ status: 'closed', limit: 2 }), await store().events(2, 9)];
      expect(first.map(({ id }) => id)).toEqual(['sig_1', 'sig_0']);
      expect(second.map(({ record: { n }, closed: by }) => [n, by?.n])).toEqual([
        [3, 2],
        [4, undefined],
      ]);
    });

    test('signing keys are those of the newest record, and remember the newest signature', async () => {
      await publish(published, published, published);
      await put({ signingKeys: [{ publisher: 'pub_a', publicKey: 'aa', n: 0 }] });
      await put({
        signingKeys: [{ publisher: 'pub_b', publicKey: 'bb', n: 1 }],
        signed: [
          { publisher: 'pub_a', signedAt: 70 },
          { publisher: 'pub_a', signedAt: 60 },
        ],
      });
      await put({ signingKeys: [{ publisher: 'pub_a', publicKey: null, n: 2 }] });
      expect(await store().signingKeys()).toEqual([
        { publisher: 'pub_b', publicKey: 'bb', n: 1, signedAt: 0 },
        { publisher: 'pub_a', publicKey: null, n: 2, signedAt: 70 },
      ]);
    });

    test('active signals and rows are in order of publication, whatever their ids', async () => {
      await publish(...['z', 'm', 'a', 'q'].map((id) => (n: number) => published(n, { id })));
      await put({ records: [record(4)], closed: [closed('m', 4)] });
      const active = await store().active();
      expect(active.map(({ id }) => id)).toEqual(['z', 'a', 'q']);
      const newest = await store().list({ status: 'all', limit: 2 });
      expect(newest.map(({ id }) => id)).toEqual(['q', 'a']);
      expect(await store().snapshot(2)).toEqual({ n: 4, active, newest });
      expect((await store().snapshot(3)).newest.map(({ id }) => id)).toEqual(['q', 'a', 'm']);
      expect((await store().rows()).map(({ id, closedN, rankR }) => [id, closedN, rankR])).toEqual([
        ['z', null, null],
        ['m', 4, 0.5],
        ['a', null, null],
        ['q', null, null],
      ]);
    });

    test('a list is filtered by status, symbol and publisher together, newest first, and paged by number', async () => {
      // Every combination of two symbols, two publishers and active or closed, twice.
      const rows = Array.from({ length: 16 }, (_, n) =>
        published(n, { symbol: n & 1 ? EURUSD : XAUUSD, publisher: n & 2 ? 'pub_a' : 'pub_b' }),
      );
      const ending = rows.filter(({ n }) => n & 4);
      await put({ records: records(0, 16), published: rows });
      await put({
        records: records(16, ending.length),
        closed: ending.map(({ id }, index) => closed(id, 16 + ending.length - 1 - index)),
      });
      const wanted = ({ status, symbol, publisher, beforeN = 99, limit }: SignalListQuery): string[] =>
        rows
          .filter(({ n }) => status === 'all' || (status === 'closed') === ending.some((row) => row.n === n))
          .filter((row) => symbol === undefined || row.symbol === symbol)
          .filter((row) => publisher === undefined || row.publisher === publisher)
          .filter(({ n }) => n < beforeN)
          .map(({ id }) => id)
          .reverse()
          .slice(0, limit);
      for (const status of ['active', 'closed', 'all'] as const) {
        for (const symbol of [{}, { symbol: EURUSD }, { symbol: 'NONE' }]) {
          for (const publisher of [{}, { publisher: 'pub_b' }]) {
            for (const page of [{ limit: 100 }, { limit: 3 }, { limit: 3, beforeN: 9 }, { limit: 3, beforeN: 0 }]) {
              const query = { status, ...symbol, ...publisher, ...page };
              expect({ query, ids: (await store().list(query)).map(({ id }) => id) }).toEqual({
                query,
                ids: wanted(query),
              });
            }
          }
        }
      }
      const [newest] = await store().list({ status: 'closed', limit: 1 });
      expect(newest).toEqual({
        id: 'sig_15',
        published: record(15),
        closed: record(16),
        voided: null,
        note: null,
        rankR: 0.5,
      });
    });

    test('a publication is found by idempotency key within the given time: the newest of its publisher', async () => {
      const keyed = (key: string, byte: number) => ({ key, bodyHash: new Uint8Array([byte, 0, 255]) });
      await publish(
        (n) => published(n, { idempotency: keyed('k', 1) }),
        (n) => published(n, { idempotency: keyed('k', 2), publisher: 'pub_b' }),
        (n) => published(n, { idempotency: keyed('other', 3) }),
        (n) => published(n, { idempotency: keyed('k', 4), at: MONDAY + DAY_MS }),
        published,
      );
      const found = async (publisher: string, key: string, since: number) => {
        const answer = await store().byIdempotencyKey(publisher, key, since);
        return answer && [answer.signal.id, ...answer.bodyHash];
      };
      expect(await found('pub_a', 'k', MONDAY)).toEqual(['sig_3', 4, 0, 255]);
      expect(await found('pub_a', 'k', MONDAY + DAY_MS)).toEqual(['sig_3', 4, 0, 255]);
      expect(await found('pub_a', 'k', MONDAY + DAY_MS + 1)).toBeUndefined();
      expect(await found('pub_b', 'k', MONDAY + 1)).toEqual(['sig_1', 2, 0, 255]);
      expect(await found('pub_b', 'k', MONDAY + 2)).toBeUndefined();
      expect(await found('pub_b', 'other', 0)).toBeUndefined();
      expect((await store().byIdempotencyKey('pub_b', 'k', 0))?.signal.published).toEqual(record(1));
    });

    test('gaps are kept by seq until no active signal is older', async () => {
      const gap = (seq: number, symbol = EURUSD, to = seq + 10) => ({ symbol, seq, from: seq, to });
      await put({ gaps: [gap(9), gap(4), gap(4, XAUUSD)] });
      await put({ gaps: [gap(9, EURUSD, 50)] });
      expect(await store().gaps()).toEqual([gap(4), gap(4, XAUUSD), gap(9, EURUSD, 50)]);
      await store().forgetGaps(4);
      expect(await store().gaps()).toEqual([gap(9, EURUSD, 50)]);
      // Of two that end before the same record.
      const second = { ...gap(9), from: 30, to: 40 };
      await put({ gaps: [second] });
      expect(await store().gaps()).toEqual([gap(9, EURUSD, 50), second]);
    });
  });

  signalEventsContract(current);
}
