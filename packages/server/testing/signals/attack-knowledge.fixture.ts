// Attackers with an advantage: they see quotes before the service does, know when prices will be missing, or have a friend who
// pushes prices.
import type { Book } from './attack-arena.fixture.ts';
import type { RandomWalk } from './attack-market.fixture.ts';
import { marketPlan, published, type Strategy } from './attack-strategies.fixture.ts';

const FRIEND = 'push:pub_friend';
/** Quotes that an attacker looks at for one opportunity. */
const PATIENCE = 2_000;

const sideOf = ({ bid, ask }: Book, sign: 1 | -1) =>
  sign === 1 ? { entry: ask, exit: bid } : { entry: -bid, exit: -ask };

/** Gain in ticks of a market entry now, if it exits at the best of the next `quotes`. */
export function knownGain(walk: RandomWalk, sign: 1 | -1, quotes: number): number {
  const paid = Math.max(sideOf(walk.arena.book(), sign).entry, sideOf(walk.ahead(1), sign).entry);
  let best = Number.NEGATIVE_INFINITY;
  for (let count = 1; count <= quotes; count++) best = Math.max(best, sideOf(walk.ahead(count), sign).exit);
  return best - paid;
}

/** Enters whenever the next `quotes` pay at least `least` ticks, and takes all of it. */
export const seesAhead =
  (quotes: number, stop: number, least: number): Strategy =>
  (walk) => {
    for (let count = 0; count < PATIENCE; count++) {
      for (const sign of [1, -1] as const) {
        const gain = knownGain(walk, sign, quotes);
        if (gain < Math.max(least, walk.spread, 1)) continue;
        const direction = sign === 1 ? 'buy' : 'sell';
        // The fill may be worse than the entry that is declared.
        const slip = Math.max(0, sideOf(walk.ahead(1), sign).entry - sideOf(walk.arena.book(), sign).entry);
        walk.untilClosed(published(walk, marketPlan(walk, { direction, stop, targets: gain + slip })));
        return;
      }
      walk.next();
    }
  };

/** Knows the next quote alone: enters with it, and closes by hand before it turns. */
export const seesNextQuote: Strategy = (walk) => {
  const { arena } = walk;
  const rises = (): number => Math.sign(walk.ahead(1).bid - arena.book().bid);
  while (rises() === 0) walk.next();
  const sign = rises() as 1 | -1;
  const id = published(walk, marketPlan(walk, { direction: sign === 1 ? 'buy' : 'sell', stop: 40, targets: 400 }));
  walk.untilClosed(id, () => {
    if (arena.isOpen(id) && rises() === -sign) arena.close(id);
  });
};

/** Limit orders in front of the next quote, withdrawn before a quote that does not suit. */
export const withdrawsBeforeNextQuote: Strategy = (walk) => {
  const { arena } = walk;
  const { ask } = arena.book();
  const id = published(walk, { direction: 'buy', entry: ask - 15, stop: ask - 55, targets: ask + 25 });
  walk.untilClosed(id, () => {
    if (!arena.isOpen(id) && walk.ahead(1).ask < ask - 17) arena.close(id);
    if (!arena.isOpen(id) && arena.book().ask > ask + 15) arena.close(id);
  });
};

/** Knows that prices will be missing after `quotes` more: takes what has won by then, and leaves the rest to the gap. */
export const beforeGaps =
  (quotes: number): Strategy =>
  (walk) => {
    const { arena } = walk;
    const id = published(walk, marketPlan(walk, { stop: 60, targets: 60 }));
    for (let count = 1; count <= quotes && !arena.closed.has(id); count++) {
      walk.next();
      if (count === quotes - 2 && arena.isOpen(id) && arena.mark(id) > 0.1) arena.close(id);
    }
    if (!arena.closed.has(id)) {
      arena.gap(60_000);
      walk.next();
      arena.close(id);
    }
    walk.untilClosed(id);
  };

/** Wins at the prices of the venue, and closes losers at a price just below the entry that a friend, or itself, pushes. */
export const losersAtPushedPrices =
  (source = FRIEND): Strategy =>
  (walk) => {
    const { arena } = walk;
    // It is accepted against a quote of the venue.
    walk.next();
    const plan = marketPlan(walk, { direction: 'buy', stop: 40, targets: 20 });
    const id = published(walk, plan);
    walk.untilClosed(id, () => {
      if (!arena.isOpen(id) || arena.mark(id) > -0.3) return;
      for (let times = 0; times < 2; times++) {
        arena.now = (arena.now + 1) as typeof arena.now;
        arena.quote(plan.entry - 1, plan.entry - 1 + walk.spread, { source });
        arena.close(id);
      }
    });
  };
