// Assigns a display name to an account. A name never passes to another account, nor does a name that looks like it.
import { NameTakenError } from '../access-store.ts';
import { skeletonsOf } from '../names/name-skeleton.ts';
import { rows, run, type SharedWork } from './shared-work.ts';

/** Must be called in a transaction. Throws a NameTakenError. */
export function* assignName(accountId: number, name: string, at: number): SharedWork<void> {
  const folded = name.toLowerCase();
  // Insert first, then check: another process may be assigning the same name right now.
  yield* run(
    'INSERT INTO names (name, account_id, given_at) VALUES ($1, $2, $3) ON CONFLICT (name) DO NOTHING',
    folded,
    accountId,
    at,
  );
  const [owner] = yield* rows<{ id: number }>('SELECT account_id AS id FROM names WHERE name = $1', folded);
  if (owner?.id !== accountId) throw new NameTakenError(`the name "${name}" is or was in use by another account`);
  // Sorted, so that two processes do not wait for each other.
  for (const skeleton of skeletonsOf(name).sort()) {
    yield* run(
      'INSERT INTO name_skeletons (skeleton, account_id) VALUES ($1, $2) ON CONFLICT (skeleton) DO NOTHING',
      skeleton,
      accountId,
    );
    const text = 'SELECT account_id AS id FROM name_skeletons WHERE skeleton = $1';
    const [holder] = yield* rows<{ id: number }>(text, skeleton);
    if (holder?.id !== accountId)
      throw new NameTakenError(`the name "${name}" looks like a name that is or was in use by another account`);
  }
}
