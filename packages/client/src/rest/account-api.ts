// Accounts: set-up, sign-up, sign-in and sessions. In a page of the service the browser keeps the session cookie. Calls that
// change something are never repeated: a second sign-in would count as a second attempt.
import type {
  Account,
  AccountDeleted,
  AccountDeletion,
  LinkCheck,
  LinkCheckRequest,
  PasswordChange,
  PasswordChanged,
  Registration,
  SessionList,
  SessionsEnded,
  SetupRequest,
  SignInRequest,
  SigningKey,
  SignUpRequest,
  TwoFactorConfirmed,
  TwoFactorDisabling,
  TwoFactorSecret,
  TwoFactorStatus,
} from '../common/contract.ts';
import { DocumentsApi } from './documents-api.ts';
import { type CallOptions, get, jsonBody, postOnce, type RestConfig } from './request.ts';

/** Account and session calls, available as `client.account`. */
export class AccountApi {
  /** What pages store for the account: layouts, drawings, watchlists, settings. */
  readonly documents: DocumentsApi;
  readonly #rest: RestConfig;

  /** Created by {@link TickwireClient}. */
  constructor(rest: RestConfig) {
    this.#rest = rest;
    this.documents = new DocumentsApi(rest);
  }

  /**
   * The account behind the key or session, and what it may do.
   * @example const { name, tier, scopes } = await client.account.get();
   */
  get(call?: CallOptions): Promise<Account> {
    return get(this.#rest, '/api/account', {}, call);
  }

  /**
   * Whether sign-up is open, and whether the service still has no owner. Needs no key.
   * @example const { registration, setup_needed } = await client.account.registration();
   */
  registration(call?: CallOptions): Promise<Registration> {
    return get(this.#rest, '/api/account/registration', {}, call);
  }

  /**
   * Creates the owner account with the token from the link that the service printed, and signs in.
   * @example await client.account.setUp({ token: '…', name: 'Ada', password: 'correct horse battery' });
   */
  setUp(request: SetupRequest, call?: CallOptions): Promise<Account> {
    return postOnce(this.#rest, '/api/account/setup', jsonBody(request), call);
  }

  /**
   * Whether a setup link can still be used, to be asked before its form is filled in. Needs no key.
   * @example const { valid, reason } = await client.account.checkSetup({ token: '…' });
   */
  checkSetup(request: LinkCheckRequest, call?: CallOptions): Promise<LinkCheck> {
    return postOnce(this.#rest, '/api/account/setup/check', jsonBody(request), call);
  }

  /**
   * Whether an invitation can still be used. Needs no key.
   * @example const { valid, reason } = await client.account.checkInvitation({ token: '…' });
   */
  checkInvitation(request: LinkCheckRequest, call?: CallOptions): Promise<LinkCheck> {
    return postOnce(this.#rest, '/api/account/invitation/check', jsonBody(request), call);
  }

  /**
   * Creates an account and signs in. Pass the token of an invitation if registration is by invitation.
   * @example await client.account.signUp({ name: 'Ada', password: 'correct horse battery', invitation: '…' });
   */
  signUp(request: SignUpRequest, call?: CallOptions): Promise<Account> {
    return postOnce(this.#rest, '/api/account/sign-up', jsonBody(request), call);
  }

  /**
   * Signs in. The browser stores the session cookie. If two-factor sign-in is enabled and `code` is missing, the error has
   * the code `two_factor_required`.
   * @example await client.account.signIn({ name: 'Ada', password: 'correct horse battery' });
   */
  signIn(request: SignInRequest, call?: CallOptions): Promise<Account> {
    return postOnce(this.#rest, '/api/account/sign-in', jsonBody(request), call);
  }

  /**
   * Ends this session.
   * @example await client.account.signOut();
   */
  signOut(call?: CallOptions): Promise<SessionsEnded> {
    return postOnce(this.#rest, '/api/account/sign-out', null, call);
  }

  /**
   * Ends every session of the account, including this one.
   * @example const { sessions_ended } = await client.account.signOutEverywhere();
   */
  signOutEverywhere(call?: CallOptions): Promise<SessionsEnded> {
    return postOnce(this.#rest, '/api/account/sign-out-everywhere', null, call);
  }

  /**
   * Changes the password and ends every other session of the account. `revoke_keys` also revokes its API keys.
   * @example await client.account.changePassword({ password: 'correct horse battery', new_password: 'a longer secret' });
   */
  changePassword(request: PasswordChange, call?: CallOptions): Promise<PasswordChanged> {
    return postOnce(this.#rest, '/api/account/password', jsonBody(request), call);
  }

  /**
   * Deletes the account permanently. Its keys and sessions end immediately; its signals stay in the log.
   * @example await client.account.delete({ password: 'correct horse battery' });
   */
  delete(request: AccountDeletion, call?: CallOptions): Promise<AccountDeleted> {
    return postOnce(this.#rest, '/api/account/delete', jsonBody(request), call);
  }

  /**
   * The sessions of the account. Needs a session, not a key.
   * @example const { items } = await client.account.sessions();
   */
  sessions(call?: CallOptions): Promise<SessionList> {
    return get(this.#rest, '/api/account/sessions', {}, call);
  }

  /**
   * Ends one session of the account.
   * @example await client.account.revokeSession('ses_1');
   */
  revokeSession(id: string, call?: CallOptions): Promise<SessionsEnded> {
    return postOnce(this.#rest, `/api/account/sessions/${encodeURIComponent(id)}/revoke`, null, call);
  }

  /**
   * The public key with which the account signs its requests about signals.
   * @example const { public_key } = await client.account.signingKey();
   */
  signingKey(call?: CallOptions): Promise<SigningKey> {
    return get(this.#rest, '/api/account/signing-key', {}, call);
  }

  /**
   * Registers the Ed25519 public key of the account (32 bytes, hex), or removes it with `null`. From then on its signals,
   * amendments and requests to close must be signed with a {@link Signer}.
   * @example await client.account.setSigningKey((await createSigningKey()).publicKey);
   */
  setSigningKey(publicKey: string | null, call?: CallOptions): Promise<SigningKey> {
    return postOnce(this.#rest, '/api/account/signing-key', jsonBody({ public_key: publicKey }), call);
  }

  /**
   * Whether sign-in asks for a code, and how many recovery codes are left.
   * @example const { enabled } = await client.account.twoFactor();
   */
  twoFactor(call?: CallOptions): Promise<TwoFactorStatus> {
    return get(this.#rest, '/api/account/two-factor', {}, call);
  }

  /**
   * Starts the set-up of two-factor sign-in. Show `qr` as a QR code, and `secret` as text.
   * @example const { secret, uri } = await client.account.setUpTwoFactor('correct horse battery');
   */
  setUpTwoFactor(password: string, call?: CallOptions): Promise<TwoFactorSecret> {
    return postOnce(this.#rest, '/api/account/two-factor/set-up', jsonBody({ password }), call);
  }

  /**
   * Enables two-factor sign-in with a code of the authenticator app. Only this response contains the recovery codes.
   * @example const { recovery_codes } = await client.account.confirmTwoFactor('492039');
   */
  confirmTwoFactor(code: string, call?: CallOptions): Promise<TwoFactorConfirmed> {
    return postOnce(this.#rest, '/api/account/two-factor/confirm', jsonBody({ code }), call);
  }

  /**
   * Disables two-factor sign-in.
   * @example await client.account.disableTwoFactor({ password: 'correct horse battery', code: '492039' });
   */
  disableTwoFactor(request: TwoFactorDisabling, call?: CallOptions): Promise<TwoFactorStatus> {
    return postOnce(this.#rest, '/api/account/two-factor/disable', jsonBody(request), call);
  }
}
