import { expect, test } from 'bun:test';
import { asSymbol } from '@tickwire/engine';
import { type SubscriptionOptions, Topic } from './topic.ts';

const newTopic = (timeframe?: '1m'): Topic =>
  new Topic({
    channel: timeframe ? 'bars' : 'market',
    symbol: asSymbol('EURUSD'),
    name: 'market:EURUSD',
    epoch: 'e',
    newest: () => null,
    ...(timeframe && { timeframe }),
  });
const OPTIONS: SubscriptionOptions = { sequenced: false, ms: false, naming: false, latest: false };

function published(topic: Topic, body: string): [string, string][] {
  const sent: [string, string][] = [];
  topic.advance(7, 0, 0);
  topic.publish(body, 1_500, (name, text) => sent.push([name, text]));
  return sent;
}

test('a message is encoded once for all subscribers of a variant, and not at all without subscribers', () => {
  const topic = newTopic();
  expect(published(topic, '{"symbol":"EURUSD"')).toEqual([]);
  const [plain, named, all] = [
    topic.subscription(OPTIONS),
    topic.subscription({ ...OPTIONS, naming: true }),
    topic.subscription({ sequenced: true, ms: true, naming: true, latest: true }),
  ];
  for (const subscription of [plain, plain, named, named, named, all, all]) topic.countSubscribers(subscription, 1);
  expect(published(topic, '{"symbol":"EURUSD"')).toEqual([
    ['market:EURUSD', '{"symbol":"EURUSD"}'],
    ['market:EURUSD#', '{"channel":"market","symbol":"EURUSD"}'],
    ['market:EURUSD+~#', '{"channel":"market","symbol":"EURUSD","time_ms":1500,"seq":7,"prev":7,"epoch":"e"}'],
  ]);
  for (const subscription of [plain, plain, all, all]) topic.countSubscribers(subscription, -1);
  expect(published(topic, '{').map(([name]) => name)).toEqual(['market:EURUSD#']);
});

test('bars name their channel anyway, so that subscribers of both kinds share them', () => {
  const topic = newTopic('1m');
  expect(topic.subscription({ ...OPTIONS, naming: true })).toBe(topic.subscription(OPTIONS));
});
