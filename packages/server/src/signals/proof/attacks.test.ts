// Attacks on the ranking, played with the real parts from acceptance to rank: engine, records, track record, ranking. Each ends
// unranked or refused. Every decision is looked at, so that an attacker may stop at the best moment. 2,000 decisions of each:
// attacks.slow.test.ts. Forged logs are refused in ../verify (record-order, tampering), and jumps over HTTP in
// ../../http/price-jumps.test.ts.
import { describe, expect, test } from 'bun:test';
import { asEpochMs, Engine } from '@tickwire/engine';
import { AttackArena, EURUSD, SPECS, VENUE } from '../../../testing/signals/attack-arena.fixture.ts';
import {
  beforeGaps,
  knownGain,
  losersAtPushedPrices,
  seesAhead,
  seesNextQuote,
  withdrawsBeforeNextQuote,
} from '../../../testing/signals/attack-knowledge.fixture.ts';
import { RandomWalk, type WalkOptions } from '../../../testing/signals/attack-market.fixture.ts';
import {
  ATTACKER,
  marketPlan,
  play,
  published,
  STRATEGIES,
  type Strategy,
} from '../../../testing/signals/attack-strategies.fixture.ts';
import type { Journal } from '../../journal/journal.ts';
import { Intake } from '../../market/intake.ts';
import { SpikeFilter } from '../../market/spike-filter.ts';
import { silentLog } from '../../ops/log.ts';

const FRIEND = 'push:pub_friend';
/** As liquid as a large crypto pair: the spread is small against the moves of 50 ms. */
const LIQUID: Omit<WalkOptions, 'seed'> = { spread: 1, step: 40, interval: 50, start: 6_000_000 };

function expectUnranked(strategy: Strategy, options: WalkOptions, decisions: number): void {
  const played = play(new RandomWalk(options), strategy, decisions);
  expect(played).toMatchObject({ everRanked: false, decisions });
}

/** A market in which `publish` is followed by a quote that fills, and by one at `exit`. */
function tradeAt(arena: AttackArena, exit: number, over: { source?: string; time?: number }, accepted = VENUE): string {
  const later = (ms: number): void => {
    arena.now = asEpochMs(arena.now + ms);
  };
  later(1_000);
  arena.quote(110_000, 110_000, { source: accepted });
  const id = arena.publish(ATTACKER, { direction: 'buy', entry: 110_000, stop: 109_900, targets: 110_100 });
  later(1_000);
  arena.quote(110_000, 110_000);
  later(1_000);
  arena.quote(exit, exit, over);
  return id;
}

test('the yardstick: a publisher who really knows the next 400 ms, in quotes with the time of their arrival, is ranked', () => {
  expect(play(new RandomWalk({ seed: 1, ...LIQUID }), seesAhead(8, 200, 20), 100).everRanked).toBe(true);
});

describe('without knowledge, in a fair market without a spread', () => {
  test.each(Object.entries(STRATEGIES))('%s', (_, strategy) => {
    expectUnranked(strategy, { seed: 1 }, 100);
  });
});

describe('knowledge of the next quote', () => {
  test('is worth nothing at the entry, whose price is the worse of the two', () => {
    const walk = new RandomWalk({ seed: 2 });
    for (let count = 0; count < 1_000; count++, walk.next())
      for (const sign of [1, -1] as const) expect(knownGain(walk, sign, 1)).toBeLessThanOrEqual(0);
  });

  test('is worth nothing for entering and closing by hand', () => {
    expectUnranked(seesNextQuote, { seed: 3 }, 300);
  });

  test('is worth nothing for withdrawing an order', () => {
    expectUnranked(withdrawsBeforeNextQuote, { seed: 4 }, 150);
  });
});

describe('quotes that an attacker sees 200 ms before the service', () => {
  test('lose if they carry the time of the venue: they are older than the publication and do not judge it', () => {
    const walk = new RandomWalk({ seed: 5, ...LIQUID, delay: 200 });
    const played = play(walk, seesAhead(4, 200, 20), 300);
    expect(played).toMatchObject({ everRanked: false, decisions: 300 });
    expect(played.meanR).toBeLessThan(0);
  });

  // AS8 of docs/reference/signals.md.
  test('are an advantage if they carry the time of their arrival, which a rank does not exclude', () => {
    const played = play(new RandomWalk({ seed: 5, ...LIQUID }), seesAhead(4, 200, 20), 300);
    expect(played.everRanked).toBe(true);
    expect(played.meanR).toBeGreaterThan(0.1);
  });

  test('are no advantage where the spread is wider than what the market moves in that time', () => {
    const walk = new RandomWalk({ seed: 6, spread: 60, step: 4, interval: 50 });
    expect(play(walk, seesAhead(4, 600, 1), 100)).toMatchObject({ everRanked: false, decisions: 0 });
  });
});

describe('several accounts', () => {
  test('mirrored: none is ranked', () => {
    const walk = new RandomWalk({ seed: 7 });
    const { arena } = walk;
    for (let turn = 0; turn < 200; turn++) {
      const ids = (['buy', 'sell'] as const).map((direction) =>
        arena.publish(`pub_${direction}`, marketPlan(walk, { direction, stop: 20, targets: 20 })),
      );
      for (const id of ids) walk.untilClosed(id);
      expect(arena.ranking().map(({ rank }) => rank)).toEqual([null, null]);
    }
    for (const { evidence } of arena.ranking()) expect(evidence.decisions).toBe(200);
  });

  test('30 lotteries, ten of them copies of one: none is ranked', () => {
    const walk = new RandomWalk({ seed: 8 });
    const { arena } = walk;
    for (let turn = 0; turn < 60; turn++) {
      const copied = marketPlan(walk, { stop: 8, targets: 80 });
      const ids = Array.from({ length: 30 }, (_, account) =>
        arena.publish(`pub_${account}`, account < 10 ? copied : marketPlan(walk, { stop: 8, targets: 80 })),
      );
      for (const id of ids) walk.untilClosed(id);
      expect(arena.ranking().filter(({ rank }) => rank !== null)).toEqual([]);
    }
  });
});

describe('false prices', () => {
  const decide = (exit: number, over: { source?: string; time?: number }, accepted?: string) => {
    const arena = new AttackArena();
    for (let turn = 0; turn < 60; turn++) {
      const id = tradeAt(arena, exit, over, accepted);
      expect(arena.closed.has(id)).toBe(true);
    }
    return arena.standing(ATTACKER)!;
  };

  test('the same wins at the prices of the venue are ranked', () => {
    expect(decide(110_100, {}).status).toBe('ranked');
  });

  test.each([
    ['a friend pays the targets', 110_100, { source: FRIEND }, VENUE],
    ['the publisher pays the targets', 110_100, { source: `push:${ATTACKER}` }, VENUE],
    ['a friend has the quotes of publication', 110_100, {}, FRIEND],
    ['the publisher has the quotes of publication', 110_100, {}, `push:${ATTACKER}`],
  ] as const)('%s: not ranked, no win counts', (_, exit, over, accepted) => {
    const { status, evidence } = decide(exit, over, accepted);
    expect(status).not.toBe('ranked');
    expect(evidence.sumUnits).toBeLessThanOrEqual(0);
  });

  test('quotes that are dated back to before the publication pay nothing', () => {
    const arena = new AttackArena();
    const time = arena.now;
    const id = tradeAt(arena, 110_100, { time });
    expect([arena.closed.has(id), arena.isOpen(id)]).toEqual([false, true]);
    expect(arena.standing(ATTACKER)!.evidence.decisions).toBe(0);
  });

  test.each([
    ['a friend', FRIEND],
    ['the publisher', `push:${ATTACKER}`],
  ])('losers close at a price pushed by %s', (_, source) => {
    expectUnranked(losersAtPushedPrices(source), { seed: 1 }, 500);
  });
});

test('an open loser hidden by a pushed price counts as a whole loss', () => {
  const arena = new AttackArena();
  tradeAt(arena, 109_910, {});
  arena.quote(110_000, 110_000, { source: FRIEND });
  expect(arena.standing(ATTACKER)!.evidence).toMatchObject({ decisions: 1, sumUnits: -10_000 });
});

test('losers left open for an outage that was announced', () => {
  expectUnranked(beforeGaps(40), { seed: 1 }, 300);
});

test('an open loser counts at the price of the venue', () => {
  const arena = new AttackArena();
  tradeAt(arena, 109_910, {});
  expect(arena.standing(ATTACKER)!.evidence).toMatchObject({ decisions: 1, sumUnits: -9_000 });
});

test('tiny wins while the losers stay open: a loser counts at its mark, and later signals join its decision', () => {
  const eur = new RandomWalk({ seed: 9 });
  const { arena } = eur;
  const sides = (['buy', 'sell'] as const).map((direction) => ({ direction, id: '' }));
  let wins = 0;
  for (let turn = 0; turn < 5_000; turn++) {
    for (const side of sides) {
      if (side.id !== '' && !arena.closed.has(side.id)) continue;
      if (side.id !== '') wins++;
      side.id = published(eur, marketPlan(eur, { direction: side.direction, stop: 2_000, targets: 4 }));
    }
    eur.next();
    if (turn % 50 === 0) expect(arena.standing(ATTACKER)!.status).not.toBe('ranked');
  }
  expect(wins).toBeGreaterThan(30);
  expect(arena.standing(ATTACKER)!.evidence.eValue).toBeLessThan(1.5);
});

describe('bad ticks', () => {
  test('one of 4.9 % in favour of every signal changes nothing, and nothing can be published while it waits', () => {
    const [clean, wicked] = [false, true].map((hasWicks) => {
      const arena = new AttackArena();
      const journal = {
        append: (events: Parameters<AttackArena['event']>[0][], source = VENUE) => {
          for (const event of events) if (event.kind === 'tick') arena.event(event, source);
        },
      } as unknown as Journal;
      const intake = new Intake({
        instruments: SPECS,
        engine: new Engine(SPECS),
        journal,
        log: silentLog,
        spikes: new SpikeFilter(null),
        now: () => arena.now,
      });
      const quote = (price: number): void => {
        arena.now = asEpochMs(arena.now + 1_000);
        const prices = { bid: price, ask: price, bidSize: 0, askSize: 0 };
        intake.accept([{ kind: 'quote', symbol: EURUSD, time: arena.now, ...prices }], VENUE);
      };
      for (let turn = 0; turn < 40; turn++) {
        quote(1.1);
        arena.publish(ATTACKER, { direction: 'buy', entry: 110_000, stop: 109_900, targets: 110_100 });
        quote(1.1);
        if (hasWicks) {
          quote(1.1539);
          expect(intake.isQuarantined(EURUSD)).toBe(true);
        }
        quote(1.1);
        quote(turn % 2 === 0 ? 1.099 : 1.101);
      }
      return arena.standing(ATTACKER)!;
    });
    expect(wicked!.evidence).toMatchObject({ decisions: 40, sumUnits: clean!.evidence.sumUnits });
    expect(wicked!.status).not.toBe('ranked');
  });
});
