// Facts derived from alert rows.
import { type AlertChange, type AlertCondition, conditionsOf, type Timeframe } from '@tickwire/contract';
import type { AlertRow } from '../store/alert-store.ts';

/** When an alert that is done fired, or its time was over. */
export const overSince = ({ createdAt, lastFiredAt, expiresAt }: AlertRow): number =>
  Math.max(createdAt, lastFiredAt ?? 0, expiresAt ?? 0);

export const conditionOf = ({ condition }: AlertRow): AlertCondition => JSON.parse(condition) as AlertCondition;

/** Whether a change concerns the judgement. One of the note or the destinations leaves an alert that is over as it is. */
export const isJudgedChange = ({ note: _, deliver: __, ...judged }: AlertChange): boolean =>
  Object.values(judged).some((value) => value !== undefined);

/** Bar of `once_per_bar`: the given one, that of the condition, or one minute. */
export function intervalOf(
  repeat: AlertRow['repeat'],
  interval: Timeframe | null,
  condition: AlertCondition,
): Timeframe | null {
  if (repeat !== 'once_per_bar') return null;
  if (interval) return interval;
  for (const each of conditionsOf(condition)) if ('interval' in each) return each.interval;
  return '1m';
}
