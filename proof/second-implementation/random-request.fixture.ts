// Random publications near a quote: mostly valid, with levels on the grid of the prices so that ties are frequent.
import { fromTicks } from '@tickwire/engine';
import type { Random } from './random.fixture.ts';
import type { SignalRequest } from './scenario.fixture.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
const LIFETIMES = [
  1,
  1_000,
  3_000,
  5_000,
  10_000,
  30_000,
  59_000,
  60_000,
  62_000,
  64_999,
  90_000,
  300_000,
  DAY_MS,
  30 * DAY_MS,
];
const WHOLE = 10_000;

export interface Market {
  readonly digits: number;
  /** Ticks between the levels of the grid. */
  readonly step: number;
  /** Ticks. */
  readonly bid: number;
  readonly ask: number;
}

export function randomRequest(random: Random, market: Market, at: number): SignalRequest {
  const { digits, step, bid, ask } = market;
  const direction = random.pick(['buy', 'sell'] as const);
  const sign = direction === 'buy' ? 1 : -1;
  const side = sign === 1 ? ask : bid;
  const tolerance = Math.max(ask - bid, Math.floor(side / 10_000));
  const entry = random.weighted({ grid: 6, market: 4, order: 4, edge: 1, far: 0.3 });
  const entries = {
    grid: side + step * random.integer(-4, 4),
    market: side,
    order: side,
    edge: side + random.pick([-1, 1]) * (tolerance + random.integer(0, 1)),
    far: side + random.pick([-1, 1]) * (Math.floor(side / 5) + random.integer(0, 1)),
  };
  const entryTicks = entries[entry];
  const distance = (): number =>
    random.chance(0.04)
      ? Math.floor(entryTicks / 2) + random.integer(0, 1)
      : step * random.integer(1, 5) + near(random);
  const stop = entryTicks - sign * (random.chance(0.03) ? random.integer(-1, ask - bid + 1) : distance());
  const count = random.chance(0.5) ? 1 : random.integer(2, 5);
  const targets: number[] = [];
  for (let k = 0, level = entryTicks; k < count; k++) {
    level += sign * (random.chance(0.02) ? 0 : k === 0 ? distance() : step * random.integer(1, 2));
    targets.push(level);
  }
  const price = (ticks: number): number => fromTicks(ticks, digits);
  const lifetime = random.chance(0.02) ? random.pick([0, -1, 30 * DAY_MS + 1]) : random.pick(LIFETIMES);
  // With the end of a minute, deadlines and missed minutes meet.
  const nextMinute = (Math.floor(at / MINUTE_MS) + 1) * MINUTE_MS;
  const last = price(targets.at(-1)!);
  const single = count === 1 && random.chance(0.8);
  const fractions = randomFractions(random, count);
  return {
    direction,
    ...(entry === 'order' ? marketOrder(random, market) : { entry: noisy(random, price(entryTicks), digits) }),
    stop_loss: price(stop),
    ...((single || random.chance(0.3)) && { take_profit: random.chance(0.03) ? price(targets[0]! + step) : last }),
    ...(!single && { targets: targets.map((ticks, k) => ({ price: price(ticks), fraction: fractions[k]! })) }),
    ...(random.chance(count > 1 ? 0.5 : 0.03) && {
      breakeven_after: random.integer(1, random.chance(0.1) ? count : Math.max(1, count - 1)),
    }),
    ...(random.chance(0.7) && { expires_at: random.chance(0.15) ? nextMinute : at + lifetime }),
  };
}

/** With a limit that the next price often meets exactly, or without one. */
const marketOrder = (random: Random, { digits, step }: Market): Partial<SignalRequest> => ({
  order: 'market',
  ...(random.chance(0.8) && {
    max_slippage: noisy(random, fromTicks(Math.max(0, step * random.integer(0, 3) + near(random)), digits), digits),
  }),
});

/** Rarely with a decimal too many. */
const noisy = (random: Random, price: number, digits: number): number =>
  random.chance(0.01) ? price + 10 ** -(digits + 1) : price;

/** Mostly on the grid, sometimes a tick beside it. */
const near = (random: Random): number => (random.chance(0.85) ? 0 : random.pick([-1, 1]));

function randomFractions(random: Random, count: number): number[] {
  if (random.chance(0.02)) return Array.from({ length: count }, () => random.pick([0, 0.5, 1, 0.33333]));
  let rest = WHOLE;
  return Array.from({ length: count }, (_, index) => {
    const left = count - 1 - index;
    const part = left === 0 ? rest : random.chance(0.2) ? 1 : random.integer(1, rest - left);
    rest -= part;
    return part / WHOLE;
  });
}
