// Passwords: the rules for a new one, and hashing with the runtime's argon2id. A hash is expensive on purpose, so few are
// computed at a time and the queue for them is bounded.
import { PASSWORD_LENGTH, PASSWORD_RULE } from '@tickwire/contract';
import { randomSecret } from '../access/key-format.ts';
import { ServiceError } from '../errors/service-error.ts';
import type { Account } from '../store/account-store.ts';
import type { AccessStore } from '../store/store.ts';
import { WorkQueue } from '../work/work-queue.ts';
import { COMMON_PASSWORDS } from './common-passwords.ts';

/** The OWASP parameters for argon2id: 19 MiB, two passes. */
const COST = { algorithm: 'argon2id', memoryCost: 19_456, timeCost: 2 } as const;
const MAX_PARALLEL = 2;
const MAX_WAITING = 50;
/** Further places in the queue for trusted callers, so that a flood of attempts does not lock them out. */
const RESERVED = 20;

/** Hash of an unknown password. It makes a sign-in with an unknown name take as long as one with a known name. */
const DUMMY_HASH =
  '$argon2id$v=19$m=19456,t=2,p=1$96MFv8ExiVK4PDS1wbXsfF1lud++s6x0NiIoneJO0bE$jtiR/It2w5koWB2Clir1F4bZoNxM6bCyLfsFC/Dn+hA';

/** The same accented letter has two encodings that look alike. */
const normalize = (password: string): string => password.normalize('NFC');

/** Throws `invalid_parameter`, without the password in it, if the password breaks the rules. */
export function checkPassword(password: string, name: string, parameter: string): void {
  const length = [...normalize(password)].length;
  const folded = normalize(password).toLowerCase();
  const acceptable =
    length >= PASSWORD_LENGTH.min &&
    length <= PASSWORD_LENGTH.max &&
    folded !== name.trim().normalize('NFC').toLowerCase() &&
    !COMMON_PASSWORDS.has(folded) &&
    new Set(folded).size > 2;
  if (acceptable) return;
  throw new ServiceError('invalid_parameter', `${parameter} must be ${PASSWORD_RULE}`, {
    errors: [{ parameter, value: null, allowed: PASSWORD_RULE }],
  });
}

export const hashPassword = (password: string): Promise<string> => Bun.password.hash(normalize(password), COST);

/** Characters of a generated password: 100 random bits. */
const RESET_LENGTH = 20;

/**
 * Replaces a lost password and returns the new one, which is stored only as a hash. It is generated, so that nobody picks
 * a weak one in a hurry. All sessions of the account end, so whoever knew the old password is signed out.
 */
export async function resetPassword(store: AccessStore, { id }: Account): Promise<string> {
  const password = randomSecret()
    .slice(0, RESET_LENGTH)
    .replace(/(.{5})(?=.)/g, '$1-');
  await store.setPassword(id, await hashPassword(password));
  const sessions = (await store.sessions()).filter(({ accountId }) => accountId === id);
  await store.endSessions(
    sessions.map((session) => session.id),
    Date.now(),
  );
  return password;
}

/** The queue is full. The password was not checked. */
export class PasswordQueueFullError extends ServiceError {
  override name = 'PasswordQueueFullError';

  constructor() {
    super('too_many_attempts', 'The service is busy with other sign-ins. Try again in a moment.', {
      retryAfterSeconds: 5,
    });
  }
}

export class Passwords {
  readonly #queue = new WorkQueue(MAX_PARALLEL);

  /** `trusted` callers may use the reserved places of the queue. */
  hash(password: string, trusted = false): Promise<string> {
    return this.#inQueue(trusted, () => hashPassword(password));
  }

  /** `hash` is `null` if there is no account or it has no password: that takes the same time and returns false. */
  verify(password: string, hash: string | null, trusted = false): Promise<boolean> {
    // Longer ones cannot be correct, so do not spend time on hashing them.
    const tried = password.length > 4 * PASSWORD_LENGTH.max ? '' : normalize(password);
    return this.#inQueue(trusted, async () => (await Bun.password.verify(tried, hash ?? DUMMY_HASH)) && hash !== null);
  }

  async #inQueue<T>(trusted: boolean, work: () => Promise<T>): Promise<T> {
    const result = this.#queue.run(work, MAX_WAITING + (trusted ? RESERVED : 0));
    if (!result) throw new PasswordQueueFullError();
    return result;
  }
}
