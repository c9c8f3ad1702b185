// A password for who lost theirs. It is made here, so that no weak one is chosen in a hurry, and every session ends: whoever
// else knew the old one is out.
import { randomSecret } from '../access/key-format.ts';
import type { AccessStore, Account } from '../store/store.ts';
import { hashPassword } from './passwords.ts';

/** 100 random bits, in groups that can be typed. */
const LENGTH = 20;

/** The new password, which is stored nowhere. */
export async function resetPassword(store: AccessStore, { id }: Account): Promise<string> {
  const password = randomSecret()
    .slice(0, LENGTH)
    .replace(/(.{5})(?=.)/g, '$1-');
  await store.setPassword(id, await hashPassword(password));
  const sessions = (await store.sessions()).filter(({ accountId }) => accountId === id);
  await store.endSessions(sessions.map((session) => session.id));
  return password;
}
