// A store of deliveries whose calls wait before or after they take effect, or fail after they took effect: what happens on a
// database across a network.
import type { DeliveryStore } from '../../src/store/delivery-store.ts';

export type StoreCall = keyof DeliveryStore;

/** `before` and `after`: called around each call, with its name. What `after` throws is the result of the call. */
export function delayedStore(
  store: DeliveryStore,
  { before, after }: Partial<Record<'before' | 'after', (call: StoreCall) => Promise<void>>>,
): DeliveryStore {
  return new Proxy(store, {
    get(target, name: StoreCall) {
      const call = target[name] as (...values: unknown[]) => Promise<unknown>;
      return async (...values: unknown[]) => {
        await before?.(name);
        const result = await call(...values);
        await after?.(name);
        return result;
      };
    },
  });
}
