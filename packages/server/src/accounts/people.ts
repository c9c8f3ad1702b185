// Accounts of people: making one, signing in and out, changing the password, leaving. What is written here holds in memory
// too when the call returns.
import { NAME_RULE, type REGISTRATIONS } from '@tickwire/contract';
import type { AccountState } from '../access/account-state.ts';
import type { Caller } from '../access/caller.ts';
import { AccessError, checkName } from '../access/issue-key.ts';
import { randomId, randomSecret } from '../access/key-format.ts';
import type { Keyring } from '../access/keyring.ts';
import { hashToken } from '../access/sessions.ts';
import { ApiError } from '../http/api-error.ts';
import { available } from '../http/available.ts';
import { NameTakenError } from '../store/access-store.ts';
import { InvitationError, type Registration } from '../store/account-records.ts';
import type { AccessStore, Account } from '../store/store.ts';
import { checkPassword, Passwords } from './passwords.ts';
import { Throttle } from './throttle.ts';

/** The one that was not seen for longest ends when another begins. */
const MAX_SESSIONS = 20;
const OPEN_TIER = 'free';

export interface PeopleOptions {
  readonly store: AccessStore;
  readonly keyring: Keyring;
  readonly registration: (typeof REGISTRATIONS)[number];
  readonly now: () => number;
}

/** Where a request comes from. */
export interface From {
  readonly address: string;
  readonly browser: string;
}

export interface SignedIn {
  readonly caller: Caller;
  /** For the cookie; stored nowhere. */
  readonly token: string;
}

export interface NewPerson {
  readonly name: string;
  readonly password: string;
  /** Of the link that invites them. */
  readonly token: string | null;
}

export class People {
  readonly registration: PeopleOptions['registration'];
  readonly #options: PeopleOptions;
  readonly #passwords = new Passwords();
  readonly #throttle = new Throttle();

  constructor(options: PeopleOptions) {
    this.#options = options;
    this.registration = options.registration;
  }

  get setupNeeded(): boolean {
    return !this.#options.keyring.hasOwner();
  }

  /** The first account runs the service. */
  async setUp(person: NewPerson, from: From): Promise<SignedIn> {
    this.#throttle.register(from.address, this.#options.now());
    if (!this.setupNeeded) throw new ApiError('invalid_token', 'There is an owner already: sign in.');
    return this.#register(person, from, true);
  }

  async signUp(person: NewPerson, from: From): Promise<SignedIn> {
    this.#throttle.register(from.address, this.#options.now());
    if (this.registration === 'closed') throw new ApiError('registration_closed', 'This service takes no sign-ups.');
    if (this.registration === 'invitation' && person.token === null)
      throw new ApiError('registration_closed', 'Signing up takes an invitation here.');
    return this.#register(person, from, false);
  }

  async signIn(name: string, password: string, from: From): Promise<SignedIn> {
    const { store, keyring, now } = this.#options;
    const folded = name.trim().normalize('NFC').toLowerCase().slice(0, 100);
    const account = keyring.account(folded);
    const known = account !== undefined && keyring.sessions.knows(account, from.address, now());
    const attempt = this.#throttle.signIn(folded, from.address, known, now());
    const hash = await available(() => store.passwordOf(account?.id ?? 0));
    if (!(await this.#passwords.verify(password, hash)) || !account) throw wrongCredentials();
    attempt.succeeded();
    if (account.disabled) throw new ApiError('account_disabled', 'The operator has disabled this account.');
    return this.#begin(account, from, hash!);
  }

  signOut({ keyId }: Caller): Promise<number> {
    return this.end([keyId]);
  }

  signOutEverywhere({ account }: Caller): Promise<number> {
    return this.end(this.#sessionsOf(account));
  }

  /** Ends every other session: who knew the old password may have one. */
  async changePassword(caller: Caller, password: string, changed: string): Promise<number> {
    const { account } = caller;
    await this.#ask(account, password);
    checkPassword(changed, account.name, 'new_password');
    const hash = await this.#passwords.hash(changed);
    const { store, keyring } = this.#options;
    await keyring.inTurn(() => available(() => store.setPassword(account.holder.id, hash)));
    await this.#audit(account, 'password changed');
    return this.end(this.#sessionsOf(account).filter((id) => id !== caller.keyId));
  }

  async deleteAccount({ account }: Caller, password: string): Promise<{ keysRevoked: number; sessionsEnded: number }> {
    const { store, keyring, now } = this.#options;
    await this.#ask(account, password);
    if (account.owner) throw new ApiError('owner_account', "The owner's account cannot be deleted.");
    const ended = await available(() => store.deleteAccount(account.holder.id, Math.floor(now())));
    await this.#audit(account, 'account deleted');
    await available(() => keyring.reload());
    return ended;
  }

  /** Ends sessions by their ids; returns how many. */
  async end(ids: readonly string[]): Promise<number> {
    const { store, keyring } = this.#options;
    return keyring.inTurn(async () => {
      await available(() => store.endSessions(ids));
      keyring.sessions.remove(ids);
      return ids.length;
    });
  }

  async #register({ name, password, token }: NewPerson, from: From, owner: boolean): Promise<SignedIn> {
    const { keyring, now } = this.#options;
    const given = nameOf(name);
    checkPassword(password, given, 'password');
    // Before the slow part; the store has the last word. Who is invited by nobody is not told whose names are taken.
    if (token === null && keyring.account(given)) throw nameTaken(given);
    const registration: Registration = {
      name: given,
      tier: owner ? 'premium' : OPEN_TIER,
      password: await this.#passwords.hash(password),
      owner,
      invitation: token === null ? null : hashToken(token),
      at: Math.floor(now()),
    };
    const account = await this.#stored(registration);
    await this.#audit(account, owner ? 'owner created' : 'signed up');
    await available(() => keyring.reload());
    return this.#begin(keyring.account(account.publicId)!, from, registration.password);
  }

  async #stored(registration: Registration): Promise<Account> {
    try {
      return await this.#options.store.register(registration);
    } catch (error) {
      if (error instanceof NameTakenError) throw nameTaken(registration.name);
      if (error instanceof InvitationError)
        throw new ApiError('invalid_token', 'The link was used, has expired, was taken back, or never was one.');
      return available(() => Promise.reject(error));
    }
  }

  /**
   * Always a new token: one that somebody has put into the browser before is worth nothing. `password` is the hash that was
   * found right: where it was changed in the meantime, the session would be one that the change had to end.
   */
  async #begin(account: AccountState, { address, browser }: From, password: string): Promise<SignedIn> {
    const { store, keyring, now } = this.#options;
    const at = Math.floor(now());
    const token = randomSecret();
    const id = randomId('ses');
    const hash = hashToken(token);
    const record = { id, accountId: account.id, hash, createdAt: at, seenAt: at, browser, address };
    return keyring.inTurn(async () => {
      if ((await available(() => store.passwordOf(account.id))) !== password) throw wrongCredentials();
      const open = keyring.sessions.of(account, at).sort((a, b) => b.caller.lastUsedAt - a.caller.lastUsedAt);
      const surplus = open.slice(MAX_SESSIONS - 1).map(({ record: { id: old } }) => old);
      await available(() => store.addSession(record));
      if (surplus.length > 0) await available(() => store.endSessions(surplus));
      keyring.sessions.remove(surplus);
      return { token, caller: keyring.sessions.add(record, account).caller };
    });
  }

  /** Asks for the password once more. */
  async #ask({ holder }: AccountState, password: string): Promise<void> {
    const { store, now } = this.#options;
    const attempt = this.#throttle.password(holder.publicId, now());
    const hash = await available(() => store.passwordOf(holder.id));
    if (!(await this.#passwords.verify(password, hash))) throw new ApiError('wrong_password', 'The password is wrong.');
    attempt.succeeded();
  }

  #sessionsOf(account: AccountState): string[] {
    const { keyring, now } = this.#options;
    return keyring.sessions.of(account, now()).map(({ record }) => record.id);
  }

  async #audit({ publicId, name }: { publicId: string; name: string }, act: string): Promise<void> {
    const { store, now } = this.#options;
    await available(() => store.audit({ at: Math.floor(now()), actor: publicId, act, subject: name }));
  }
}

function nameOf(name: string): string {
  try {
    return checkName(name);
  } catch (error) {
    if (!(error instanceof AccessError)) throw error;
    const allowed = NAME_RULE;
    throw new ApiError('invalid_parameter', `name must be ${allowed}`, {
      errors: [{ parameter: 'name', value: name.slice(0, 100), allowed }],
    });
  }
}

const wrongCredentials = (): ApiError => new ApiError('wrong_credentials', 'The name or the password is wrong.');

const nameTaken = (name: string): ApiError =>
  new ApiError('name_taken', `The name ${JSON.stringify(name)} is taken, or once was.`);
