// Passwords: what is good enough for one, and argon2id, which is the runtime's own. A hash costs memory and time on purpose,
// so only a few are worked out at once and no more than a queue of them wait.
import { PASSWORD_LENGTH, PASSWORD_RULE } from '@tickwire/contract';
import { ApiError } from '../http/api-error.ts';
import { COMMON_PASSWORDS } from './common-passwords.ts';

/** OWASP's parameters for argon2id: 19 MiB, two passes. */
const COST = { algorithm: 'argon2id', memoryCost: 19_456, timeCost: 2 } as const;
const AT_ONCE = 2;
const MAX_WAITING = 50;

/** The hash of something nobody knows: who names no account waits as long as who names one. */
const NOBODYS =
  '$argon2id$v=19$m=19456,t=2,p=1$96MFv8ExiVK4PDS1wbXsfF1lud++s6x0NiIoneJO0bE$jtiR/It2w5koWB2Clir1F4bZoNxM6bCyLfsFC/Dn+hA';

/** The same letters may be written in two ways; people cannot see which. */
const normal = (password: string): string => password.normalize('NFC');

/** Throws a 400 that names the parameter and not its value. */
export function checkPassword(password: string, name: string, parameter: string): void {
  const length = [...normal(password)].length;
  const folded = normal(password).toLowerCase();
  const good =
    length >= PASSWORD_LENGTH.min &&
    length <= PASSWORD_LENGTH.max &&
    folded !== name.trim().normalize('NFC').toLowerCase() &&
    !COMMON_PASSWORDS.has(folded) &&
    new Set(folded).size > 2;
  if (good) return;
  throw new ApiError('invalid_parameter', `${parameter} must be ${PASSWORD_RULE}`, {
    errors: [{ parameter, value: null, allowed: PASSWORD_RULE }],
  });
}

export const hashPassword = (password: string): Promise<string> => Bun.password.hash(normal(password), COST);

export class Passwords {
  #running = 0;
  readonly #waiting: (() => void)[] = [];

  hash(password: string): Promise<string> {
    return this.#inQueue(() => hashPassword(password));
  }

  /** `hash` is null where there is no account, or one without a password: it takes the same time, and is wrong. */
  verify(password: string, hash: string | null): Promise<boolean> {
    // Longer ones cannot be right, and would only cost.
    const tried = password.length > 4 * PASSWORD_LENGTH.max ? '' : normal(password);
    return this.#inQueue(async () => (await Bun.password.verify(tried, hash ?? NOBODYS)) && hash !== null);
  }

  async #inQueue<T>(work: () => Promise<T>): Promise<T> {
    if (this.#running >= AT_ONCE) {
      if (this.#waiting.length >= MAX_WAITING)
        throw new ApiError('too_many_attempts', 'Too many people sign in at this moment.', {
          headers: { 'Retry-After': '5' },
        });
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    } else this.#running++;
    try {
      return await work();
    } finally {
      const next = this.#waiting.shift();
      if (next) next();
      else this.#running--;
    }
  }
}
