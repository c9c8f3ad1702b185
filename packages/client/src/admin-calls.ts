// What the operator sees and sets: accounts, open streams, invitations. Needs the owner's session, or a key with the scope
// `admin`.
import type {
  AccountReport,
  AccountReportList,
  Invitation,
  InvitationList,
  IssuedInvitation,
  StreamReportList,
} from './contract.ts';
import { asJson, type CallOptions, get, type PostOptions, post, postOnce, type RestOptions } from './rest.ts';
import type { NewInvitation } from './wire.ts';

const accountPath = (id: string): string => `/api/admin/accounts/${encodeURIComponent(id)}`;

export class AdminCalls {
  readonly #rest: RestOptions;

  constructor(rest: RestOptions) {
    this.#rest = rest;
  }

  /** Every account with its tier, when it was last seen and what it used. */
  accounts(call?: CallOptions): Promise<AccountReportList> {
    return get(this.#rest, '/api/admin/accounts', {}, call);
  }

  setTier(account: string, tier: string, call?: CallOptions): Promise<AccountReport> {
    return postOnce(this.#rest, `${accountPath(account)}/tier`, asJson({ tier }), call);
  }

  /** Ends the sessions of an account and refuses its keys until it is enabled again. */
  disable(account: string, call?: CallOptions): Promise<AccountReport> {
    return postOnce(this.#rest, `${accountPath(account)}/disable`, null, call);
  }

  enable(account: string, call?: CallOptions): Promise<AccountReport> {
    return postOnce(this.#rest, `${accountPath(account)}/enable`, null, call);
  }

  /** Open WebSocket connections, the oldest first; `limit` from 1 to 5,000, 500 where left out. */
  streams(options: { readonly limit?: number } = {}, call?: CallOptions): Promise<StreamReportList> {
    return get(this.#rest, '/api/admin/streams', { ...options }, call);
  }

  /** Those of the last year, newest first. */
  invitations(call?: CallOptions): Promise<InvitationList> {
    return get(this.#rest, '/api/admin/invitations', {}, call);
  }

  /** Invites one person. The answer is the only one that shows the link, which works once. */
  createInvitation(request: NewInvitation, options?: PostOptions): Promise<IssuedInvitation> {
    return post(this.#rest, '/api/admin/invitations', asJson(request), options);
  }

  /** Takes an invitation back that nobody has used. */
  revokeInvitation(id: string, call?: CallOptions): Promise<Invitation> {
    return postOnce(this.#rest, `/api/admin/invitations/${encodeURIComponent(id)}/revoke`, null, call);
  }
}
