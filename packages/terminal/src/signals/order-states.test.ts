import { expect, test } from 'bun:test';
import type { SignalDetail } from '@tickwire/client';
import { OrderStates } from './order-states.ts';

const settled = (): Promise<void> => new Promise((resolve) => setTimeout(resolve));

function states(remaining = 600) {
  const requested: string[] = [];
  const loaded: string[] = [];
  const errors: unknown[] = [];
  const fills = new Map<string, number>();
  const orders = new OrderStates(new AbortController().signal, {
    load: async (id) => {
      requested.push(id);
      if (id === 'missing') throw new Error('not found');
      return { id, order: 'limit', entry_price: fills.get(id) ?? null } as SignalDetail;
    },
    allowance: () => ({ limit: 600, remaining, resetSeconds: 1 }) as never,
    onLoaded: (id) => loaded.push(id),
    onError: (error) => errors.push(error),
  });
  return { orders, requested, loaded, errors, fills };
}

test('loads each visible signal once', async () => {
  const { orders, requested, loaded } = states();
  orders.request(['a', 'b']);
  orders.request(['a', 'b']);
  await settled();
  orders.request(['a', 'b']);
  await settled();
  expect(requested).toEqual(['a', 'b']);
  expect(loaded).toEqual(['a', 'b']);
  expect(orders.of('a')).toMatchObject({ order: 'limit', entry_price: null });
  expect(orders.of('c')).toBeUndefined();
});

test('loads a signal again after progress was reported', async () => {
  const { orders, requested, fills } = states();
  orders.request(['a']);
  await settled();
  fills.set('a', 1.1);
  orders.outdate('a');
  orders.outdate('never loaded');
  orders.request(['a']);
  await settled();
  orders.request(['a']);
  await settled();
  expect(requested).toEqual(['a', 'a']);
  expect(orders.of('a')).toMatchObject({ entry_price: 1.1 });
});

test('sends no request while the allowance is low', async () => {
  const { orders, requested } = states(100);
  orders.request(['a']);
  await settled();
  expect(requested).toEqual([]);
});

test('reports a signal that cannot be loaded, and loads the next one', async () => {
  const { orders, requested, errors } = states();
  orders.request(['missing', 'a']);
  await settled();
  orders.request(['a']);
  await settled();
  expect(errors).toHaveLength(1);
  expect(requested).toEqual(['missing', 'a']);
});
