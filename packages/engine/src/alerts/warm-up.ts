// The history that a condition needs when it is set.
import {
  type AlertCondition,
  conditionsOf,
  parseIndicator,
  parseInstant,
  TIMEFRAME_MS,
  type Timeframe,
} from '@tickwire/contract';
import type { HistoryNeed, Period } from '../market/indicators/indicator.ts';
import { historyNeed } from '../market/indicators/indicators.ts';
import { asEpochMs, DAY_MS } from '../market/time.ts';
import { MAX_WARM_UP_BARS, type WarmUpNeed } from './alert.ts';

const PERIOD_DAYS: Readonly<Record<Period, number>> = { day: 1, week: 7, month: 31 };

export function warmUpOf(condition: AlertCondition): readonly WarmUpNeed[] {
  const needs = new Map<Timeframe, WarmUpNeed>();
  for (const each of conditionsOf(condition)) {
    if (!('interval' in each) || each.type === 'bar_close') continue;
    const { interval } = each;
    const before = needs.get(interval);
    const texts = each.type === 'indicator' ? [each.indicator, ...(each.other === undefined ? [] : [each.other])] : [];
    const bars = texts.map((text) => barsOf(historyNeed(parseIndicator(text)), interval));
    needs.set(interval, {
      interval,
      // The last close tells on which side of the line the price is.
      bars: Math.max(before?.bars ?? 0, each.type === 'trend_line' ? 1 : 0, ...bars),
      since: each.type === 'trend_line' ? asEpochMs(parseInstant(each.time)!) : (before?.since ?? null),
      forming: (before?.forming ?? false) || each.type === 'volume' || each.type === 'delta',
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
