// The end of a model run: every client reads everything, is checked and disconnects; nothing may remain of it.
import { expect } from 'bun:test';
import { SIGNAL_TOPICS } from '../../src/ws/signal-topics.ts';
import type { ModelClient } from './model-client.fixture.ts';
import { type ModelGateway, SYMBOLS } from './model-gateway.fixture.ts';

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
  const { hub, replays, clock } = gateway;
  await clock.pass(50);
  // A throttled topic that was not removed would set a timer.
  for (const of of SYMBOLS) gateway.quote(of, 1);
  for (const of of SYMBOLS) {
    for (const kind of ['market', 'orderflow', ...SIGNAL_TOPICS.keys()] as const) {
      const { hasSubscribers, conflated, throttled } = hub.topic(kind, of);
      expect({ of, kind, hasSubscribers, conflated: conflated.size, throttled: throttled.length }).toEqual({
        of,
        kind,
        hasSubscribers: false,
        conflated: 0,
        throttled: 0,
      });
    }
  }
  expect(replays.active).toBe(0);
  expect(clock.waiting).toBe(0);
}
