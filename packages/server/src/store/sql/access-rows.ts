// The rows of accounts, keys and sessions, and the records of the store that they become.
import type { KeyRecord } from '../access-store.ts';
import type { Account, SessionRecord } from '../account-store.ts';
import { rows, type SharedWork, type SqlValue } from './shared-work.ts';
import { columnsWithout, storedFields } from './stored-fields.ts';
import * as tables from './tables/access-tables.ts';

export const ACCOUNTS = storedFields(tables.ACCOUNTS);
export const KEYS = storedFields(tables.KEYS, columnsWithout(tables.KEYS, 'demo'));
export const SESSIONS = storedFields(tables.SESSIONS, columnsWithout(tables.SESSIONS, 'confirmed_until'));

export type AccountRow = Omit<Account, 'owner' | 'house' | 'signsIn'> & {
  readonly owner: number;
  readonly house: number;
  readonly password: string | null;
};
export type KeyRow = Omit<KeyRecord, 'scopes'> & { readonly scopes: string };

/** Without the password hash, which only `passwordOf` returns. */
export const accountOf = ({ owner, house, password, ...row }: AccountRow): Account => ({
  ...row,
  owner: owner === 1,
  house: house === 1,
  signsIn: password !== null,
});

export const keyOf = (row: KeyRow): KeyRecord => ({ ...row, scopes: row.scopes.split(',').filter(Boolean) });

export function* accounts(which: string, ...values: readonly SqlValue[]): SharedWork<Account[]> {
  return (yield* rows<AccountRow>(`SELECT ${ACCOUNTS.select} FROM accounts ${which}`, ...values)).map(accountOf);
}

export function* keys(which: string, ...values: readonly SqlValue[]): SharedWork<KeyRecord[]> {
  return (yield* rows<KeyRow>(`SELECT ${KEYS.select} FROM keys ${which}`, ...values)).map(keyOf);
}

export const sessions = (which: string, ...values: readonly SqlValue[]): SharedWork<SessionRecord[]> =>
  rows<SessionRecord>(`SELECT ${SESSIONS.select} FROM sessions ${which}`, ...values);
