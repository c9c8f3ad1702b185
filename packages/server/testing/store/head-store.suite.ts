// Requirements on every store: kept heads of the signal log.
import { describe, expect, test } from 'bun:test';
import type { HeadRow, HeadStore, TokenRow } from '../../src/store/head-store.ts';
import type { Store } from '../../src/store/store.ts';

const head = (n: number, at = 1_000 * n): HeadRow => ({
  n,
  hash: `${n}`.padStart(64, '0'),
  at,
  signature: 'ab'.repeat(64),
});
const token = (authority: string, at: number): TokenRow => ({ authority, at, token: btoa(`${authority} ${at}`) });

/** `current` returns the store of the running test. */
export function headStoreContract(current: () => Store): void {
  const store = (): HeadStore => current().heads;

  describe('kept heads', () => {
    test('are listed in order with their tokens, page by page', async () => {
      expect([await store().list(-1, 10), await store().last()]).toEqual([[], undefined]);
      for (const n of [0, 7, 12]) await store().keep(head(n));
      await store().addToken(7, token('https://b.example/tsa', 8_000));
      await store().addToken(7, token('https://a.example/tsa', 7_500));
      const stamped = {
        ...head(7),
        tokens: [token('https://a.example/tsa', 7_500), token('https://b.example/tsa', 8_000)],
      };
      expect(await store().list(-1, 2)).toEqual([{ ...head(0), tokens: [] }, stamped]);
      expect(await store().list(7, 2)).toEqual([{ ...head(12), tokens: [] }]);
      expect(await store().last()).toEqual(head(12));
    });

    test('are kept once per record, with the first token of each authority', async () => {
      expect(await store().keep(head(3, 1_000))).toEqual({ ...head(3, 1_000), tokens: [] });
      await store().addToken(3, token('https://a.example/', 1_500));
      await store().addToken(3, token('https://a.example/', 9_999));
      const kept = { ...head(3, 1_000), tokens: [token('https://a.example/', 1_500)] };
      expect(await store().keep(head(3, 2_000))).toEqual(kept);
      expect(await store().list(-1, 10)).toEqual([kept]);
    });
  });
}
