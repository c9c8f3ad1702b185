// A subscription says which options were ignored and which rate was rounded, and nothing if there is nothing to say.
import { afterAll, beforeAll, expect, test } from 'bun:test';
import type { Channel } from '@tickwire/contract';
import { type RunningService, startService } from '../../testing/service.fixture.ts';
import { type Message, StreamClient } from '../../testing/stream-client.fixture.ts';

let service: RunningService;
let key: string;
beforeAll(async () => {
  service = await startService({ feeds: 'push' });
  key = (await service.key('premium')).key;
});
afterAll(() => service.stop());

async function subscribe(channel: Channel, options: Message, header = true): Promise<Message> {
  const stream = await StreamClient.open(`${service.wsUrl}/ws/${channel}`, header ? key : undefined);
  const answer = await stream.ask({ action: 'subscribe', symbols: ['EURUSD'], ...options });
  stream.close();
  return answer;
}
const unknown = (option: string): object => ({ option, message: 'Unknown option; it was ignored.' });

test('names unknown options', async () => {
  const answer = await subscribe('market', { maxRate: 5, seqs: true });
  expect(answer).toMatchObject({ event: 'subscribed', symbols: ['EURUSD'] });
  expect(answer.warnings).toEqual([unknown('maxRate'), unknown('seqs')]);
  expect((await subscribe('news', { api_key: key, detail: true }, false)).warnings).toEqual([unknown('detail')]);
});

test('names unknown options when it ends, since a misspelt "symbols" ends everything', async () => {
  for (const channel of ['market', 'news'] as const) {
    const stream = await StreamClient.open(`${service.wsUrl}/ws/${channel}`, key);
    await stream.ask({ action: 'subscribe', symbols: ['EURUSD'] });
    const answer = await stream.ask({ action: 'unsubscribe', symbol: 'GBPUSD', id: 1 });
    expect(answer).toEqual({ event: 'unsubscribed', symbols: [], rejected: [], id: 1, warnings: [unknown('symbol')] });
    expect(await stream.ask({ action: 'unsubscribe' })).not.toHaveProperty('warnings');
    stream.close();
  }
});

test('names an option of another channel', async () => {
  const message = 'Only available on /ws/signals; it was ignored.';
  expect((await subscribe('market', { closes: true })).warnings).toEqual([{ option: 'closes', message }]);
  expect(await subscribe('signals', { closes: true })).not.toHaveProperty('warnings');
});

test('bounds the warnings', async () => {
  const options = Object.fromEntries(Array.from({ length: 100 }, (_, at) => [`${at}${'x'.repeat(100)}`, 1]));
  const { warnings } = (await subscribe('market', options)) as { warnings: { option: string }[] };
  expect(warnings.map(({ option }) => option.length)).toEqual(Array(10).fill(64));
});

test('states the rate that max_rate was rounded to', async () => {
  expect(await subscribe('market', { max_rate: 7 })).toMatchObject({ max_rate: 5 });
  expect(await subscribe('orderflow', { max_rate: 0.3 })).toMatchObject({ max_rate: 0.2 });
  expect(await subscribe('market', { channel: 'bars', timeframe: '1m', max_rate: 999 })).toMatchObject({
    max_rate: 500,
  });
});

test('adds nothing to the documented answer otherwise', async () => {
  const documented = { event: 'subscribed', symbols: ['EURUSD'], rejected: [] };
  for (const options of [{}, { max_rate: 5 }, { delivery: 'all', heartbeat: 5 }])
    expect(await subscribe('market', { ...options, id: 'a' })).toEqual({ ...documented, id: 'a' });
});

test('takes interval for timeframe, and refuses two that differ', async () => {
  const bars = { event: 'subscribed', bars: [{ timeframe: '5m', symbols: ['EURUSD'] }] };
  const answer = await subscribe('market', { channel: 'bars', interval: '5m' });
  expect(answer).toMatchObject(bars);
  expect(answer).not.toHaveProperty('warnings');
  expect(await subscribe('market', { channel: 'bars', interval: '5m', timeframe: '1m', id: 4 })).toMatchObject({
    event: 'error',
    code: 'invalid_message',
    id: 4,
  });
});
