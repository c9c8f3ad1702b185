// seq, prev and epoch: a client has lost nothing while each prev equals the last seq of the symbol.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { CHANNELS, type Channel } from '@tickwire/contract';
import { alertEvent } from '../../testing/alerts.fixture.ts';
import { expectContinuity } from '../../testing/continuity.fixture.ts';
import { newsEvent } from '../../testing/news.fixture.ts';
import { type RunningService, startService } from '../../testing/service.fixture.ts';
import { closedEvent, signalEvent } from '../../testing/signals.fixture.ts';
import { isData, StreamClient } from '../../testing/stream-client.fixture.ts';

let service: RunningService;
let key: string;
let account: string;
beforeAll(async () => {
  service = await startService({ sim_rate: '2000' });
  const issued = await service.key('premium');
  key = issued.key;
  account = issued.account.publicId;
});
afterAll(() => service.stop());

const open = (channel: Channel): Promise<StreamClient> => StreamClient.open(`${service.wsUrl}/ws/${channel}`, key);

describe('continuity', () => {
  test.each(['market', 'orderflow'] as const)(
    'holds on /ws/%s from the snapshot on, for every symbol',
    async (channel) => {
      const stream = await open(channel);
      const { epoch } = await stream.ask({ action: 'subscribe', symbols: ['*'], seq: true });
      const data = await stream.take(800, isData);
      stream.close();
      expectContinuity(data);
      expect(new Set(data.map((message) => message.epoch))).toEqual(new Set([epoch]));
      // Snapshots come first and repeat older numbers; live messages rise as one sequence over all symbols.
      const live = data.slice(new Set(data.map(({ symbol }) => symbol)).size).map(({ seq }) => Number(seq));
      for (let at = 1; at < live.length; at++) expect(live[at]!).toBeGreaterThan(live[at - 1]!);
    },
  );

  test('two clients of one symbol get the same numbers, whenever they subscribed', async () => {
    const [early, late] = await Promise.all([open('market'), open('market')]);
    await early.ask({ action: 'subscribe', symbols: ['EURUSD'], seq: true });
    await early.take(20, isData);
    await late.ask({ action: 'subscribe', symbols: ['EURUSD'], seq: true });
    const seen = (await late.take(20, isData)).slice(1).map(({ seq }) => seq);
    await early.next((message) => Number(message.seq) >= Number(seen.at(-1)));
    early.close();
    late.close();
    const all = early.messages.filter(isData).map(({ seq }) => seq);
    const from = all.indexOf(seen[0]);
    expect(all.slice(from, from + seen.length)).toEqual(seen);
  });

  // Simulated markets have no perpetuals; market/streams/perpetual-stream.test.ts has theirs.
  test.each(CHANNELS.filter((channel) => channel !== 'perpetual'))(
    'its fields are absent on /ws/%s unless requested',
    async (channel) => {
      const stream = await open(channel);
      const answer = await stream.ask({ action: 'subscribe', symbols: ['BTCUSD'] });
      expect(answer).not.toHaveProperty('epoch');
      if (channel === 'signals') service.app.journal.append([signalEvent('sig_plain', 'BTCUSD')]);
      if (channel === 'news') service.app.journal.append([newsEvent('plain', { symbols: ['BTCUSD'] })]);
      if (channel === 'alerts') service.app.journal.append([alertEvent('fir_plain', { symbol: 'BTCUSD' }, account)]);
      const message = await stream.next(isData);
      for (const field of ['seq', 'prev', 'epoch']) expect(message).not.toHaveProperty(field);
      stream.close();
    },
  );

  test('a subscription can be changed to seq and back', async () => {
    const stream = await open('market');
    await stream.ask({ action: 'subscribe', symbols: ['EURUSD'] });
    await stream.ask({ action: 'subscribe', symbols: ['EURUSD'], seq: true });
    expectContinuity(await stream.take(10, isData));
    await stream.ask({ action: 'subscribe', symbols: ['EURUSD'] });
    for (const message of await stream.take(5, isData)) expect(message).not.toHaveProperty('seq');
    stream.close();
  });
});

describe('signals', () => {
  test('without symbols are sent for all of them, without status, and with closings only if requested', async () => {
    const [plain, closes] = await Promise.all([open('signals'), open('signals')]);
    await plain.ask({ action: 'subscribe', seq: true });
    await closes.ask({ action: 'subscribe', seq: true, closes: true });
    const one = signalEvent('sig_one');
    const other = signalEvent('sig_other', 'XAUUSD');
    const two = signalEvent('sig_two');
    service.app.journal.append([one, other]);
    service.app.journal.append([closedEvent(one)]);
    service.app.journal.append([two]);
    const published = await plain.take(3, isData);
    const everything = await closes.take(4, isData);
    expect(published.map(({ id }) => id)).toEqual(['sig_one', 'sig_other', 'sig_two']);
    for (const message of published) expect(message).not.toHaveProperty('status');
    expect(everything.map(({ id, status, pnl }) => [id, status, pnl])).toEqual([
      ['sig_one', undefined, undefined],
      ['sig_other', undefined, undefined],
      ['sig_one', 'closed', 60],
      ['sig_two', undefined, undefined],
    ]);
    expect(everything[2]).toMatchObject({
      close_reason: 'take_profit',
      pnl_percent: 0.5535,
      pnl_r: 2,
      exit_price: 1.09,
    });
    // prev names a message that this client was sent.
    expectContinuity(published);
    expectContinuity(everything);
    expect(published[2]!.prev).toBe(published[0]!.seq);
    expect(everything[3]!.prev).toBe(everything[2]!.seq);
    await plain.ask({ action: 'ping' });
    expect(plain.messages.filter(isData)).toHaveLength(3);
    plain.close();
    closes.close();
  });

  test('of other symbols are not sent, and none is sent twice', async () => {
    const stream = await open('signals');
    await stream.ask({ action: 'subscribe', symbols: ['xauusd'], closes: true });
    const gold = signalEvent('sig_gold', 'XAUUSD');
    service.app.journal.append([signalEvent('sig_euro'), gold, closedEvent(gold)]);
    await stream.take(2, isData);
    await stream.ask({ action: 'ping' });
    expect(stream.messages.filter(isData).map(({ id }) => id)).toEqual(['sig_gold', 'sig_gold']);
    stream.close();
  });

  test('start without a snapshot', async () => {
    const stream = await open('signals');
    await stream.ask({ action: 'subscribe' });
    await stream.ask({ action: 'ping' });
    expect(stream.messages.filter(isData)).toEqual([]);
    stream.close();
  });
});
