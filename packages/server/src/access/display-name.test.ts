import { describe, expect, test } from 'bun:test';
import { rmSync } from 'node:fs';
import { temporaryFolder } from '../../testing/service.fixture.ts';
import { openSqliteAccessStore } from '../store/sqlite/open-sqlite-store.ts';
import { AccessError } from './access-error.ts';
import { checkName, isReservedName } from './display-name.ts';
import { createAccount } from './issue-key.ts';

describe('a display name', () => {
  test.each([
    ['  Ada ', 'Ada'],
    ['Ａｄａ', 'Ada'],
    ['ﬁn.desk', 'fin.desk'],
    ['Zoe\u0308', 'Zoë'],
    ['東京 7', '東京 7'],
    ['x'.repeat(48), 'x'.repeat(48)],
  ])('%j is stored as %j', (given, stored) => {
    expect(checkName(given)).toBe(stored);
  });

  test.each(['', ' ', '-a', 'a\tb', 'x'.repeat(49), 'a\u200bb', 'a\u3164', 'pub_0123456789ABCDEF', '<b>', 'a\u202eb'])(
    '%j is rejected',
    (given) => {
      expect(() => checkName(given)).toThrow(AccessError);
    },
  );

  test('is reserved if it looks like one that speaks for the service', () => {
    const names = ['admin', 'ADMIN', 'аdmin', 'adm1n', 'Operator', 'tick wire', 'S.u.p.p.o.r.t', '0wner'];
    expect(names.filter((name) => !isReservedName(name))).toEqual([]);
    const more = [
      'Admín',
      'admins',
      'Admin 2',
      'the admin',
      'Tickwire Support',
      'tickwire-official',
      'Оperators',
      'anonymous',
    ];
    expect(more.filter((name) => !isReservedName(name))).toEqual([]);
    expect(
      [
        'Ada',
        'Support Levels',
        'System Trader',
        'Modus',
        'Staffan',
        'Administrata',
        'demo',
        'House Trend',
        'The Owner',
      ].filter(isReservedName),
    ).toEqual([]);
  });

  test('that is taken and too long for a suffix is rejected, not cut', async () => {
    const folder = temporaryFolder();
    const { access: store, close } = openSqliteAccessStore(folder);
    const by = { store, actor: 'test', now: 1 };
    const long = 'a long name of forty-three characters, no.1'.replace(',', '');
    await createAccount(by, long, 'free', true);
    await expect(createAccount(by, long, 'free', true)).rejects.toThrow(AccessError);
    expect((await createAccount(by, 'short', 'free', true)).name).toBe('short');
    expect((await createAccount(by, 'short', 'free', true)).name).toMatch(/^short [0-9a-z]{6}$/);
    close();
    rmSync(folder, { recursive: true, force: true });
  });
});
