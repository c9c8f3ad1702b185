// Accounts of people: sign-up, sign-in and sign-out, password changes, deletion. When a call returns, its change is in the
// store and in effect in memory.
import { type Confirmation, type LinkCheck, NAME_RULE, type REGISTRATIONS } from '@tickwire/contract';
import { AccessError } from '../access/access-error.ts';
import type { AccountState } from '../access/account-state.ts';
import type { Caller } from '../access/caller.ts';
import { checkName, isReservedName } from '../access/display-name.ts';
import { giveDemoKeyToOwner } from '../access/first-start.ts';
import { randomId, randomSecret } from '../access/key-format.ts';
import type { Keyring } from '../access/keyring.ts';
import { revokeKeys } from '../access/revoke-keys.ts';
import { hashToken } from '../access/sessions.ts';
import { type Attempt, SignInThrottle } from '../access/sign-in-throttle.ts';
import { ServiceError } from '../errors/service-error.ts';
import { withStoreErrors } from '../errors/store-error.ts';
import { NameTakenError } from '../store/access-store.ts';
import { type Account, InvitationError, type Registration } from '../store/account-store.ts';
import type { AccessStore } from '../store/store.ts';
import type { AccountAudit } from './account-audit.ts';
import type { PasswordChangeForm, SignedIn, SignInOrigin, SignUpForm } from './forms.ts';
import { checkPassword, PasswordQueueFullError, Passwords } from './passwords.ts';
import { type TwoFactor, wrongCode } from './two-factor.ts';

/** Sessions per account. Beyond it, the least recently used one ends. */
const MAX_SESSIONS = 20;
const OWNER_TIER = 'premium';
const SIGN_UP_TIER = 'free';

export interface AccountServiceOptions {
  readonly store: AccessStore;
  readonly keyring: Keyring;
  readonly registration: (typeof REGISTRATIONS)[number];
  readonly twoFactor: TwoFactor;
  readonly audit: AccountAudit;
  /** Default: counts in this process only. */
  readonly throttle?: SignInThrottle;
  /** Waits until the other gateways of a cluster know the changes so far, as long as that takes a moment only. */
  readonly shareChanges?: () => Promise<unknown>;
  readonly now: () => number;
}

export class AccountService {
  readonly registration: AccountServiceOptions['registration'];
  readonly #options: AccountServiceOptions;
  readonly #passwords = new Passwords();
  readonly #throttle: SignInThrottle;
  readonly #audit: AccountAudit;

  constructor(options: AccountServiceOptions) {
    this.#options = options;
    this.registration = options.registration;
    this.#audit = options.audit;
    this.#throttle = options.throttle ?? new SignInThrottle();
  }

  get setupNeeded(): boolean {
    return !this.#options.keyring.hasOwner();
  }

  /** Creates the owner account. */
  async setUp(account: SignUpForm, from: SignInOrigin): Promise<SignedIn> {
    const attempt = await this.#throttle.register(from.address, this.#options.now());
    if (!this.setupNeeded)
      throw new ServiceError('invalid_token', 'The owner account already exists. Sign in instead.');
    return this.#register(account, from, true, attempt);
  }

  /** Whether the token of a setup link (`owner`), or of an invitation, can create an account now. */
  async checkLink(token: string, owner: boolean, address: string): Promise<LinkCheck> {
    const { store, now } = this.#options;
    const attempt = await this.#throttle.register(address, now());
    if (!owner && this.registration === 'closed')
      throw new ServiceError('registration_closed', 'Sign-up is closed on this service.');
    const found = await withStoreErrors(() => store.invitationOf(hashToken(token)));
    const invitation = found?.owner === owner ? found : undefined;
    if (!invitation || invitation.revokedAt !== null) return { valid: false, reason: 'unknown' };
    if (invitation.usedAt !== null || (owner && !this.setupNeeded)) return { valid: false, reason: 'used' };
    if (invitation.expiresAt !== null && invitation.expiresAt <= now()) return { valid: false, reason: 'expired' };
    // Nobody guesses with a valid token, and its form is still to be sent.
    attempt.abandon();
    return { valid: true };
  }

  async signUp(account: SignUpForm, from: SignInOrigin): Promise<SignedIn> {
    const attempt = await this.#throttle.register(from.address, this.#options.now());
    if (this.registration === 'closed')
      throw new ServiceError('registration_closed', 'Sign-up is closed on this service.');
    if (this.registration === 'invitation' && account.token === null)
      throw new ServiceError('registration_closed', 'Sign-up needs an invitation. Ask the operator for one.');
    return this.#register(account, from, false, attempt);
  }

  /** `code`: of two-factor sign-in, if it is enabled. */
  async signIn(name: string, password: string, code: string | null, from: SignInOrigin): Promise<SignedIn> {
    const { keyring, now } = this.#options;
    const folded = name.trim().normalize('NFC').toLowerCase().slice(0, 100);
    const account = keyring.account(folded);
    const known =
      account !== undefined &&
      (keyring.sessions.hasNetwork(account, from.address, now()) ||
        this.#throttle.trusts(from.address, now(), account.publicId));
    const attempt = await this.#throttle.signIn(account?.publicId ?? folded, from.address, known, now());
    const hash = await this.#checkPassword(attempt, password, account?.id ?? 0, known);
    if (hash === null || !account) {
      await this.#audit.signInFailed(account, from.address);
      throw wrongCredentials();
    }
    await this.#checkCode(account, code, attempt, from.address);
    attempt.succeed(now());
    if (account.disabled) {
      await this.#audit.signInFailed(account, from.address);
      throw new ServiceError('account_disabled', 'The operator has disabled this account.');
    }
    const signedIn = await this.#startSession(account, from, hash);
    await this.#audit.record(account, 'signed in', from.address, signedIn.caller.keyId);
    return signedIn;
  }

  async signOut({ keyId, account }: Caller, address: string): Promise<number> {
    const ended = await this.endSessions([keyId], true);
    await this.#audit.record(account, 'signed out', address, keyId);
    return ended;
  }

  async signOutEverywhere({ account }: Caller, address: string): Promise<number> {
    const ended = await this.endSessions(await this.#sessionsOf(account), true);
    await this.#audit.record(account, 'signed out everywhere', address);
    return ended;
  }

  async revokeSession({ account }: Caller, id: string, address: string): Promise<number> {
    const ended = await this.endSessions([id], true);
    await this.#audit.record(account, 'session revoked', address, id);
    return ended;
  }

  /** Ends every other session, since someone who knew the old password may have started one. */
  async changePassword(
    caller: Caller,
    { confirmation, newPassword, revokeKeys, address }: PasswordChangeForm,
  ): Promise<{ sessionsEnded: number; keysRevoked: number }> {
    const { account } = caller;
    // Before a code is used up.
    checkPassword(newPassword, account.name, 'new_password');
    await this.confirm(account, confirmation, address);
    const hash = await this.#passwords.hash(newPassword, true);
    const { store, keyring } = this.#options;
    await keyring.exclusively(() => withStoreErrors(() => store.setPassword(account.id, hash)));
    await this.#audit.record(account, 'password changed', address);
    const others = (await this.#sessionsOf(account)).filter((id) => id !== caller.keyId);
    const sessionsEnded = await this.endSessions(others, true);
    return { sessionsEnded, keysRevoked: revokeKeys ? await this.#revokeKeys(account, address) : 0 };
  }

  async deleteAccount(
    { account }: Caller,
    confirmation: Confirmation,
    address: string,
  ): Promise<{ keysRevoked: number; sessionsEnded: number }> {
    const { store, keyring, now } = this.#options;
    await this.confirm(account, confirmation, address);
    if (account.owner) throw new ServiceError('owner_account', 'The owner account cannot be deleted.');
    const ended = await withStoreErrors(() => store.deleteAccount(account.id, Math.floor(now())));
    await this.#audit.record(account, 'account deleted', address);
    await withStoreErrors(() => keyring.reload());
    return ended;
  }

  /** Ends sessions by their ids; returns how many. `revoked`: keys that were made in them are marked. */
  async endSessions(ids: readonly string[], revoked = false): Promise<number> {
    const { store, keyring, now } = this.#options;
    await keyring.exclusively(async () => {
      await withStoreErrors(() => store.endSessions(ids, revoked ? Math.floor(now()) : undefined));
      keyring.sessions.remove(ids);
    });
    if (revoked) await withStoreErrors(() => keyring.reload());
    return ids.length;
  }

  async #register(
    { name, password, token }: SignUpForm,
    from: SignInOrigin,
    owner: boolean,
    attempt: Pick<Attempt, 'abandon'>,
  ): Promise<SignedIn> {
    const { keyring, now } = this.#options;
    const checked = validName(name);
    if (!owner && isReservedName(checked)) throw nameTaken(checked);
    checkPassword(password, checked, 'password');
    // Checked before the slow hash; the store decides. With a token, the store checks that first, so that only people
    // with a valid invitation learn which names are taken.
    if (token === null && keyring.account(checked)) throw nameTaken(checked);
    const registration: Registration = {
      name: checked,
      tier: owner ? OWNER_TIER : SIGN_UP_TIER,
      password: await this.#hashPassword(password, from, attempt),
      owner,
      invitation: token === null ? null : hashToken(token),
      at: Math.floor(now()),
    };
    const account = await this.#store(registration);
    await this.#audit.record(account, owner ? 'owner created' : 'signed up', from.address);
    if (owner) await withStoreErrors(() => giveDemoKeyToOwner(this.#options.store, now()));
    await withStoreErrors(() => keyring.reload());
    return this.#startSession(keyring.account(account.publicId)!, from, registration.password);
  }

  /** A registration that finds the queue full does not count. */
  async #hashPassword(password: string, { address }: SignInOrigin, attempt: Pick<Attempt, 'abandon'>): Promise<string> {
    try {
      return await this.#passwords.hash(password, this.#throttle.trusts(address, this.#options.now()));
    } catch (error) {
      if (error instanceof PasswordQueueFullError) attempt.abandon();
      throw error;
    }
  }

  async #store(registration: Registration): Promise<Account> {
    try {
      return await this.#options.store.register(registration);
    } catch (error) {
      if (error instanceof NameTakenError) throw nameTaken(registration.name);
      if (error instanceof InvitationError)
        throw new ServiceError(
          'invalid_token',
          'This link is not valid. It may have been used, revoked, or have expired. Ask for a new one.',
        );
      return withStoreErrors(() => Promise.reject(error));
    }
  }

  /**
   * Always creates a new token, so that one planted in the browser beforehand is worthless. `password` is the hash that was
   * verified: if it has changed since, the session must not start, because the change ended all sessions.
   */
  async #startSession(account: AccountState, { address, browser }: SignInOrigin, password: string): Promise<SignedIn> {
    const { store, keyring, now } = this.#options;
    const at = Math.floor(now());
    const token = randomSecret();
    const id = randomId('ses');
    const hash = hashToken(token);
    const record = { id, accountId: account.id, hash, createdAt: at, seenAt: at, browser, address };
    let surplus: string[] = [];
    const signedIn = await keyring.exclusively(async () => {
      if ((await withStoreErrors(() => store.passwordOf(account.id))) !== password) throw wrongCredentials();
      // Of sessions that were used in the same millisecond, the one that started first comes first.
      const open = keyring.sessions.of(account, at).sort((a, b) => a.caller.lastUsedAt - b.caller.lastUsedAt);
      surplus = open.slice(0, Math.max(0, open.length - MAX_SESSIONS + 1)).map(({ record: { id: old } }) => old);
      await withStoreErrors(() => store.addSession(record));
      if (surplus.length > 0) await withStoreErrors(() => store.endSessions(surplus, at));
      for (const old of surplus) await this.#audit.record(account, 'session replaced', address, old);
      keyring.sessions.remove(surplus);
      return { token, caller: keyring.sessions.add(record, account).caller };
    });
    // Keys that were made in the ended sessions are marked.
    if (surplus.length > 0) await withStoreErrors(() => keyring.reload());
    // A gateway that does not know the session would make the browser delete its cookie.
    await this.#options.shareChanges?.();
    return signedIn;
  }

  /** The second step of a sign-in or a confirmation. A missing code is no guess, so it does not count as a wrong attempt. */
  async #checkCode(
    account: AccountState,
    code: string | null,
    attempt: Attempt,
    address: string,
    isSignIn = true,
  ): Promise<void> {
    const { twoFactor, now } = this.#options;
    if (!(await withStoreErrors(() => twoFactor.isActive(account.id)))) return;
    if (code === null) {
      attempt.succeed(now(), false);
      if (isSignIn) await this.#audit.codeRequested(account, address);
      throw new ServiceError('two_factor_required', 'Enter the code of your authenticator app, or a recovery code.');
    }
    const kind = await withStoreErrors(() => twoFactor.use(account.id, code, now())).catch((error): never => {
      attempt.abandon();
      throw error;
    });
    if (kind === null) {
      attempt.fail();
      if (isSignIn) await this.#audit.signInFailed(account, address);
      throw wrongCode();
    }
    if (kind === 'recovery') await this.#audit.record(account, 'recovery code used', address);
  }

  /** Counts the attempt of a signed-in session to repeat its password, or to enter a code. */
  async countAttempt({ publicId }: AccountState): Promise<Attempt> {
    return this.#throttle.password(publicId, this.#options.now());
  }

  /** Checks the password that a signed-in session must repeat, and the code if two-factor sign-in is enabled. */
  async confirm(account: AccountState, { password, code }: Confirmation, address: string): Promise<void> {
    const attempt = await this.countAttempt(account);
    if ((await this.#checkPassword(attempt, password, account.id, true)) === null)
      throw new ServiceError('wrong_password', 'The password is incorrect.');
    await this.#checkCode(account, code ?? null, attempt, address, false);
    attempt.succeed(this.#options.now());
  }

  /** The stored hash if the password is correct: the caller reports the success. Otherwise `null`. */
  async #checkPassword(
    attempt: Attempt,
    password: string,
    accountId: number,
    trusted: boolean,
  ): Promise<string | null> {
    const { store } = this.#options;
    try {
      const hash = await withStoreErrors(() => store.passwordOf(accountId));
      const correct = await this.#passwords.verify(password, hash, trusted);
      if (!correct) attempt.fail();
      return correct ? hash : null;
    } catch (error) {
      attempt.abandon();
      throw error;
    }
  }

  async #revokeKeys(account: AccountState, address: string): Promise<number> {
    const { store, keyring, now } = this.#options;
    const by = { store, actor: account.publicId, now: Math.floor(now()), address };
    const count = await withStoreErrors(() => revokeKeys(by, account));
    await withStoreErrors(() => keyring.reload());
    return count;
  }

  /** Includes sessions that started at another gateway a moment ago. */
  async #sessionsOf(account: AccountState): Promise<string[]> {
    const { keyring, now } = this.#options;
    await withStoreErrors(() => keyring.reload());
    return keyring.sessions.of(account, now()).map(({ record }) => record.id);
  }
}

function validName(name: string): string {
  try {
    return checkName(name);
  } catch (error) {
    if (!(error instanceof AccessError)) throw error;
    const allowed = NAME_RULE;
    throw new ServiceError('invalid_parameter', `name must be ${allowed}`, {
      errors: [{ parameter: 'name', value: name.slice(0, 100), allowed }],
    });
  }
}

const wrongCredentials = (): ServiceError =>
  new ServiceError('wrong_credentials', 'The name or password is incorrect.');

const nameTaken = (name: string): ServiceError =>
  new ServiceError('name_taken', `The name ${JSON.stringify(name)} is not available. Choose another one.`);
