import { expect, test } from 'bun:test';
import { MINUTE_MS } from '@tickwire/engine';
import type { AccountState } from '../access/account-state.ts';
import { DEFAULT_LOCALE } from '../delivery/channel.ts';
import type { AlertProgress, FiringRow } from '../store/alert-store.ts';
import { DeliveryAllowance } from './delivery-allowance.ts';
import { FIRINGS_PER_MINUTE, FiringLimit } from './firing-limit.ts';
import type { Fired } from './firing-messages.ts';
import type { FiringWriter, NewFiring } from './firing-writer.ts';
import { Outbox } from './outbox.ts';

test('firings per minute of an account are limited, and each alert adds one', () => {
  let now = 5 * MINUTE_MS;
  const limit = new FiringLimit(() => now);
  for (let n = 0; n < FIRINGS_PER_MINUTE; n++) expect(limit.take('a', 'one')).toBe('write');
  expect(['one', 'one', 'two', 'two'].map((alert) => limit.take('a', alert))).toEqual([
    ...(['last', 'leave_out', 'last', 'leave_out'] as const),
  ]);
  expect(limit.take('b', 'three')).toBe('write');
  now += MINUTE_MS;
  expect(limit.take('a', 'one')).toBe('write');
});

test('repeating alerts are limited, alerts that fire once and subscriptions are not', () => {
  const added: NewFiring[] = [];
  const now = () => 0;
  const outbox = new Outbox({
    writer: () => ({ add: (firing: NewFiring) => void added.push(firing) }) as unknown as FiringWriter,
    allowance: new DeliveryAllowance(now),
    limit: new FiringLimit(now),
    accountOf: () => ({ tier: {}, tierName: 'free' }) as AccountState,
    recipientOf: (id) => ({ id, locale: DEFAULT_LOCALE }),
  });
  const write = (n: number, progress: Pick<AlertProgress, 'done'> | null): void =>
    outbox.write(
      { account: 'a', alert: 'alr_1', cause: `seq:${n}`, title: 'EURUSD spread', time: 0, firedAt: 0 } as Fired,
      [],
      { type: 'alert.fired' },
      progress as AlertProgress | null,
      { judgedUntil: n, signalN: 0, newsAt: 0 },
    );
  const titleOf = (row: FiringRow) => (JSON.parse(row.body) as { title: string }).title;
  for (let n = 0; n < FIRINGS_PER_MINUTE + 5; n++) write(n, { done: false });
  expect(added).toHaveLength(FIRINGS_PER_MINUTE + 1);
  expect(titleOf(added.at(-2)!.build().row)).toBe('EURUSD spread');
  expect(titleOf(added.at(-1)!.build().row)).toBe(
    'EURUSD spread. Further firings of this minute are left out: an account has 1000 a minute',
  );
  for (const progress of [null, { done: true }]) for (let n = 0; n < 1_100; n++) write(n, progress);
  expect(added).toHaveLength(FIRINGS_PER_MINUTE + 1 + 2_200);
});
