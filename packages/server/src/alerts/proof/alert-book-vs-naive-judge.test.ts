// The engine's alert book against the naive judge, on a few hundred recorded events. The slow proof has
// thousands of alerts.
import { describe, expect, test } from 'bun:test';
import { AlertTrial } from '../../../testing/alerts/alert-trial.fixture.ts';
import { overWeekend } from '../../../testing/alerts/over-weekend.fixture.ts';
import { RECORDED_MARKETS } from '../../../testing/alerts/recorded-markets.fixture.ts';
import { sameFirings } from '../../../testing/alerts/same-firings.fixture.ts';
import { Random } from '../../../testing/signals/random.fixture.ts';

describe.each(RECORDED_MARKETS)('alerts on $name', ({ spec, ticks }) => {
  test('fire as the naive judge says, in the same order', async () => {
    const random = new Random(18);
    const trial = new AlertTrial(spec, (await ticks()).stretch(random, 500), 100, random);
    const expected = trial.expected();
    expect(expected.length).toBeGreaterThan(20);
    sameFirings(trial.judge(), expected);
  });

  test('fire the same if the book is replaced in between by one with the saved states', async () => {
    const random = new Random(19);
    const trial = new AlertTrial(spec, (await ticks()).stretch(random, 500), 100, random);
    const cuts = Array.from({ length: 5 }, () => random.whole(1, trial.events.length - 1));
    sameFirings(trial.judge(cuts), trial.judge());
  });
});

test('alerts on gold over a weekend fire as the naive judge says, also at the closing and the opening', async () => {
  const random = new Random(22);
  const { spec, ticks } = RECORDED_MARKETS[0]!;
  const trial = new AlertTrial(spec, overWeekend(spec, (await ticks()).stretch(random, 300)), 1600, random);
  const expected = trial.expected();
  for (const session of ['market:closes:', 'market:opens:'])
    expect(expected.some(({ cause }) => cause.startsWith(session))).toBe(true);
  sameFirings(trial.judge(), expected);
  sameFirings(trial.judge([150, 350]), expected);
});
