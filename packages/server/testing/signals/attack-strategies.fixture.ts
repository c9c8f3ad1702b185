// Ways to trade without skill, each as one decision after the other on a random walk. None of them knows the future.
import { EURUSD, type Plan } from './attack-arena.fixture.ts';
import type { RandomWalk } from './attack-market.fixture.ts';

export const ATTACKER = 'pub_attacker';

/** Plays one decision to its end, or until there is nothing left to decide. */
export type Strategy = (walk: RandomWalk) => void;

/** From the entry, in ticks. */
interface Distances {
  readonly stop: number;
  /** One target, or distances with fractions. */
  readonly targets: number | readonly (readonly [distance: number, fraction: number])[];
}

/** A market entry, in a random direction unless one is given. */
export function marketPlan(
  walk: RandomWalk,
  { stop, targets, ...more }: Distances & Partial<Omit<Plan, keyof Distances>>,
): Plan {
  const buy = (more.direction ?? (walk.random() < 0.5 ? 'buy' : 'sell')) === 'buy';
  const sign = buy ? 1 : -1;
  const entry = buy ? walk.arena.book().ask : walk.arena.book().bid;
  const at = (distance: number): number => entry + sign * distance;
  return {
    symbol: EURUSD,
    direction: buy ? 'buy' : 'sell',
    entry,
    stop: at(-stop),
    targets:
      typeof targets === 'number'
        ? at(targets)
        : targets.map(([distance, fraction]) => ({ price: at(distance), fraction })),
    ...more,
  };
}

/** Publishes a plan that must be accepted. */
export function published(walk: RandomWalk, plan: Plan): string {
  const id = walk.arena.publish(ATTACKER, plan);
  if (!id.startsWith('sig_')) throw new Error(`the attack was rejected: ${id}`);
  return id;
}

const fixed =
  (stop: number, target: number): Strategy =>
  (walk) =>
    walk.untilClosed(published(walk, marketPlan(walk, { stop, targets: target })));

/** Closes by hand as soon as the signal is above `r`. */
const closeAbove =
  (r: number): Strategy =>
  (walk) => {
    const id = published(walk, marketPlan(walk, { stop: 40, targets: 400 }));
    walk.untilClosed(id, () => {
      if (walk.arena.isOpen(id) && walk.arena.mark(id) > r) walk.arena.close(id);
    });
  };

const tinyFraction: Strategy = (walk) => {
  const targets = [
    [3, 0.9999],
    [400, 0.0001],
  ] as const;
  walk.untilClosed(published(walk, marketPlan(walk, { stop: 40, targets, breakevenAfter: 1 })));
};

const breakevenLadder: Strategy = (walk) => {
  const targets = [
    [10, 0.2],
    [20, 0.2],
    [40, 0.2],
    [80, 0.2],
    [160, 0.2],
  ] as const;
  walk.untilClosed(published(walk, marketPlan(walk, { stop: 40, targets, breakevenAfter: 1 })));
};

/** Moves the stop behind every quote. */
const trailing: Strategy = (walk) => {
  const { arena } = walk;
  const plan = marketPlan(walk, { stop: 40, targets: 400 });
  const id = published(walk, plan);
  walk.untilClosed(id, () => {
    const { bid, ask } = arena.book();
    arena.amend(id, plan.direction === 'buy' ? bid - 8 : ask + 8);
  });
};

/** A deadline within the next seconds, and requests around it, also within its grace. */
const expiry: Strategy = (walk) => {
  const { arena } = walk;
  const id = published(
    walk,
    marketPlan(walk, { stop: 40, targets: 30, expiresIn: 1 + Math.floor(9_000 * walk.random()) }),
  );
  walk.untilClosed(id, () => {
    if (!arena.isOpen(id)) return;
    if (arena.mark(id) > 0) arena.close(id);
    else arena.amend(id, arena.book().bid - 1);
  });
};

/** Limit orders on both sides, withdrawn as soon as the other one is filled or the price runs away. */
const withdrawn: Strategy = (walk) => {
  const { arena } = walk;
  const { bid, ask } = arena.book();
  const away = 20;
  const buy = published(walk, { direction: 'buy', entry: ask - away, stop: ask - 60, targets: ask });
  const sell = published(walk, { direction: 'sell', entry: bid + away, stop: bid + 60, targets: bid });
  for (let count = 0; count < 2_000 && !(arena.closed.has(buy) && arena.closed.has(sell)); count++) {
    walk.next();
    for (const [mine, other] of [
      [buy, sell],
      [sell, buy],
    ] as const)
      if (arena.isOpen(other) && !arena.isOpen(mine)) arena.close(mine);
    if (count === 60) for (const id of [buy, sell]) if (!arena.isOpen(id)) arena.close(id);
  }
};

/** Trades below an order that never fills, so that only what went well would be shown. */
const umbrella: Strategy = (walk) => {
  const { arena } = walk;
  const { ask } = arena.book();
  const cover = published(walk, { direction: 'buy', entry: ask - 9_000, stop: ask - 9_100, targets: ask - 8_000 });
  for (let hidden = 0; hidden < 3; hidden++)
    walk.untilClosed(published(walk, marketPlan(walk, { direction: 'buy', stop: 40, targets: 40 })));
  arena.close(cover);
  walk.untilClosed(cover);
};

/** Adds signals to a decision that loses. */
const averaging: Strategy = (walk) => {
  const { arena } = walk;
  const first = published(walk, marketPlan(walk, { direction: 'buy', stop: 60, targets: 60 }));
  const ids = [first];
  walk.untilClosed(first, () => {
    if (ids.length < 5 && arena.isOpen(first) && arena.mark(first) < -0.2 * ids.length)
      ids.push(published(walk, marketPlan(walk, { direction: 'buy', stop: 60, targets: 12 })));
  });
  for (const id of ids) walk.untilClosed(id);
};

/** Both directions at once, the winner closed first. */
const hedged: Strategy = (walk) => {
  const { arena } = walk;
  const ids = (['buy', 'sell'] as const).map((direction) =>
    published(walk, marketPlan(walk, { direction, stop: 60, targets: 60 })),
  );
  const open = (): string[] => ids.filter((id) => !arena.closed.has(id));
  for (let count = 0; count < 20_000 && open().length > 0; count++) {
    walk.next();
    for (const id of open()) if (arena.isOpen(id) && arena.mark(id) > 0.3) arena.close(id);
  }
};

/** Changes the odds with the luck so far: a small bet when ahead, a lottery when behind. */
const adaptive: Strategy = (walk) => {
  const { sum } = walk.arena.results(ATTACKER);
  (sum > 0 ? fixed(20, 5) : fixed(8, 80))(walk);
};

export const STRATEGIES: Readonly<Record<string, Strategy>> = {
  'a coin toss': fixed(20, 20),
  'near targets and far stops': fixed(60, 4),
  'a lottery': fixed(8, 80),
  'winners closed by hand at once': closeAbove(0.05),
  'nearly everything out at a near target, the stop at breakeven': tinyFraction,
  'five targets and breakeven': breakevenLadder,
  'a stop amended behind every quote': trailing,
  'deadlines within seconds, and requests around them': expiry,
  'limit orders, withdrawn unless they suit': withdrawn,
  'trades under the umbrella of a pending order': umbrella,
  'signals added to a losing decision': averaging,
  'both directions at once': hedged,
  'odds that change with the luck so far': adaptive,
};

export interface Played {
  readonly everRanked: boolean;
  readonly bestEValue: number;
  readonly meanR: number;
  readonly decisions: number;
}

/** Plays until `decisions` count, and looks at the ranking after each, as someone who stops at the best moment. */
export function play(walk: RandomWalk, strategy: Strategy, decisions: number): Played {
  let [everRanked, bestEValue, count] = [false, 0, 0];
  for (let turn = 0; count < decisions && turn < 3 * decisions; turn++) {
    strategy(walk);
    const standing = walk.arena.standing(ATTACKER);
    // It found no opportunity.
    if (!standing) break;
    everRanked ||= standing.status === 'ranked';
    bestEValue = Math.max(bestEValue, standing.evidence.eValue);
    count = standing.evidence.decisions;
  }
  const { sum, count: results } = walk.arena.results(ATTACKER);
  return { everRanked, bestEValue, meanR: results === 0 ? 0 : sum / results, decisions: count };
}
