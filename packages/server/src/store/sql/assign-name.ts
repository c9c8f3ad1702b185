// Assigns a display name to an account. A name never passes to another account, nor does a name that looks like it.
import type { Kysely } from 'kysely';
import { NameTakenError } from '../access-store.ts';
import { skeletonsOf } from '../names/name-skeleton.ts';
import type { AccessTables } from './access-tables.ts';

/** Must be called in a transaction. Throws a NameTakenError. */
export async function assignName(
  tables: Kysely<AccessTables>,
  accountId: number,
  name: string,
  at: number,
): Promise<void> {
  const folded = name.toLowerCase();
  // Insert first, then check: another process may be assigning the same name right now.
  const inserted = await tables
    .insertInto('names')
    .values({ name: folded, account_id: accountId, given_at: at })
    .onConflict((conflict) => conflict.column('name').doNothing())
    .executeTakeFirst();
  const owner = await tables.selectFrom('names').select('account_id').where('name', '=', folded).executeTakeFirst();
  if (owner?.account_id !== accountId)
    throw new NameTakenError(`the name "${name}" is or was in use by another account`);
  // The account had the name before. In earlier releases another one may have got a name that looks like it.
  if (Number(inserted.numInsertedOrUpdatedRows ?? 0) === 0) return;
  // Sorted, so that two processes do not wait for each other.
  for (const skeleton of skeletonsOf(name).sort()) {
    await tables
      .insertInto('name_skeletons')
      .values({ skeleton, account_id: accountId })
      .onConflict((conflict) => conflict.column('skeleton').doNothing())
      .execute();
    const holder = await tables
      .selectFrom('name_skeletons')
      .select('account_id')
      .where('skeleton', '=', skeleton)
      .executeTakeFirst();
    if (holder?.account_id !== accountId)
      throw new NameTakenError(`the name "${name}" looks like a name that is or was in use by another account`);
  }
}
