// Operator endpoints: accounts, open streams, invitations, the audit log, the language model and the markets.
import { LanguageModelReport } from '../ai/language-model.ts';
import { ADMIN, endpoint } from '../common/endpoint.ts';
import { AuditList, AuditQuery } from './audit.ts';
import {
  AccountReport,
  AccountReportList,
  Invitation,
  InvitationList,
  InvitationRequest,
  IssuedInvitation,
  MarketsChange,
  MarketsReport,
  StreamReportList,
  StreamsQuery,
  TierChange,
} from './operator.ts';

const OPERATOR_GET = { ...ADMIN, method: 'GET', tag: 'Operator' } as const;
const OPERATOR_POST = { ...ADMIN, method: 'POST', tag: 'Operator' } as const;

export const OPERATOR_ENDPOINTS = {
  accounts: endpoint({
    ...OPERATOR_GET,
    path: '/api/admin/accounts',
    summary: 'List accounts',
    description: 'Returns all accounts with their tier, last use and activity of the last 24 hours.',
    response: AccountReportList,
  }),
  setAccountTier: endpoint({
    ...OPERATOR_POST,
    path: '/api/admin/accounts/{account}/tier',
    summary: 'Change the tier of an account',
    description: 'Assigns another tier to an account.',
    body: TierChange,
    response: AccountReport,
    errors: ['account_not_found'],
  }),
  disableAccount: endpoint({
    ...OPERATOR_POST,
    path: '/api/admin/accounts/{account}/disable',
    summary: 'Disable an account',
    description: 'Ends the sessions of an account and rejects its keys until it is enabled again.',
    response: AccountReport,
    errors: ['account_not_found', 'owner_account'],
  }),
  enableAccount: endpoint({
    ...OPERATOR_POST,
    path: '/api/admin/accounts/{account}/enable',
    summary: 'Enable an account',
    description: 'Enables a disabled account and its keys.',
    response: AccountReport,
    errors: ['account_not_found'],
  }),
  streams: endpoint({
    ...OPERATOR_GET,
    path: '/api/admin/streams',
    summary: 'List open streams',
    description: 'Returns the open streams, oldest first.',
    query: StreamsQuery,
    response: StreamReportList,
  }),
  invitations: endpoint({
    ...OPERATOR_GET,
    path: '/api/admin/invitations',
    summary: 'List invitations',
    description: 'Returns the invitations of the last year, newest first.',
    response: InvitationList,
  }),
  createInvitation: endpoint({
    ...OPERATOR_POST,
    path: '/api/admin/invitations',
    summary: 'Create an invitation',
    description:
      'Creates an invitation for one person, with a link that works once. The token is shown only in this response.',
    idempotent: true,
    body: InvitationRequest,
    status: 201,
    response: IssuedInvitation,
  }),
  revokeInvitation: endpoint({
    ...OPERATOR_POST,
    path: '/api/admin/invitations/{invitation}/revoke',
    summary: 'Revoke an invitation',
    description: 'Revokes an invitation that has not been used.',
    response: Invitation,
    errors: ['invitation_not_found'],
  }),
  auditLog: endpoint({
    ...OPERATOR_GET,
    path: '/api/admin/audit',
    summary: 'Read the audit log',
    description:
      'Returns sign-ins and changes to accounts, keys and sessions, newest first. The settings `audit_days` and `audit_entries` limit the log.',
    query: AuditQuery,
    response: AuditList,
  }),
  languageModel: endpoint({
    ...OPERATOR_GET,
    path: '/api/admin/language-model',
    summary: 'Get the state of the language model',
    description: 'Returns the requests of the day. In a cluster, those of the node that scores the news.',
    response: LanguageModelReport,
  }),
  markets: endpoint({
    ...OPERATOR_GET,
    path: '/api/admin/markets',
    summary: 'Get the markets',
    description: 'Returns whether the markets are simulated or live, and can be changed here.',
    response: MarketsReport,
  }),
  changeMarkets: endpoint({
    ...ADMIN,
    method: 'PUT',
    tag: 'Operator',
    path: '/api/admin/markets',
    summary: 'Change the markets',
    description:
      'Stores the choice, answers 202, and starts the service again. Streams close with 1012. Returns 200 if these markets run already.',
    body: MarketsChange,
    response: MarketsReport,
    accepted: MarketsReport,
    errors: ['markets_fixed'],
  }),
} as const;
