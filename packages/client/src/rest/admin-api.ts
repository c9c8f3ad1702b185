// Operator calls: accounts, open streams, invitations, the audit log and the language model. They need the owner's session, or a key with the scope `admin`.
import type {
  AccountReport,
  AccountReportList,
  AuditList,
  Invitation,
  InvitationList,
  IssuedInvitation,
  LanguageModelReport,
  SignalDetail,
  StreamReportList,
} from '../common/contract.ts';
import type { AuditOptions, NewInvitation, StreamReportOptions } from './admin-options.ts';
import {
  type CallOptions,
  get,
  jsonBody,
  type PostOptions,
  postIdempotent,
  postOnce,
  type RestConfig,
} from './request.ts';

const accountPath = (id: string): string => `/api/admin/accounts/${encodeURIComponent(id)}`;

/** Operator calls, available as `client.admin`. They need the owner's session, or a key with the scope `admin`. */
export class AdminApi {
  readonly #rest: RestConfig;

  /** Created by {@link TickwireClient}. */
  constructor(rest: RestConfig) {
    this.#rest = rest;
  }

  /**
   * All accounts with tier, last activity and usage.
   * @example const { items, tiers } = await client.admin.accounts();
   */
  accounts(call?: CallOptions): Promise<AccountReportList> {
    return get(this.#rest, '/api/admin/accounts', {}, call);
  }

  /**
   * Changes the tier of an account.
   * @example await client.admin.setTier('pub_1', 'premium');
   */
  setTier(account: string, tier: string, call?: CallOptions): Promise<AccountReport> {
    return postOnce(this.#rest, `${accountPath(account)}/tier`, jsonBody({ tier }), call);
  }

  /**
   * Ends the sessions of an account and rejects its keys until it is enabled again.
   * @example await client.admin.disable('pub_1');
   */
  disable(account: string, call?: CallOptions): Promise<AccountReport> {
    return postOnce(this.#rest, `${accountPath(account)}/disable`, null, call);
  }

  /**
   * Enables a disabled account and its keys.
   * @example await client.admin.enable('pub_1');
   */
  enable(account: string, call?: CallOptions): Promise<AccountReport> {
    return postOnce(this.#rest, `${accountPath(account)}/enable`, null, call);
  }

  /**
   * Voids a signal, for example after a bad tick. The reason is public; this cannot be undone.
   * @example await client.admin.voidSignal('sig_1', 'The feed delivered a bad tick at 11:03:12 UTC.');
   */
  voidSignal(id: string, reason: string, call?: CallOptions): Promise<SignalDetail> {
    return postOnce(this.#rest, `/api/admin/signals/${encodeURIComponent(id)}/void`, jsonBody({ reason }), call);
  }

  /**
   * Open WebSocket connections, oldest first.
   * @example const { items, open } = await client.admin.streams({ limit: 100 });
   */
  streams(options: StreamReportOptions = {}, call?: CallOptions): Promise<StreamReportList> {
    return get(this.#rest, '/api/admin/streams', { ...options }, call);
  }

  /**
   * Invitations of the last year, newest first.
   * @example const { items } = await client.admin.invitations();
   */
  invitations(call?: CallOptions): Promise<InvitationList> {
    return get(this.#rest, '/api/admin/invitations', {}, call);
  }

  /**
   * Invites one person. Only this response contains the link, which works once.
   * @example const { link } = await client.admin.createInvitation({ tier: 'pro' });
   */
  createInvitation(request: NewInvitation, options?: PostOptions): Promise<IssuedInvitation> {
    return postIdempotent(this.#rest, '/api/admin/invitations', jsonBody(request), options);
  }

  /**
   * Revokes an invitation that has not been used.
   * @example await client.admin.revokeInvitation('inv_1');
   */
  revokeInvitation(id: string, call?: CallOptions): Promise<Invitation> {
    return postOnce(this.#rest, `/api/admin/invitations/${encodeURIComponent(id)}/revoke`, null, call);
  }

  /**
   * Sign-ins, failed sign-ins, and changes to accounts, keys and sessions, newest first.
   * @example const { items, next_before } = await client.admin.auditLog({ action: 'sign-in failed' });
   */
  auditLog(options: AuditOptions = {}, call?: CallOptions): Promise<AuditList> {
    return get(this.#rest, '/api/admin/audit', { ...options }, call);
  }

  /**
   * Requests of the day to the language model, and where its labels differ from those of the built-in model.
   * @example const { requests_today, disagreements } = await client.admin.languageModel();
   */
  languageModel(call?: CallOptions): Promise<LanguageModelReport> {
    return get(this.#rest, '/api/admin/language-model', {}, call);
  }
}
