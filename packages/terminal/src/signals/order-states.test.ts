import { expect, test } from 'bun:test';
import type { SignalDetail } from '@tickwire/client';
import { OrderStates } from './order-states.ts';

const settled = (): Promise<void> => new Promise((resolve) => setTimeout(resolve));

function states(remaining = 600) {
  const asked: string[] = [];
  const known: string[] = [];
  const failures: unknown[] = [];
  const fills = new Map<string, number>();
  const orders = new OrderStates(new AbortController().signal, {
    ask: async (id) => {
      asked.push(id);
      if (id === 'gone') throw new Error('not there');
      return { id, order: 'limit', entry_price: fills.get(id) ?? null } as SignalDetail;
    },
    allowance: () => ({ limit: 600, remaining, resetSeconds: 1 }) as never,
    onKnown: (id) => known.push(id),
    onFailure: (error) => failures.push(error),
  });
  return { orders, asked, known, failures, fills };
}

test('each signal in sight is asked for once', async () => {
  const { orders, asked, known } = states();
  orders.want(['a', 'b']);
  orders.want(['a', 'b']);
  await settled();
  orders.want(['a', 'b']);
  await settled();
  expect(asked).toEqual(['a', 'b']);
  expect(known).toEqual(['a', 'b']);
  expect(orders.of('a')).toMatchObject({ order: 'limit', entryPrice: null });
  expect(orders.of('c')).toBeUndefined();
});

test('nothing is asked while the allowance is low', async () => {
  const { orders, asked } = states(100);
  orders.want(['a']);
  await settled();
  expect(asked).toEqual([]);
});

test('a signal that cannot be had is said, and does not stop the next look', async () => {
  const { orders, asked, failures } = states();
  orders.want(['gone', 'a']);
  await settled();
  orders.want(['a']);
  await settled();
  expect(failures).toHaveLength(1);
  expect(asked).toEqual(['gone', 'a']);
});
