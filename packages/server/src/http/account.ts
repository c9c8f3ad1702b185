// What the endpoints of accounts and sessions answer, as JSON text and a cookie.
import {
  type Account,
  AccountDeletion,
  PasswordChange,
  SCOPES,
  type Scope,
  type SessionInfo,
  SetupRequest,
  SignInRequest,
  SignUpRequest,
} from '@tickwire/contract';
import type { AccountState } from '../access/account-state.ts';
import type { Caller } from '../access/caller.ts';
import type { Keyring } from '../access/keyring.ts';
import { endedCookie, sessionCookie } from '../access/session-cookie.ts';
import { browserName } from '../accounts/browser-name.ts';
import type { From, NewPerson, People, SignedIn } from '../accounts/people.ts';
import type { Call, WithCookie } from './answer-table.ts';
import { ApiError } from './api-error.ts';
import type { Guard } from './guard.ts';
import { readJson } from './json-body.ts';

const MINUTE_MS = 60_000;
/** Ticks that others are shown, and the running of the service, are the owner's business. */
const OWNER_SCOPES: readonly Scope[] = ['ingest', 'admin'];

/** Scopes that a key of the account may have. */
export const keyScopes = ({ owner }: AccountState): Scope[] =>
  SCOPES.filter((scope) => owner || !OWNER_SCOPES.includes(scope));

export interface AccountAnswersOptions {
  readonly people: People;
  readonly keyring: Keyring;
  readonly guard: Guard;
}

export class AccountAnswers {
  readonly #options: AccountAnswersOptions;

  constructor(options: AccountAnswersOptions) {
    this.#options = options;
  }

  registration(): string {
    const { registration, setupNeeded } = this.#options.people;
    return JSON.stringify({ registration, setup_needed: setupNeeded });
  }

  setUp(call: Call): Promise<WithCookie> {
    return this.#begin(call, async (from) => {
      const { value } = await readJson(call.request, SetupRequest);
      return this.#options.people.setUp(value satisfies NewPerson, from);
    });
  }

  signUp(call: Call): Promise<WithCookie> {
    return this.#begin(call, async (from) => {
      const { invitation = null, ...person } = (await readJson(call.request, SignUpRequest)).value;
      return this.#options.people.signUp({ ...person, token: invitation }, from);
    });
  }

  signIn(call: Call): Promise<WithCookie> {
    return this.#begin(call, async (from) => {
      const { name, password } = (await readJson(call.request, SignInRequest)).value;
      return this.#options.people.signIn(name, password, from);
    });
  }

  async signOut(call: Call): Promise<WithCookie> {
    const ended = await this.#options.people.signOut(call.caller!);
    return this.#gone(call, { sessions_ended: ended });
  }

  async signOutEverywhere(call: Call): Promise<WithCookie> {
    const ended = await this.#options.people.signOutEverywhere(call.caller!);
    return this.#gone(call, { sessions_ended: ended });
  }

  async changePassword({ request, caller }: Call): Promise<string> {
    const { password, new_password } = (await readJson(request, PasswordChange)).value;
    const ended = await this.#options.people.changePassword(caller!, password, new_password);
    return JSON.stringify({ sessions_ended: ended });
  }

  async deleteAccount(call: Call): Promise<WithCookie> {
    const { password } = (await readJson(call.request, AccountDeletion)).value;
    const { sessionsEnded, keysRevoked } = await this.#options.people.deleteAccount(call.caller!, password);
    return this.#gone(call, { sessions_ended: sessionsEnded, keys_revoked: keysRevoked });
  }

  /** The browser keeps the cookie for as long as the session is good, from now on again. */
  account({ request, peers, caller }: Call): string | WithCookie {
    const { guard } = this.#options;
    const body = JSON.stringify(accountOf(caller!));
    const token = caller!.session ? guard.token(request, peers) : null;
    return token === null ? body : { body, cookie: sessionCookie(token, guard.secure(request, peers)) };
  }

  sessions({ caller, now }: Call): string {
    const { sessions } = this.#options.keyring;
    const items = sessions.of(caller!.account, now).map(
      ({ record, caller: { lastUsedAt, expiresAt, keyId } }): SessionInfo => ({
        id: record.id,
        current: keyId === caller!.keyId,
        created_at: iso(record.createdAt),
        last_seen_at: iso(Math.max(record.createdAt, toTheMinute(lastUsedAt))),
        expires_at: iso(expiresAt),
        browser: record.browser,
        address: record.address,
      }),
    );
    return JSON.stringify({ items, count: items.length });
  }

  async revokeSession({ params, caller, now }: Call): Promise<string> {
    const { people, keyring } = this.#options;
    const found = keyring.sessions.of(caller!.account, now).find(({ record }) => record.id === params.session);
    if (!found) throw new ApiError('session_not_found', 'The account has no such session.');
    return JSON.stringify({ sessions_ended: await people.end([found.record.id]) });
  }

  /** A page of another site must not sign its visitor in either: what they do next would be under its name. */
  async #begin({ request, peers }: Call, work: (from: From) => Promise<SignedIn>): Promise<WithCookie> {
    const { guard } = this.#options;
    guard.ownPage(request, peers, false);
    const from = {
      address: guard.address(request, peers),
      browser: browserName(request.headers.get('user-agent')),
    };
    const { caller, token } = await work(from);
    return { body: JSON.stringify(accountOf(caller)), cookie: sessionCookie(token, guard.secure(request, peers)) };
  }

  #gone({ request, peers }: Call, body: object): WithCookie {
    return { body: JSON.stringify(body), cookie: endedCookie(this.#options.guard.secure(request, peers)) };
  }
}

function accountOf({ account: { holder }, scopes, session, keyId }: Caller): Account {
  return {
    id: holder.publicId,
    name: holder.name,
    tier: holder.tierName,
    tier_limits: holder.tier,
    owner: holder.owner,
    created_at: iso(holder.createdAt),
    scopes: SCOPES.filter((scope) => scopes.has(scope)),
    key_scopes: keyScopes(holder),
    session: session ? keyId : null,
  };
}

const iso = (time: number): string => new Date(time).toISOString();
export const toTheMinute = (time: number): number => time - (time % MINUTE_MS);
