// Handlers of the account and session endpoints. Those that start or end a session also set its cookie.

import {
  type Account,
  Confirmation,
  type Confirmed,
  iso,
  LinkCheckRequest,
  PasswordChange,
  SCOPES,
  type Scope,
  type SessionInfo,
  SetupRequest,
  SignInRequest,
  SignUpRequest,
} from '@tickwire/contract';
import { MINUTE_MS } from '@tickwire/engine';
import type { AccountState } from '../access/account-state.ts';
import type { Caller } from '../access/caller.ts';
import type { Guard, PeerLookup } from '../access/guard.ts';
import type { Keyring } from '../access/keyring.ts';
import { expiredSessionCookie, sessionCookie } from '../access/session-cookie.ts';
import { ServiceError } from '../errors/service-error.ts';
import type { ApiResponse, HandlerCall, HandlerResult } from '../http/handler.ts';
import { readJson } from '../http/json-body.ts';
import type { AccountService } from './account-service.ts';
import { browserName } from './browser-name.ts';
import type { SignedIn, SignInOrigin, SignUpForm } from './forms.ts';

/** Only the owner may push ticks, which everyone sees, and administer the service. */
const OWNER_SCOPES: readonly Scope[] = ['ingest', 'admin'];

/** The scopes that a key of the account may have. */
export const grantableScopes = ({ owner }: AccountState): Scope[] =>
  SCOPES.filter((scope) => owner || !OWNER_SCOPES.includes(scope));

export interface AccountHandlersOptions {
  readonly accountService: AccountService;
  readonly keyring: Keyring;
  readonly guard: Guard;
}

export class AccountHandlers {
  readonly #options: AccountHandlersOptions;

  constructor(options: AccountHandlersOptions) {
    this.#options = options;
  }

  registration(): string {
    const { registration, setupNeeded } = this.#options.accountService;
    return JSON.stringify({ registration, setup_needed: setupNeeded });
  }

  setUp(call: HandlerCall): Promise<ApiResponse> {
    return this.#startSession(call, async (from) => {
      const { value } = await readJson(call.request, SetupRequest);
      return this.#options.accountService.setUp(value satisfies SignUpForm, from);
    });
  }

  checkSetup(call: HandlerCall): Promise<string> {
    return this.#checkLink(call, true);
  }

  checkInvitation(call: HandlerCall): Promise<string> {
    return this.#checkLink(call, false);
  }

  signUp(call: HandlerCall): Promise<ApiResponse> {
    return this.#startSession(call, async (from) => {
      const { invitation = null, ...account } = (await readJson(call.request, SignUpRequest)).value;
      return this.#options.accountService.signUp({ ...account, token: invitation }, from);
    });
  }

  signIn(call: HandlerCall): Promise<ApiResponse> {
    return this.#startSession(call, async (from) => {
      const { name, password, code = null } = (await readJson(call.request, SignInRequest)).value;
      return this.#options.accountService.signIn(name, password, code, from);
    });
  }

  async signOut(call: HandlerCall): Promise<ApiResponse> {
    const ended = await this.#options.accountService.signOut(call.caller!, this.#address(call));
    return this.#endSession(call, { sessions_ended: ended });
  }

  async signOutEverywhere(call: HandlerCall): Promise<ApiResponse> {
    const ended = await this.#options.accountService.signOutEverywhere(call.caller!, this.#address(call));
    return this.#endSession(call, { sessions_ended: ended });
  }

  async changePassword(call: HandlerCall): Promise<string> {
    const { new_password, revoke_keys, ...confirmation } = (await readJson(call.request, PasswordChange)).value;
    const { sessionsEnded, keysRevoked } = await this.#options.accountService.changePassword(call.caller!, {
      confirmation,
      newPassword: new_password,
      revokeKeys: revoke_keys ?? true,
      address: this.#address(call),
    });
    return JSON.stringify({ sessions_ended: sessionsEnded, keys_revoked: keysRevoked });
  }

  async confirm(call: HandlerCall): Promise<string> {
    const { accountService, keyring } = this.#options;
    const confirmation = (await readJson(call.request, Confirmation)).value;
    await accountService.confirm(call.caller!.account, confirmation, this.#address(call));
    return JSON.stringify({ confirmed_until: iso(await keyring.confirm(call.caller!)) } satisfies Confirmed);
  }

  async deleteAccount(call: HandlerCall): Promise<ApiResponse> {
    const confirmation = (await readJson(call.request, Confirmation)).value;
    const { accountService } = this.#options;
    const { sessionsEnded, keysRevoked } = await accountService.deleteAccount(
      call.caller!,
      confirmation,
      this.#address(call),
    );
    return this.#endSession(call, { sessions_ended: sessionsEnded, keys_revoked: keysRevoked });
  }

  /** Also renews the cookie, so that the browser keeps it as long as the session lasts. */
  account({ request, peers, caller }: HandlerCall): HandlerResult {
    const { guard } = this.#options;
    const body = JSON.stringify(accountOf(caller!));
    const token = caller!.session ? guard.sessionToken(request, peers) : null;
    return token === null ? body : { body, headers: { 'Set-Cookie': this.#cookie(token, request, peers) } };
  }

  sessions({ caller, now }: HandlerCall): string {
    const { sessions } = this.#options.keyring;
    const items = sessions.of(caller!.account, now).map(
      ({ record, caller: { lastUsedAt, expiresAt, keyId } }): SessionInfo => ({
        id: record.id,
        current: keyId === caller!.keyId,
        created_at: iso(record.createdAt),
        last_seen_at: iso(Math.max(record.createdAt, floorToMinute(lastUsedAt))),
        expires_at: iso(expiresAt),
        browser: record.browser,
        address: record.address,
      }),
    );
    return JSON.stringify({ items, count: items.length });
  }

  async revokeSession(call: HandlerCall): Promise<string> {
    const { params, caller, now } = call;
    const { accountService, keyring } = this.#options;
    const found = keyring.sessions.of(caller!.account, now).find(({ record }) => record.id === params.session);
    if (!found) throw new ServiceError('session_not_found', 'Your account has no session with this id.');
    const ended = await accountService.revokeSession(caller!, found.record.id, this.#address(call));
    return JSON.stringify({ sessions_ended: ended });
  }

  async #checkLink(call: HandlerCall, owner: boolean): Promise<string> {
    const { guard, accountService } = this.#options;
    guard.requireSameOrigin(call.request, call.peers, false);
    const { token } = (await readJson(call.request, LinkCheckRequest)).value;
    return JSON.stringify(await accountService.checkLink(token, owner, this.#address(call)));
  }

  #cookie(token: string, request: Request, peers: PeerLookup): string {
    const { guard, keyring } = this.#options;
    return sessionCookie(token, keyring.sessions.lifetime.maxMs, guard.isHttps(request, peers));
  }

  #address({ request, peers }: HandlerCall): string {
    return this.#options.guard.address(request, peers);
  }

  /** Rejects other origins, so that no other site can sign its visitor in to an account of its choice. */
  async #startSession(
    { request, peers }: HandlerCall,
    work: (from: SignInOrigin) => Promise<SignedIn>,
  ): Promise<ApiResponse> {
    const { guard } = this.#options;
    guard.requireSameOrigin(request, peers, false);
    const from = {
      address: guard.address(request, peers),
      browser: browserName(request.headers.get('user-agent')),
    };
    const { caller, token } = await work(from);
    return { body: JSON.stringify(accountOf(caller)), headers: { 'Set-Cookie': this.#cookie(token, request, peers) } };
  }

  #endSession({ request, peers }: HandlerCall, body: object): ApiResponse {
    const cookie = expiredSessionCookie(this.#options.guard.isHttps(request, peers));
    return { body: JSON.stringify(body), headers: { 'Set-Cookie': cookie } };
  }
}

function accountOf({ account, scopes, session, keyId }: Caller): Account {
  return {
    id: account.publicId,
    name: account.name,
    tier: account.tierName,
    tier_limits: account.tier,
    owner: account.owner,
    created_at: iso(account.createdAt),
    scopes: SCOPES.filter((scope) => scopes.has(scope)),
    key_scopes: grantableScopes(account),
    session: session ? keyId : null,
  };
}

export const floorToMinute = (time: number): number => time - (time % MINUTE_MS);
