// Accounts of people: how one is made, signed in to and ended. In a page of the service the browser keeps the session's
// cookie. What changes something is sent once: a second sign-in would count as a second attempt.
import type {
  Account,
  AccountDeleted,
  AccountDeletion,
  PasswordChange,
  Registration,
  SessionList,
  SessionsEnded,
  SetupRequest,
  SignInRequest,
  SignUpRequest,
} from './contract.ts';
import { asJson, type CallOptions, get, postOnce, type RestOptions } from './rest.ts';

export class AccountCalls {
  readonly #rest: RestOptions;

  constructor(rest: RestOptions) {
    this.#rest = rest;
  }

  /** Whose key or session this is, and what it may do. */
  get(call?: CallOptions): Promise<Account> {
    return get(this.#rest, '/api/account', {}, call);
  }

  /** Who may sign up, and whether the service still has no owner. */
  registration(call?: CallOptions): Promise<Registration> {
    return get(this.#rest, '/api/account/registration', {}, call);
  }

  /** Makes the owner's account, with the token of the link that the service printed, and signs it in. */
  setUp(request: SetupRequest, call?: CallOptions): Promise<Account> {
    return postOnce(this.#rest, '/api/account/setup', asJson(request), call);
  }

  /** Makes an account and signs it in. */
  signUp(request: SignUpRequest, call?: CallOptions): Promise<Account> {
    return postOnce(this.#rest, '/api/account/sign-up', asJson(request), call);
  }

  signIn(request: SignInRequest, call?: CallOptions): Promise<Account> {
    return postOnce(this.#rest, '/api/account/sign-in', asJson(request), call);
  }

  /** Ends the session that asks. */
  signOut(call?: CallOptions): Promise<SessionsEnded> {
    return postOnce(this.#rest, '/api/account/sign-out', null, call);
  }

  /** Ends every session of the account, the one that asks too. */
  signOutEverywhere(call?: CallOptions): Promise<SessionsEnded> {
    return postOnce(this.#rest, '/api/account/sign-out-everywhere', null, call);
  }

  /** Ends every other session, too. */
  changePassword(request: PasswordChange, call?: CallOptions): Promise<SessionsEnded> {
    return postOnce(this.#rest, '/api/account/password', asJson(request), call);
  }

  /** For good: its keys and sessions end at once, its signals stay in the log. */
  delete(request: AccountDeletion, call?: CallOptions): Promise<AccountDeleted> {
    return postOnce(this.#rest, '/api/account/delete', asJson(request), call);
  }

  /** Where the account is signed in. */
  sessions(call?: CallOptions): Promise<SessionList> {
    return get(this.#rest, '/api/account/sessions', {}, call);
  }

  revokeSession(id: string, call?: CallOptions): Promise<SessionsEnded> {
    return postOnce(this.#rest, `/api/account/sessions/${encodeURIComponent(id)}/revoke`, null, call);
  }
}
