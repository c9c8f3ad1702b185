import { expect, test } from 'bun:test';
import { silentLog } from '../ops/log.ts';
import { AccountWatch } from './account-watch.ts';
import type { AlertJudge } from './alert-judge.ts';
import { SubscriptionList } from './subscription-list.ts';

test('an account that is not known keeps everything, and one that was deleted is forgotten once', async () => {
  const forgotten: string[] = [];
  const removed: string[] = [];
  const rows = [
    { id: 'alr_1', account: 'pub_unknown' },
    { id: 'alr_2', account: 'pub_deleted' },
  ];
  const judge = {
    rows: { all: () => rows, of: (account: string) => rows.filter((row) => row.account === account) },
    remove: (id: string) => removed.push(id),
  } as unknown as AlertJudge;
  const warned: unknown[] = [];
  const forgottenPreferences: string[] = [];
  const watch = new AccountWatch({
    store: { forgetAccount: async (account) => void forgotten.push(account), putAlert: async () => {} },
    judge,
    writer: { drain: async () => {} },
    subscriptions: new SubscriptionList(),
    preferences: { forget: (account) => void forgottenPreferences.push(account) },
    accountOf: () => undefined,
    deletedAccounts: () => ['pub_deleted', 'pub_without_alerts'],
    log: { ...silentLog, warn: (_, fields) => void warned.push(fields) },
  });
  await watch.run();
  await watch.run();
  expect(forgotten).toEqual(['pub_deleted', 'pub_without_alerts']);
  expect(forgottenPreferences).toEqual(forgotten);
  expect(removed).toEqual(['alr_2']);
  expect(warned).toEqual([{ account: 'pub_unknown' }]);
});
