// Practice signals: published in a replay session, judged by the recorded past, and in no log.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { rmSync } from 'node:fs';
import {
  type ActiveSignal,
  iso,
  type PracticeRecord,
  type ReplaySession,
  SAVED_RECORDS_PER_REPLAY,
  type SavedPractice,
  type SavedPracticeInfo,
  type SignalDetail,
  TIERS,
} from '@tickwire/contract';
import { asEpochMs, HOUR_MS, MINUTE_MS } from '@tickwire/engine';
import { codeOf } from '../../../testing/publisher.fixture.ts';
import { EURUSD, randomPast, record } from '../../../testing/replay/recorded-day.fixture.ts';
import { folderOfBusyAccounts, type RunningService, startService } from '../../../testing/service.fixture.ts';

const FROM = Date.UTC(2026, 2, 4, 12);
const TO = FROM + 2 * HOUR_MS;
const past = randomPast(FROM, TO, 31);
/** Quotes of EURUSD that arrived in order: with them, what must happen can be seen. */
const quotes = past.ticks.flatMap(({ tick, arrival }) =>
  tick.kind === 'quote' && tick.symbol === EURUSD ? [{ ...tick, arrival }] : [],
);
const quoteAt = (clock: number) => quotes.findLast(({ arrival }) => arrival <= clock)!;
const after = (clock: number) => quotes.filter(({ arrival, time }) => arrival > clock && time > clock);
/** A moment soon after a quote. */
const START = quotes.find(({ arrival, time }) => arrival > FROM + 20 * MINUTE_MS && arrival === time)!.arrival;

const folder = folderOfBusyAccounts(100_000);
let service: RunningService;
let key: string;
beforeAll(async () => {
  await record(folder, past);
  service = await startService({ data: folder, feeds: 'push' });
  ({ key } = await service.key('free', ['read', 'publish']));
});
afterAll(async () => {
  await service.stop();
  rmSync(folder, { recursive: true, force: true });
});

const send = (method: string, path: string, body?: object, headers: Record<string, string> = {}): Promise<Response> =>
  fetch(service.url + path, {
    method,
    headers: { 'X-API-Key': key, ...headers },
    ...(body && { body: JSON.stringify(body) }),
  });
const json = async <T>(response: Promise<Response>): Promise<T> => {
  const given = await response;
  if (!given.ok) throw new Error(await given.text());
  return (await given.json()) as T;
};

async function withSession<T>(use: (id: string) => Promise<T>, clock = START): Promise<T> {
  const range = { symbols: ['EURUSD', 'BTCUSD'], from: iso(FROM), to: iso(TO) };
  const { id } = await json<ReplaySession>(send('POST', '/api/replays', range));
  try {
    await seek(id, clock);
    return await use(id);
  } finally {
    expect((await send('DELETE', `/api/replays/${id}`)).status).toBe(200);
  }
}

const seek = (id: string, clock: number): Promise<ReplaySession> =>
  json(send('PATCH', `/api/replays/${id}`, { seek: iso(clock) }));
const inReplay = (id: string, method: string, path: string, body?: object, headers = {}): Promise<Response> =>
  send(method, path, body, { Replay: id, ...headers });
const detailOf = (id: string, signal: string): Promise<SignalDetail> =>
  json(inReplay(id, 'GET', `/api/signals/${signal}`));
const recordOf = (id: string): Promise<PracticeRecord> => json(send('GET', `/api/replays/${id}/record`));

/** A market order at the clock with a stop and a target in pips. */
const marketOrder = (clock: number, direction: 'buy' | 'sell', stop: number, target: number) => {
  const { bid, ask } = quoteAt(clock);
  const [entry, sign] = direction === 'buy' ? [ask, 1] : [bid, -1];
  const price = (pips: number): number => Math.round((entry + sign * pips * 0.0001) * 1e5) / 1e5;
  return { symbol: 'eurusd', direction, order: 'market', stop_loss: price(-stop), take_profit: price(target) };
};

describe('a practice signal', () => {
  test('is filled by the next quote and closed where the recorded past reaches a level', async () => {
    await withSession(async (id) => {
      const order = marketOrder(START, 'buy', 3, 3);
      const published = await inReplay(id, 'POST', '/api/signals', order);
      expect([published.status, published.headers.get('practice'), published.headers.get('replay-clock')]).toEqual([
        201,
        'true',
        iso(START),
      ]);
      const signal = (await published.json()) as ActiveSignal;
      expect(signal).toMatchObject({ id: 'practice_1', symbol: 'EURUSD', status: 'active', timestamp: iso(START) });
      expect(await detailOf(id, signal.id)).toMatchObject({
        state: 'pending',
        publisher: 'practice',
        entry: quoteAt(START).ask,
      });

      await seek(id, TO);
      const closed = await detailOf(id, signal.id);
      const [fill, ...rest] = after(START);
      // Never at a better price than the entry.
      expect([closed.filled_at, closed.entry_price]).toEqual([
        iso(fill!.time),
        Math.max(fill!.ask, quoteAt(START).ask),
      ]);
      const decided = [fill!, ...rest].find(({ bid }) => bid <= order.stop_loss || bid >= order.take_profit)!;
      const won = decided.bid >= order.take_profit;
      expect(closed).toMatchObject({
        status: 'closed',
        close_reason: won ? 'take_profit' : 'stop_loss',
        closed_at: iso(decided.time),
        exit_price: won ? order.take_profit : decided.bid,
      });
      const { figures, equity } = await recordOf(id);
      expect(figures).toMatchObject({ signals: 1, closed: 1, wins: won ? 1 : 0, losses: won ? 0 : 1 });
      expect(equity).toMatchObject([{ at: iso(decided.time), open: 0 }]);
    });
  });

  test('is not known before it happens: the record follows the clock', async () => {
    await withSession(async (id) => {
      await inReplay(id, 'POST', '/api/signals', marketOrder(START, 'sell', 3, 3));
      expect((await recordOf(id)).figures).toMatchObject({ signals: 1, active: 1, closed: 0 });
      const [fill] = after(START);
      await seek(id, fill!.arrival);
      expect(await detailOf(id, 'practice_1')).toMatchObject({ state: 'open', entry_price: fill!.bid });
      const { equity_now, open_r } = await recordOf(id);
      expect(equity_now).toMatchObject({ at: iso(fill!.arrival), open: 1 });
      expect(open_r).toBeLessThan(0);
    });
  });

  test('has its stop tightened, and is closed by the next quote', async () => {
    await withSession(async (id) => {
      await inReplay(id, 'POST', '/api/signals', marketOrder(START, 'buy', 200, 200));
      const [fill] = after(START);
      await seek(id, fill!.arrival);
      const stop_loss = Math.round((fill!.bid - 0.015) * 1e5) / 1e5;
      const amended = await inReplay(id, 'POST', '/api/signals/practice_1/amend', { stop_loss });
      expect(await amended.json()).toMatchObject({ current_stop_loss: stop_loss });
      const looser = { stop_loss: stop_loss - 0.001 };
      expect((await codeOf(await inReplay(id, 'POST', '/api/signals/practice_1/amend', looser)))[1]).toBe(
        'stop_not_tighter',
      );
      const closing = await inReplay(id, 'POST', '/api/signals/practice_1/close');
      expect([closing.status, await closing.json()]).toMatchObject([
        202,
        { status: 'active', close_requested_at: iso(fill!.arrival) },
      ]);
      expect(await codeOf(await inReplay(id, 'POST', '/api/signals/practice_1/close'))).toEqual([
        409,
        'close_requested',
      ]);
      const [next] = after(fill!.arrival);
      await seek(id, next!.arrival);
      expect(await detailOf(id, 'practice_1')).toMatchObject({
        close_reason: 'manual',
        closed_at: iso(next!.time),
        exit_price: next!.bid,
      });
      expect(await codeOf(await inReplay(id, 'POST', '/api/signals/practice_1/close'))).toEqual([409, 'signal_closed']);
    });
  });

  test('is gone if the clock is set to a time before it', async () => {
    await withSession(async (id) => {
      await inReplay(id, 'POST', '/api/signals', marketOrder(START, 'buy', 3, 3));
      const later = quotes.find(({ arrival, time }) => time > START + 5 * MINUTE_MS && arrival === time)!.arrival;
      await seek(id, later);
      await inReplay(id, 'POST', '/api/signals', marketOrder(later, 'sell', 3, 3));
      const list = async (query = '') =>
        (await json<{ items: ActiveSignal[] }>(inReplay(id, 'GET', `/api/signals?status=all${query}`))).items.map(
          (signal) => signal.id,
        );
      expect(await list()).toEqual(['practice_2', 'practice_1']);
      expect(await list('&before=practice_2')).toEqual(['practice_1']);
      await seek(id, later - 1);
      await seek(id, TO);
      expect(await list()).toEqual(['practice_1']);
      expect(await codeOf(await inReplay(id, 'GET', '/api/signals/practice_2'))).toEqual([404, 'signal_not_found']);
      await seek(id, FROM);
      expect(await list()).toEqual([]);
      expect((await recordOf(id)).figures.signals).toBe(0);
    });
  });

  test('is published once with the same Idempotency-Key', async () => {
    await withSession(async (id) => {
      const order = marketOrder(START, 'buy', 5, 5);
      const once = { 'Idempotency-Key': 'one' };
      const first = await (await inReplay(id, 'POST', '/api/signals', order, once)).json();
      expect(await (await inReplay(id, 'POST', '/api/signals', order, once)).json()).toEqual(first);
      const other = marketOrder(START, 'sell', 5, 5);
      expect(await codeOf(await inReplay(id, 'POST', '/api/signals', other, once))).toEqual([
        409,
        'idempotency_conflict',
      ]);
      expect((await recordOf(id)).figures.signals).toBe(1);
    });
  });

  test('is rejected by the rules of real ones', async () => {
    await withSession(async (id) => {
      const order = marketOrder(START, 'buy', 3, 3);
      const rejected = async (body: object): Promise<unknown> =>
        (await codeOf(await inReplay(id, 'POST', '/api/signals', body)))[1];
      expect(await rejected({ ...order, stop_loss: order.take_profit, take_profit: order.stop_loss })).toBe(
        'levels_out_of_order',
      );
      expect(await rejected({ ...order, stop_loss: order.stop_loss + 0.000001 })).toBe('finer_than_digits');
      expect(await rejected({ ...order, symbol: 'XAUUSD' })).toBe('symbol_not_found');
      expect(await rejected({ ...order, expires_at: new Date(START - 1).toISOString() })).toBe('expiry_out_of_range');
      await seek(id, asEpochMs(FROM));
      expect(await rejected(order)).toBe('no_quote');
      const reader = (await service.key('free')).key;
      const denied = await inReplay(id, 'POST', '/api/signals', order, { 'X-API-Key': reader });
      expect(await codeOf(denied)).toEqual([403, 'missing_scope']);
    });
  });

  test('is in no log, no feed, no ranking and no stream of the present', async () => {
    const head = await json<object>(send('GET', '/api/signals/log'));
    await withSession(async (id) => {
      await inReplay(id, 'POST', '/api/signals', marketOrder(START, 'buy', 3, 3));
      await seek(id, TO);
      expect((await recordOf(id)).figures.closed).toBe(1);
      expect(await json(send('GET', '/api/signals?status=all'))).toEqual({ items: [], count: 0 });
      expect(await codeOf(await send('GET', '/api/signals/practice_1'))).toEqual([404, 'signal_not_found']);
      expect(await json(send('GET', '/api/publishers'))).toMatchObject({ items: [] });
    });
    expect(await json<object>(send('GET', '/api/signals/log'))).toEqual(head);
    const again = await json<ReplaySession>(
      send('POST', '/api/replays', { symbols: ['EURUSD'], from: iso(FROM), to: iso(TO) }),
    );
    expect((await recordOf(again.id)).figures.signals).toBe(0);
    await send('DELETE', `/api/replays/${again.id}`);
  });

  test('has a record that can be saved for later, as many as the tier allows, by its account alone', async () => {
    const saved = await withSession(async (id) => {
      await inReplay(id, 'POST', '/api/signals', marketOrder(START, 'buy', 3, 3));
      await seek(id, TO);
      const response = await send('POST', `/api/replays/${id}/save`, { name: 'First try' });
      expect(response.status).toBe(201);
      const info = (await response.json()) as SavedPracticeInfo;
      expect(info.name).toBe('First try');
      const first = { ...info, record: await recordOf(id) };
      for (let count = 1; count < TIERS.free.replays * SAVED_RECORDS_PER_REPLAY; count++)
        expect((await send('POST', `/api/replays/${id}/save`, { name: `${count}` })).status).toBe(201);
      const further = await send('POST', `/api/replays/${id}/save`, { name: 'One more' });
      expect(await codeOf(further)).toEqual([409, 'too_many_saved_records']);
      expect(await codeOf(await send('POST', `/api/replays/${id}/save`, { name: ' ' }))).toEqual([
        400,
        'invalid_parameter',
      ]);
      return first;
    });
    const list = async (headers = {}) =>
      (await json<{ items: SavedPractice[] }>(send('GET', '/api/practice-records', undefined, headers))).items;
    expect((await list())[0]).toEqual(saved);
    const other = { 'X-API-Key': (await service.key('free', ['read', 'publish'])).key };
    expect(await list(other)).toEqual([]);
    const path = `/api/practice-records/${saved.id}`;
    expect(await codeOf(await send('DELETE', path, undefined, other))).toEqual([404, 'saved_record_not_found']);
    const { record: _, ...info } = saved;
    expect(await json<SavedPracticeInfo>(send('DELETE', path))).toEqual(info);
    expect(await codeOf(await send('DELETE', path))).toEqual([404, 'saved_record_not_found']);
    expect((await list()).length).toBe(TIERS.free.replays * SAVED_RECORDS_PER_REPLAY - 1);
  });

  test('gives the same answers in each run, however the clock gets there', async () => {
    const clocks = [START, ...[8, 21, 40].map((minutes) => after(START + minutes * MINUTE_MS)[0]!.arrival)];
    const run = (asksOften: boolean): Promise<unknown[]> =>
      withSession(async (id) => {
        for (const [index, clock] of clocks.entries()) {
          await seek(id, clock);
          await inReplay(id, 'POST', '/api/signals', marketOrder(clock, index % 2 ? 'sell' : 'buy', 4, 6));
          for (let step = 0; asksOften && step < 10; step++) {
            await json(send('PATCH', `/api/replays/${id}`, { step: 'tick' }));
            await recordOf(id);
          }
        }
        await seek(id, TO);
        const list = await (await inReplay(id, 'GET', '/api/signals?status=all&detail=true')).text();
        return [list, { ...(await recordOf(id)), session: '' }];
      });
    const first = await run(false);
    expect(first[1]).toMatchObject({ figures: { signals: clocks.length } });
    expect(await run(true)).toEqual(first);
  });
});
