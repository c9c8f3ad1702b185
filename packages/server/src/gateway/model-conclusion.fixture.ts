// The end of a play of the model: everybody reads on, is judged, and leaves; nothing may be left of them.
import { expect } from 'bun:test';
import { type ModelGateway, SYMBOLS } from './model-gateway.fixture.ts';

/** All read to the end, are judged, and leave. */
export async function conclude(gateway: ModelGateway): Promise<void> {
  const { clock } = gateway;
  for (const each of gateway.readers) {
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
  for (const each of gateway.readers) each.judge();
  for (const each of gateway.readers) each.disconnect();
  await expectNothingLeft(gateway);
}

async function expectNothingLeft(gateway: ModelGateway): Promise<void> {
  const { switchboard, replays, clock } = gateway;
  await clock.pass(50);
  // A line that was forgotten would set a timer.
  for (const of of SYMBOLS) gateway.quote(of, 1);
  for (const of of SYMBOLS) {
    for (const kind of ['market', 'orderflow', 'signals', 'signals_and_closings'] as const) {
      const { heard, owed, followers } = switchboard.line(kind, of);
      expect({ of, kind, heard, owed: owed.size, followers: followers.length }).toEqual({
        of,
        kind,
        heard: false,
        owed: 0,
        followers: 0,
      });
    }
  }
  expect(replays.active).toBe(0);
  expect(clock.waiting).toBe(0);
}
