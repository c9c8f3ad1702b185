// From the form of an alert to the requests that create and change it.

import type { Alert, AlertCondition, DeliverTo, NewAlert, NewAlertFields } from '@tickwire/client';
import { HOUR_MS } from '@tickwire/contract/durations.ts';
import type { Choice } from '../ui/form.tsx';
import type { ConditionTexts } from './condition-field.ts';
import { CONDITION_KINDS, CONDITION_TYPES, type ConditionType, textsOf } from './condition-kinds.ts';
import type { FieldTexts } from './read-condition.ts';

/** One condition in the form. */
export interface Row {
  /** Stays the same while others are removed. */
  readonly id: number;
  readonly type: ConditionType;
  readonly texts: ConditionTexts;
}

export const REPEATS: readonly Choice<Alert['repeat']>[] = [
  { value: 'once', text: 'Once' },
  { value: 'once_per_bar', text: 'Once per bar' },
  { value: 'every_time', text: 'Every time' },
];

/** Values are hours. */
export const EXPIRIES: readonly Choice[] = [
  { value: '', text: 'never' },
  { value: '1', text: 'in 1 hour' },
  { value: '24', text: 'in 1 day' },
  { value: '168', text: 'in 7 days' },
  { value: '720', text: 'in 30 days' },
];

/** The conditions that the form shows at first: of the alert, or as the address asks for. */
export function firstRows(alert: Alert | null, query: URLSearchParams): readonly Row[] {
  if (alert === null) {
    const type = CONDITION_TYPES.find((each) => each === query.get('type')) ?? 'price';
    const given = CONDITION_KINDS[type].fields.flatMap(({ name }) => {
      const text = query.get(name);
      return text === null ? [] : [[name, text] as const];
    });
    return [{ id: 0, type, texts: Object.fromEntries(given) }];
  }
  const { condition } = alert;
  const all = condition.type === 'all' ? condition.of : [condition];
  return all.map((each, id) => ({ id, type: each.type, texts: textsOf(each) }));
}

const deliverOf = (values: FieldTexts): DeliverTo[] => values.all('deliver').map((destination) => ({ destination }));

function repeatOf(values: FieldTexts) {
  const repeat = (values.text('repeat') || 'once') as Alert['repeat'];
  const interval = values.text('interval') as NonNullable<Alert['interval']>;
  return {
    repeat,
    ...(repeat === 'once_per_bar' && { interval }),
    cooldown_seconds: repeat === 'once' ? 0 : Number(values.text('cooldown_seconds')),
  };
}

function expiryOf(text: string, now: number): string | null {
  return text === '' ? null : new Date(now + Number(text) * HOUR_MS).toISOString();
}

/** `symbol`: '' for any. */
export function requestOf(values: FieldTexts, symbol: string, condition: AlertCondition, now = Date.now()): NewAlert {
  const note = values.text('note').trim();
  return {
    ...(symbol !== '' && { symbol }),
    condition,
    ...repeatOf(values),
    expires_at: expiryOf(values.text('expires_at'), now),
    deliver: deliverOf(values),
    ...(note !== '' && { note }),
  };
}

/** A condition that did not change is left out: a new one would start over. */
export function changeOf(
  values: FieldTexts,
  condition: AlertCondition,
  alert: Alert,
  now = Date.now(),
): NewAlertFields {
  const [expiry, note] = [values.text('expires_at'), values.text('note').trim()];
  return {
    ...(!sameCondition(condition, alert.condition) && { condition }),
    ...repeatOf(values),
    ...(expiry !== 'keep' && { expires_at: expiryOf(expiry, now) }),
    deliver: deliverOf(values),
    note: note === '' ? null : note,
  };
}

/** Whatever the order of the fields. */
function sameCondition(one: AlertCondition, other: AlertCondition): boolean {
  const sorted = (value: unknown): unknown =>
    Array.isArray(value)
      ? value.map(sorted)
      : typeof value === 'object' && value !== null
        ? Object.entries(value)
            .toSorted(([first], [second]) => (first < second ? -1 : 1))
            .map(([name, each]) => [name, sorted(each)])
        : value;
  return JSON.stringify(sorted(one)) === JSON.stringify(sorted(other));
}
