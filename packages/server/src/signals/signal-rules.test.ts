// The rules of signals over real sockets, in a market that the test controls: targets, amendments, voids, details and streams.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test';
import { ENDPOINTS, type LogPage, type SignalDetail } from '@tickwire/contract';
import { BUY, codeOf, EURO, LIMIT, TestMarket, TestPublisher } from '../../testing/publisher.fixture.ts';
import { type RunningService, startService } from '../../testing/service.fixture.ts';
import { isData, type Message, StreamClient } from '../../testing/stream-client.fixture.ts';

let service: RunningService;
let market: TestMarket;
let publisher: TestPublisher;
beforeAll(async () => {
  service = await startService({ feeds: 'push' });
  market = await TestMarket.of(service);
});
afterAll(() => service.stop());
beforeEach(async () => {
  publisher = await TestPublisher.of(service);
  await market.quote(...EURO);
});

const { take_profit: _, ...TERMS } = BUY;
const TARGETS = [
  { price: 1.085, fraction: 0.5 },
  { price: 1.086, fraction: 0.25 },
  { price: 1.088, fraction: 0.25 },
];
const log = async (id: string): Promise<string[]> =>
  (await publisher.read<{ records: LogPage['items'] }>(`/api/signals/${id}/proof`)).records.map(
    ({ record }) => record.type,
  );

describe('targets', () => {
  test('exit in parts, and the result is the weighted sum', async () => {
    const { id, take_profit } = await publisher.open({ ...TERMS, targets: TARGETS, breakeven_after: 1 }, market);
    expect(take_profit).toBe(1.088);
    await market.quote('EURUSD', 1.0851, 1.0852);
    const open = await publisher.once(id, ({ exits }) => exits.length === 1);
    expect(open).toMatchObject({ state: 'open', targets: TARGETS, breakeven_after: 1, current_stop_loss: 1.08412 });
    expect(open.exits[0]).toMatchObject({ target: 1, fraction: 0.5, price: 1.085 });
    await market.quote('EURUSD', 1.084, 1.0841);
    const closed = await publisher.ended(id);
    expect(ENDPOINTS.signal.response.parse(closed)).toStrictEqual(closed);
    // Half at 1.085, half at 1.084, from 1.08412, with a risk of 212 ticks.
    expect(closed).toMatchObject({ close_reason: 'stop_loss', exit_price: 1.0845, pnl: 3.8, pnl_r: 0.1792 });
    expect(await log(id)).toEqual(['published', 'filled', 'exited', 'closed']);
  });

  test('can all be reached by one quote', async () => {
    const { id } = await publisher.open({ ...TERMS, targets: TARGETS }, market);
    await market.quote('EURUSD', 1.089, 1.0891);
    expect(await publisher.ended(id)).toMatchObject({ close_reason: 'take_profit', exit_price: 1.086 });
    expect(await log(id)).toEqual(['published', 'filled', 'exited', 'exited', 'closed']);
  });

  test.each([
    ['fractions that do not add up', { targets: TARGETS.slice(0, 2) }],
    [
      'a fraction with 5 decimals',
      {
        targets: [
          { price: 1.088, fraction: 0.00001 },
          { price: 1.089, fraction: 0.99999 },
        ],
      },
    ],
    ['another take_profit', { targets: TARGETS, take_profit: 1.087 }],
    ['breakeven_after the last target', { targets: TARGETS, breakeven_after: 3 }],
    ['breakeven_after without targets', { take_profit: 1.088, breakeven_after: 1 }],
  ])('rejects %s', async (_what, terms) => {
    expect(await codeOf(await publisher.publish({ ...TERMS, ...terms }))).toEqual([422, 'invalid_targets']);
  });

  test('rejects targets out of order, no targets, and six of them', async () => {
    const reversed = { ...TERMS, targets: TARGETS.toReversed() };
    expect(await codeOf(await publisher.publish(reversed))).toEqual([422, 'levels_out_of_order']);
    for (const targets of [[], Array(6).fill({ price: 1.088, fraction: 0.1 }), [{ price: 1.088 }], 'all'])
      expect(await codeOf(await publisher.publish({ ...TERMS, targets }))).toEqual([400, 'invalid_parameter']);
    const neither = await publisher.publish(TERMS);
    expect(await neither.json()).toMatchObject({ code: 'invalid_parameter', errors: [{ parameter: 'take_profit' }] });
  });
});

describe('amending', () => {
  test('tightens the stop, and only that', async () => {
    const { id } = await publisher.open(BUY, market);
    const amended = await publisher.amended(id, 1.0835);
    expect(ENDPOINTS.amendSignal.response.parse(amended)).toStrictEqual(amended);
    expect(amended).toMatchObject({ stop_loss: BUY.stop_loss, current_stop_loss: 1.0835 });
    expect(await publisher.amended(id, 1.0835)).toEqual(amended);
    expect(await codeOf(await publisher.amend(id, { stop_loss: 1.083 }))).toEqual([422, 'stop_not_tighter']);
    expect(await codeOf(await publisher.amend(id, { stop_loss: 1.084 }))).toEqual([422, 'level_reached']);
    expect(await codeOf(await publisher.amend(id, { stop_loss: 1.083501 }))).toEqual([422, 'finer_than_digits']);
    expect(await codeOf(await publisher.amend(id, { take_profit: 1.09 }))).toEqual([400, 'invalid_parameter']);
    await Bun.sleep(2);
    await market.quote('EURUSD', 1.0834, 1.0835);
    // The risk stays as published.
    expect(await publisher.ended(id)).toMatchObject({ close_reason: 'stop_loss', exit_price: 1.0834, pnl_r: -0.3396 });
    expect(await log(id)).toEqual(['published', 'filled', 'amended', 'closed']);
    expect(await codeOf(await publisher.amend(id, { stop_loss: 1.0836 }))).toEqual([409, 'signal_closed']);
    expect(await codeOf(await publisher.amend('sig_none', { stop_loss: 1 }))).toEqual([404, 'signal_not_found']);
  });

  test('a pending signal keeps its distance from the entry; 100 amendments are the limit', async () => {
    const { id } = await publisher.published(LIMIT);
    expect(await codeOf(await publisher.amend(id, { stop_loss: 1.08295 }))).toEqual([422, 'distance_out_of_range']);
    for (let count = 1; count <= 100; count++)
      await publisher.amended(id, Number((1.081 + count / 100_000).toFixed(5)));
    expect(await codeOf(await publisher.amend(id, { stop_loss: 1.0825 }))).toEqual([409, 'too_many_amendments']);
  });

  test('with an Idempotency-Key gets the first response again', async () => {
    const { id } = await publisher.open(BUY, market);
    const key = { 'Idempotency-Key': 'tighter' };
    const first = await (await publisher.amend(id, { stop_loss: 1.083 }, key)).json();
    await publisher.amended(id, 1.0832);
    expect(await (await publisher.amend(id, { stop_loss: 1.083 }, key)).json()).toEqual(first);
    expect(await codeOf(await publisher.amend(id, { stop_loss: 1.0831 }, key))).toEqual([409, 'idempotency_conflict']);
  });
});

describe('voiding', () => {
  const voided = async (id: string, body: object, scopes = ['admin']): Promise<Response> =>
    (await TestPublisher.of(service, scopes)).post(`/api/admin/signals/${id}/void`, JSON.stringify(body));

  test('an active or closed signal, once, with a public reason and an entry in the audit log', async () => {
    const [open, closed] = [await publisher.open(BUY, market), await publisher.open(BUY, market)];
    const before = await publisher.closed(closed.id, market);
    for (const { id } of [open, closed]) {
      const detail = (await (await voided(id, { reason: 'a bad tick' })).json()) as SignalDetail;
      expect(ENDPOINTS.voidSignal.response.parse(detail)).toStrictEqual(detail);
      expect(detail).toMatchObject({
        status: 'closed',
        close_reason: 'voided',
        voided_reason: 'a bad tick',
        pnl: 0,
        pnl_r: 0,
        entry_price: null,
        exit_price: null,
      });
      expect(await codeOf(await voided(id, { reason: 'again' }))).toEqual([409, 'signal_voided']);
      expect(await codeOf(await publisher.close(id))).toEqual([409, 'signal_closed']);
    }
    expect(await publisher.detail(closed.id)).toMatchObject({
      closed_at: before.closed_at,
      closed_n: expect.any(Number),
    });
    expect(await log(closed.id)).toEqual(['published', 'filled', 'close_requested', 'closed', 'voided']);
    expect(await log(open.id)).toEqual(['published', 'filled', 'voided']);
    expect(await publisher.read(`/api/signals?user=${publisher.id}`)).toMatchObject({ count: 0 });
    const entries = await service.app.store.access.auditLog({
      account: publisher.id,
      action: 'signal voided',
      limit: 9,
    });
    expect(entries.map(({ subject }) => subject)).toEqual([`${closed.id}: a bad tick`, `${open.id}: a bad tick`]);
  });

  test('needs an operator and a reason', async () => {
    const { id } = await publisher.published(LIMIT);
    expect(await codeOf(await voided(id, { reason: 'mine' }, ['read', 'publish']))).toEqual([403, 'missing_scope']);
    for (const reason of ['', '  ', 'x'.repeat(501), 'a\u0000b', 5])
      expect(await codeOf(await voided(id, { reason }))).toEqual([400, 'invalid_parameter']);
    expect(await codeOf(await voided('sig_none', { reason: 'none' }))).toEqual([404, 'signal_not_found']);
    expect((await publisher.detail(id)).status).toBe('active');
  });
});

test('a list in detail has what one signal has, also of closed ones', async () => {
  const [open, done] = [await publisher.open(BUY, market), await publisher.published(LIMIT)];
  await publisher.closed(done.id, market);
  const list = await publisher.read<{ items: SignalDetail[] }>(
    `/api/signals?status=all&detail=true&user=${publisher.id}`,
  );
  expect(list.items).toEqual([await publisher.detail(done.id), await publisher.detail(open.id)]);
  expect(ENDPOINTS.signals.response.parse(list)).toStrictEqual(list as never);
  expect(await codeOf(await publisher.get('/api/signals?detail=1'))).toEqual([400, 'invalid_parameter']);
});

test('each set of stream options is a sequence of its own, live and resumed', async () => {
  const sets = [{}, { closes: true }, { fills: true }, { changes: true }, { closes: true, fills: true, changes: true }];
  const subscribe = async (options: Message): Promise<{ stream: StreamClient; notice: Message }> => {
    const stream = await StreamClient.open(`${service.wsUrl}/ws/signals`, publisher.issued.key);
    return { stream, notice: await stream.ask({ action: 'subscribe', symbols: ['EURUSD'], seq: true, ...options }) };
  };
  const live = await Promise.all(sets.map(subscribe));
  const { id } = await publisher.open({ ...TERMS, targets: TARGETS }, market);
  await publisher.amended(id, 1.083);
  await Bun.sleep(2);
  await market.quote('EURUSD', 1.0851, 1.0852);
  await publisher.once(id, ({ exits }) => exits.length === 1);
  await publisher.closed(id, market);
  const kindOf = (message: Message): string =>
    String(message.change ?? message.close_reason ?? message.state ?? 'published');
  const expected = [
    ['published'],
    ['published', 'manual'],
    ['published', 'open'],
    ['published', 'amended', 'exited'],
    ['published', 'open', 'amended', 'exited', 'manual'],
  ];
  for (const [at, { stream, notice }] of live.entries()) {
    const messages = await stream.take(expected[at]!.length, isData);
    expect(messages.map(kindOf)).toEqual(expected[at]!);
    for (const [index, message] of messages.entries()) {
      expect(message.id).toBe(id);
      if (index > 0) expect(message.prev).toBe(messages[index - 1]!.seq!);
    }
    stream.close();
    const from = { epoch: String(notice.epoch), seq: Number(notice.seq) };
    const { stream: resumed } = await subscribe({ ...sets[at], resume_from: from });
    expect(await resumed.take(messages.length, isData)).toEqual(messages);
    resumed.close();
  }
});
