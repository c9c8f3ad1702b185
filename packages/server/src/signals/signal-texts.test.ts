// Signals as messages: drafts that publish nothing, publications, refusals with the part that was unclear.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test';
import { ENDPOINTS, type Problem, type SignalDraft, type SignalDraftList } from '@tickwire/contract';
import { codeOf, EURO, TestMarket, TestPublisher } from '../../testing/publisher.fixture.ts';
import { type RunningService, startService } from '../../testing/service.fixture.ts';
import { SigningPublisher } from '../../testing/signals/signing.fixture.ts';

let service: RunningService;
let market: TestMarket;
let publisher: TestPublisher;
beforeAll(async () => {
  service = await startService({ feeds: 'push', trusted_sources: 'push' });
  market = await TestMarket.of(service);
});
afterAll(() => service.stop());
beforeEach(async () => {
  publisher = await TestPublisher.of(service);
  await market.quote(...EURO);
});

/** The market is at 1.08400 / 1.08412. */
const BUY = '🔥 EURUSD BUY LIMIT 1.0820\nTP1 1.0860\nTP2 1.0900\nSL 1.0800\nSL to BE after TP1';
const NOW = 'EUR/USD sell now SL 1.0860 TP 1.0800';

const parse = (text: string): Promise<Response> => publisher.post('/api/signals/parse', JSON.stringify({ text }));
const problem = async (response: Response): Promise<Problem> => (await response.json()) as Problem;
async function draft(text: string): Promise<SignalDraft> {
  const list = (await (await parse(text)).json()) as SignalDraftList;
  expect(ENDPOINTS.parseSignal.response.parse(list)).toStrictEqual(list);
  expect(list.count).toBe(1);
  return list.items[0]!;
}
const signalsOf = async ({ id }: TestPublisher): Promise<number> =>
  (await publisher.read<{ count: number }>(`/api/signals?status=all&user=${id}`)).count;

describe('POST /api/signals/parse', () => {
  test('returns the fields of a publication with the parts that they came from, and publishes nothing', async () => {
    expect(await draft(BUY)).toEqual({
      symbol: 'EURUSD',
      direction: 'buy',
      entry: 1.082,
      stop_loss: 1.08,
      take_profit: 1.09,
      targets: [
        { price: 1.086, fraction: 0.5 },
        { price: 1.09, fraction: 0.5 },
      ],
      breakeven_after: 1,
      parts: [
        { field: 'symbol', text: 'EURUSD', start: 2, end: 8 },
        { field: 'direction', text: 'BUY', start: 9, end: 12 },
        { field: 'entry', text: '1.0820', start: 19, end: 25 },
        { field: 'stop_loss', text: '1.0800', start: 51, end: 57 },
        { field: 'targets[0]', text: '1.0860', start: 30, end: 36 },
        { field: 'targets[1]', text: '1.0900', start: 41, end: 47 },
        { field: 'breakeven_after', text: 'SL to BE after TP1', start: 58, end: 76 },
      ],
      notes: [],
    });
    expect(await signalsOf(publisher)).toBe(0);
  });

  test('returns drafts that can be published as they are', async () => {
    const { parts: _, notes: __, ...terms } = await draft(NOW);
    expect(await publisher.published(terms)).toMatchObject({ order: 'market', entry: 1.084, take_profit: 1.08 });
  });

  test('returns several signals of a message', async () => {
    await market.quote('XAUUSD', 3333, 3333.3);
    const response = await parse(`${NOW}\nGold buy 3330 SL 3322 TP 3340`);
    expect(await response.json()).toMatchObject({ count: 2, items: [{ symbol: 'EURUSD' }, { symbol: 'XAUUSD' }] });
  });

  test('refuses an unclear message with a sentence and the part', async () => {
    const response = await parse('EURUSD buy 1.0830-1.0820 SL 1.0800 TP 1.0900');
    expect(response.status).toBe(422);
    expect(await problem(response)).toMatchObject({
      code: 'unclear_signal',
      detail: 'The entry is a range. Write one price.',
      errors: [{ parameter: 'text', value: '1.0820' }],
    });
  });

  test('says how to do what a message asks of a published signal', async () => {
    expect((await problem(await parse('SL to BE'))).detail).toContain('/amend');
    expect((await problem(await parse('Close the trade now'))).detail).toContain('/close');
  });

  test('needs a quote, and a text', async () => {
    expect(await codeOf(await parse('Brent buy 82 SL 81 TP 84'))).toEqual([503, 'no_quote']);
    expect(await codeOf(await parse(''))).toEqual([400, 'invalid_parameter']);
  });
});

describe('POST /api/signals with a text', () => {
  test('publishes what the draft says', async () => {
    const { parts: _, notes: __, targets, breakeven_after, ...levels } = await draft(BUY);
    const signal = await publisher.published({ text: BUY });
    expect(ENDPOINTS.publishSignal.response.parse(signal)).toStrictEqual(signal);
    expect(signal).toMatchObject({ ...levels, order: 'limit', state: 'pending' });
    expect(await publisher.detail(signal.id)).toMatchObject({ targets, breakeven_after });
  });

  test('publishes nothing if the message is unclear, or has several signals', async () => {
    await market.quote('XAUUSD', 3333, 3333.3);
    for (const text of ['EURUSD buy 1.0820 TP 1.0900', `${NOW}\nGold buy 3330 SL 3322 TP 3340`, 'cancel'])
      expect(await codeOf(await publisher.publish({ text }))).toEqual([422, 'unclear_signal']);
    expect(await signalsOf(publisher)).toBe(0);
  });

  test('obeys the rules of any publication', async () => {
    const near = 'EURUSD buy 1.0840 SL 1.08395 TP 1.0900';
    expect(await codeOf(await publisher.publish({ text: near }))).toEqual([422, 'distance_out_of_range']);
  });

  test('publishes once under an Idempotency-Key, even if the market has left the levels behind', async () => {
    const key = { 'Idempotency-Key': 'message-17' };
    const { id } = await publisher.published({ text: NOW }, key);
    await market.quote('EURUSD', 1.09, 1.09012);
    expect(await codeOf(await publisher.publish({ text: NOW }))).toEqual([422, 'unclear_signal']);
    expect((await publisher.published({ text: NOW }, key)).id).toBe(id);
    expect(await codeOf(await publisher.publish({ text: BUY }, key))).toEqual([409, 'idempotency_conflict']);
  });

  test('takes no fields beside the text', async () => {
    const response = await publisher.publish({ text: NOW, stop_loss: 1.086 });
    expect(await codeOf(response)).toEqual([400, 'unknown_parameter']);
  });

  test('is refused for an account with a signing key, because a message cannot be signed', async () => {
    await SigningPublisher.of(service, publisher);
    expect(await codeOf(await publisher.publish({ text: NOW }))).toEqual([403, 'signature_required']);
  });
});
