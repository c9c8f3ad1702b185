// The history that a condition needs when it is set.
import { type AlertCondition, conditionsOf, parseIndicator, TIMEFRAME_MS, type Timeframe } from '@tickwire/contract';
import type { HistoryNeed, Period } from '../market/indicators/indicator.ts';
import { historyNeed } from '../market/indicators/indicators.ts';
import { DAY_MS } from '../market/time.ts';
import type { WarmUpNeed } from './alert.ts';

/** Of indicators that add up everything since a time, or since the beginning. */
export const MAX_WARM_UP_BARS = 20_000;

const PERIOD_DAYS: Readonly<Record<Period, number>> = { day: 1, week: 7, month: 31 };

export function warmUpOf(condition: AlertCondition): readonly WarmUpNeed[] {
  const needs = new Map<Timeframe, WarmUpNeed>();
  for (const each of conditionsOf(condition)) {
    if (each.type !== 'indicator' && each.type !== 'volume' && each.type !== 'delta') continue;
    const { interval } = each;
    const before = needs.get(interval);
    const texts = each.type === 'indicator' ? [each.indicator, ...(each.other === undefined ? [] : [each.other])] : [];
    const bars = texts.map((text) => barsOf(historyNeed(parseIndicator(text)), interval));
    needs.set(interval, {
      interval,
      bars: Math.max(before?.bars ?? 0, ...bars),
      forming: (before?.forming ?? false) || each.type !== 'indicator',
    });
  }
  return [...needs.values()];
}

function barsOf(need: HistoryNeed, interval: Timeframe): number {
  const perDay = DAY_MS / TIMEFRAME_MS[interval];
  switch (need.kind) {
    case 'bars':
      return Math.min(MAX_WARM_UP_BARS, need.count * (need.mayNeedMore ? 2 : 1));
    case 'period':
      return Math.min(MAX_WARM_UP_BARS, Math.ceil(PERIOD_DAYS[need.period] * (need.withPrevious ? 2 : 1) * perDay));
    default:
      return MAX_WARM_UP_BARS;
  }
}
