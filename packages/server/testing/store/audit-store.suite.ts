// Requirements on every store: the audit log, its filters and its bounds.

import { describe, expect, test } from 'bun:test';
import type { AuditEntry, AuditFilter } from '../../src/store/audit-store.ts';
import type { Store } from '../../src/store/store.ts';

const ADA = 'pub_000000000000000a';
const BOB = 'pub_000000000000000b';

export function auditStoreContract(current: () => Store): void {
  describe('the audit log', () => {
    const write = async (entries: readonly Partial<AuditEntry>[]): Promise<void> => {
      for (const entry of entries)
        await current().access.audit({ at: 5, actor: 'command line', action: 'key created', subject: '', ...entry });
    };
    const subjects = async (filter: Partial<AuditFilter> = {}): Promise<string> =>
      (await current().access.auditLog({ limit: 100, ...filter })).map(({ subject }) => subject).join('');

    test('is returned newest first, with account and address', async () => {
      await write([{ subject: 'a' }, { subject: 'b', account: ADA, address: '192.0.2.1' }, { subject: 'c' }]);
      expect(await current().access.auditLog({ limit: 2 })).toEqual([
        {
          id: expect.any(Number),
          at: 5,
          actor: 'command line',
          action: 'key created',
          subject: 'c',
          account: null,
          address: null,
        },
        {
          id: expect.any(Number),
          at: 5,
          actor: 'command line',
          action: 'key created',
          subject: 'b',
          account: ADA,
          address: '192.0.2.1',
        },
      ]);
    });

    test('is filtered by account, action and time, and read page by page', async () => {
      await write([
        { subject: 'a', at: 1, account: ADA },
        { subject: 'b', at: 2, account: BOB, actor: ADA },
        { subject: 'c', at: 3, account: BOB, action: 'signed in' },
        { subject: 'd', at: 4, account: ADA, action: 'signed in' },
      ]);
      expect(await subjects({ account: ADA })).toBe('dba');
      expect(await subjects({ action: 'signed in' })).toBe('dc');
      expect(await subjects({ account: ADA, action: 'signed in' })).toBe('d');
      expect(await subjects({ from: 2, to: 4 })).toBe('cb');
      const [, last] = await current().access.auditLog({ limit: 2 });
      expect(await subjects({ before: last!.id })).toBe('ba');
    });

    test('loses entries that are too old, but not those of the service itself', async () => {
      await write([
        { subject: 'a', at: 1 },
        { subject: 'b', at: 1, actor: 'house' },
        { subject: 'c', at: 2 },
      ]);
      await current().access.pruneAudit({ since: 2, maxEntries: 100 });
      expect(await subjects()).toBe('cb');
    });

    test('over its maximum size, loses the oldest failed sign-ins first', async () => {
      await write([
        { subject: 'a' },
        { subject: 'b', action: 'sign-in failed' },
        { subject: 'c', action: 'sign-in failed' },
        { subject: 'd' },
      ]);
      await current().access.pruneAudit({ since: 0, maxEntries: 3 });
      expect(await subjects()).toBe('dca');
      await current().access.pruneAudit({ since: 0, maxEntries: 1 });
      expect(await subjects()).toBe('d');
    });
  });
}
