// Codes of two-factor sign-in: time-based codes of an authenticator app (TOTP, RFC 6238), and recovery codes. Each code is
// accepted once.
import type { TOTP } from 'otpauth';
import { randomSecret } from '../access/key-format.ts';
import { hashToken } from '../access/sessions.ts';
import { ServiceError } from '../errors/service-error.ts';
import type { Log } from '../ops/log.ts';
import type { SecretBox } from '../store/secret-box.ts';
import type { TwoFactorStore } from '../store/two-factor-store.ts';
import { type QrPath, qrPath } from './qr-path.ts';

const ISSUER = 'Tickwire';
const PERIOD_MS = 30_000;
/** Steps before and after the current one that are accepted, because clocks differ. */
const WINDOW = 1;
const SECRET_BYTES = 20;
const RECOVERY_CODES = 10;
/** Characters of a recovery code: 80 random bits, so a fast hash is enough. */
const RECOVERY_LENGTH = 16;

export interface NewSecret {
  /** Base32, for typing it into an app. */
  readonly secret: string;
  /** `otpauth://…`, for a QR code. */
  readonly uri: string;
  readonly qr: QrPath;
}

export type CodeKind = 'app' | 'recovery';

export class TwoFactor {
  readonly #store: TwoFactorStore;
  readonly #box: SecretBox;
  readonly #log: Pick<Log, 'error'>;

  constructor(store: TwoFactorStore, box: SecretBox, log: Pick<Log, 'error'>) {
    this.#store = store;
    this.#box = box;
    this.#log = log;
  }

  async isActive(accountId: number): Promise<boolean> {
    return ((await this.#store.twoFactorOf(accountId))?.confirmedAt ?? null) !== null;
  }

  /** Starts a set-up; `null` if two-factor sign-in is active. */
  async start({ id, name }: { readonly id: number; readonly name: string }, now: number): Promise<NewSecret | null> {
    const { Secret } = await import('otpauth');
    const secret = new Secret({ size: SECRET_BYTES });
    const sealed = this.#box.seal(secret.base32, String(id));
    if (!(await this.#store.startTwoFactor({ accountId: id, secret: sealed, at: Math.floor(now) }))) return null;
    const uri = (await totp(secret.base32, name)).toString();
    return { secret: secret.base32, uri, qr: qrPath(uri) };
  }

  /** Activates it and returns the recovery codes, which are stored only as hashes; `null` if the state has changed. */
  async activate(accountId: number, now: number): Promise<string[] | null> {
    const codes = Array.from({ length: RECOVERY_CODES }, () => randomSecret().slice(0, RECOVERY_LENGTH));
    const confirmed = await this.#store.confirmTwoFactor(accountId, codes.map(hashToken), Math.floor(now));
    return confirmed ? codes.map((code) => code.replace(/(.{4})(?=.)/g, '$1-')) : null;
  }

  /** Checks a code and uses it up. Returns its kind, or `null` if it is wrong or was used before. */
  async use(accountId: number, code: string, now: number): Promise<CodeKind | null> {
    const typed = code.slice(0, 100).replace(/[\s-]/g, '').toLowerCase();
    if (/^\d{6}$/.test(typed)) return (await this.#useAppCode(accountId, typed, now)) ? 'app' : null;
    if (typed.length !== RECOVERY_LENGTH) return null;
    return (await this.#store.useRecoveryCode(accountId, hashToken(typed), Math.floor(now))) ? 'recovery' : null;
  }

  async #useAppCode(accountId: number, token: string, now: number): Promise<boolean> {
    const record = await this.#store.twoFactorOf(accountId);
    if (!record) return false;
    const secret = this.#open(record.secret, accountId);
    const delta = (await totp(secret, '')).validate({ token, timestamp: now, window: WINDOW });
    if (delta === null) return false;
    return this.#store.useTimeStep(accountId, Math.floor(now / PERIOD_MS) + delta);
  }

  /** Without its key, the service cannot check codes of apps. The operator must know why, and the person what still works. */
  #open(sealed: string, accountId: number): string {
    try {
      return this.#box.open(sealed, String(accountId));
    } catch (error) {
      this.#log.error('a two-factor code cannot be checked', { error });
      throw new ServiceError(
        'store_unavailable',
        'The service cannot check codes of authenticator apps at the moment. Use a recovery code, and tell the operator.',
      );
    }
  }
}

/** The library is loaded with the first code. */
async function totp(secret: string, label: string): Promise<TOTP> {
  const { Secret, TOTP } = await import('otpauth');
  return new TOTP({ issuer: ISSUER, label, secret: Secret.fromBase32(secret), digits: 6, period: PERIOD_MS / 1000 });
}

export const wrongCode = (): ServiceError =>
  new ServiceError('wrong_code', 'The code is wrong, has expired, or was used before. Wait for the next one.');
