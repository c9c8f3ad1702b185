// The engine's alert book against the naive judge: ten thousand random alerts (in full, a hundred thousand) over real ticks with late ticks, outages
// and backfilled minutes. Every firing must be the same, in the same order, and none may come twice; also if the book is
// replaced in between by a new one with the saved states.
import { expect, test } from 'bun:test';
import { AlertTrial } from '../../../testing/alerts/alert-trial.fixture.ts';
import { overWeekend } from '../../../testing/alerts/over-weekend.fixture.ts';
import { RECORDED_MARKETS } from '../../../testing/alerts/recorded-markets.fixture.ts';
import { sameFirings } from '../../../testing/alerts/same-firings.fixture.ts';
import { atScale } from '../../../testing/scale.fixture.ts';
import { Random } from '../../../testing/signals/random.fixture.ts';

const ALERTS = atScale(10_000, 100_000);
const PER_TRIAL = atScale(500, 2_500);
const TICKS = 1_200;
const LEAST_OF_EACH_TYPE = ALERTS / 1_000;
const TYPES = [
  ...[
    'price',
    'move',
    'bar_close',
    'trend_line',
    'indicator',
    'volume',
    'delta',
    'spread',
    'all',
    'absorption',
    'headline',
  ],
  ...['signal', 'calendar', 'stale', 'market opens', 'market closes'],
];

test(`${ALERTS} random alerts fire as the naive judge says`, async () => {
  const random = new Random(20_240_808);
  const fired = new Map<string, number>();
  for (let judged = 0; judged < ALERTS; judged += PER_TRIAL) {
    const { spec, ticks } = RECORDED_MARKETS[(judged / PER_TRIAL) % RECORDED_MARKETS.length]!;
    const stretch = (await ticks()).stretch(random, TICKS);
    const hasWeekend = spec.hours !== 'always' && random.chance(0.5);
    const trial = new AlertTrial(spec, hasWeekend ? overWeekend(spec, stretch) : stretch, PER_TRIAL, random);
    const expected = trial.expected();
    sameFirings(trial.judge(), expected);
    const cuts = Array.from({ length: 3 }, () => random.whole(1, trial.events.length - 1));
    sameFirings(trial.judge(cuts), expected);
    const types = new Map(
      trial.alerts.map(({ spec: { id, condition } }) => [
        id,
        condition.type === 'market' ? `market ${condition.state}` : condition.type,
      ]),
    );
    for (const { alert } of expected) fired.set(types.get(alert)!, (fired.get(types.get(alert)!) ?? 0) + 1);
  }
  console.log(`firings by type: ${[...fired].map(([type, count]) => `${type} ${count}`).join(', ')}`);
  for (const type of TYPES) expect(fired.get(type) ?? 0, type).toBeGreaterThan(LEAST_OF_EACH_TYPE);
});
