// The prices from which a replay starts.
import { expect, test } from 'bun:test';
import { iso, TIERS } from '@tickwire/contract';
import { CATALOGUE, HOUR_MS } from '@tickwire/engine';
import { PAST_FROM, replayOfBars } from '../../testing/replay/replay-of-bars.fixture.ts';
import type { Caller } from '../access/caller.ts';
import type { BarRange } from '../store/store.ts';
import { ReplaySessions } from './replay-sessions.ts';

/** With a pip of 0.01, the sum has more digits. */
const CLOSE = 101.7;
const specs = CATALOGUE.slice(0, 20);

test('have the digits of their instruments if they are made of bars', async () => {
  const past = await replayOfBars(() => Date.UTC(2026, 5, 1));
  const { options } = past;
  const earlier = PAST_FROM - HOUR_MS / 2;
  const read = options.bars.bars;
  const bars = {
    ...options.bars,
    async bars(range: BarRange) {
      const found = await read({ ...range, to: Math.min(range.to, earlier) });
      return found.map((bar) => ({ ...bar, close: CLOSE }));
    },
  };
  const sessions = new ReplaySessions({ ...options, bars });
  const caller = { account: { publicId: 'acc_1', tier: TIERS.premium } } as Caller;
  const range = { from: iso(PAST_FROM), to: iso(PAST_FROM + HOUR_MS), symbols: specs.map(({ symbol }) => symbol) };
  const { id } = await sessions.create(range, caller);
  const asks = await sessions.worlds.use(id, caller, ({ market }) =>
    specs.map(({ symbol }) => market.tick(symbol)?.ask),
  );
  expect(asks).toEqual(specs.map(({ pipSize, digits }) => Number((CLOSE + pipSize).toFixed(digits))));
  await sessions.worlds.stop();
  await past.close();
});
