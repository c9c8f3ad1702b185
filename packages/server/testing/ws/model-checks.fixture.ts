// The end of a model run: every client reads everything, is checked and disconnects; nothing may remain of it.
import { expect } from 'bun:test';
import type { ModelClient } from './model-client.fixture.ts';
import { type ModelGateway, SYMBOLS } from './model-gateway.fixture.ts';

const FLAGS = [false, true];
const SIGNAL_OPTIONS = FLAGS.flatMap((closes) =>
  FLAGS.flatMap((fills) => FLAGS.map((changes) => ({ closes, fills, changes }))),
);

export async function finishAndCheck(gateway: ModelGateway<ModelClient>): Promise<void> {
  const { clock } = gateway;
  for (const each of gateway.clients) {
    each.reading = true;
    each.read(Number.POSITIVE_INFINITY);
    each.connect();
  }
  for (let round = 0; round < 8; round++) {
    await clock.pass(1_100);
    gateway.sweep();
  }
  await clock.pass(1_100);
  expect(gateway.faults).toEqual([]);
  for (const each of gateway.clients) each.check();
  for (const each of gateway.clients) each.disconnect();
  await expectNothingLeft(gateway);
}

async function expectNothingLeft(gateway: ModelGateway<ModelClient>): Promise<void> {
  const { replays, clock } = gateway;
  await clock.pass(50);
  // A throttled topic that was not removed would set a timer.
  for (const of of SYMBOLS) gateway.quote(of, 1);
  for (const of of SYMBOLS) {
    const topics = [
      gateway.topic('market', of),
      gateway.topic('orderflow', of),
      ...SIGNAL_OPTIONS.map((options) => gateway.topic('signals', of, options)),
    ];
    for (const { name, hasSubscribers, conflated, throttled, followers } of topics)
      expect({ name, hasSubscribers, conflated: conflated.size, throttled, followers }).toEqual({
        name,
        hasSubscribers: false,
        conflated: 0,
        throttled: [],
        followers: [],
      });
  }
  expect(replays.active).toBe(0);
  expect(clock.waiting).toBe(0);
}
