// Which part answers which endpoint.
import type {
  CoverageQuery,
  EndpointName,
  LogQuery,
  MarketQuery,
  NewsQuery,
  NewsSentimentQuery,
  PublishersQuery,
  SignalQuery,
} from '@tickwire/contract';
import { acting, type Caller } from '../access/caller.ts';
import type { Keyring } from '../access/keyring.ts';
import type { AiAnswers } from '../ai/http.ts';
import type { AccountAnswers } from './account.ts';
import type { Answers } from './answers.ts';
import type { Tagged } from './conditional.ts';
import type { FloorAnswers } from './floor-answers.ts';
import type { PeerLookup } from './guard.ts';
import type { KeyAnswers } from './keys.ts';
import type { NewsAnswers } from './news.ts';
import type { OperatorAnswers } from './operator.ts';
import { type Checks, readiness } from './readiness.ts';
import type { SignalAnswers } from './signals.ts';

export interface AnsweringParts {
  readonly answers: Answers;
  readonly signals: SignalAnswers;
  readonly news: NewsAnswers;
  readonly ai: AiAnswers;
  /** Here, or passed on. */
  readonly floor: FloorAnswers;
  readonly accounts: AccountAnswers;
  readonly keys: KeyAnswers;
  readonly operator: OperatorAnswers;
  readonly keyring: Keyring;
  /** What `/readyz` reports, part by part. */
  readonly checks: () => Checks;
  readonly stopping: () => boolean;
}

export interface Call {
  /** Of the path. */
  readonly params: Readonly<Record<string, string>>;
  readonly query: Record<string, unknown>;
  readonly caller: Caller | null;
  readonly now: number;
  readonly request: Request;
  readonly peers: PeerLookup;
}

/** JSON text with the cookie of a session, or its end. */
export interface WithCookie {
  readonly body: string;
  readonly cookie: string;
}

/** JSON text, or one that is known by a tag, or one with a cookie. */
export type Answered = string | Tagged | WithCookie;
export type Answer = (call: Call) => Answered | Promise<Answered>;

export function answerTable(parts: AnsweringParts): { readonly [K in EndpointName]: Answer } {
  const { answers, signals, news, ai, floor, accounts, keys, operator, keyring, checks, stopping } = parts;
  /** An answer of a model, counted in what the caller has used over time. */
  const asked = async (caller: Caller, answer: Promise<string>): Promise<string> => {
    const text = await answer;
    keyring.asked(caller);
    return text;
  };
  return {
    ...floor,
    symbols: () => answers.symbols(),
    market: ({ params, query }) => answers.market(params.symbol!, query as MarketQuery),
    quote: ({ params }) => answers.quote(params.symbol!),
    quotes: ({ query }) => answers.quotes(query.symbols as string[] | undefined),
    signals: ({ query }) => signals.list(query as SignalQuery),
    signal: ({ params }) => signals.detail(params.id!),
    signalLog: ({ query }) => signals.log(query as LogQuery),
    publishers: ({ query }) => signals.publishers(query as PublishersQuery),
    publisher: ({ params }) => signals.publisher(params.name!),
    news: ({ query }) => news.list(query as NewsQuery),
    newsSentiment: ({ query, now }) => news.sentiment(query as NewsSentimentQuery, now),
    newsCalibration: ({ now }) => news.calibration(now),
    aiSentiment: ({ request, caller, now }) => asked(caller!, ai.sentiment(request, acting(caller!), now)),
    aiBrief: ({ params, caller, now }) => asked(caller!, ai.brief(params.symbol!, acting(caller!), now)),
    aiModels: () => ai.models(),
    registration: () => accounts.registration(),
    setUp: (call) => accounts.setUp(call),
    signUp: (call) => accounts.signUp(call),
    signIn: (call) => accounts.signIn(call),
    signOut: (call) => accounts.signOut(call),
    signOutEverywhere: (call) => accounts.signOutEverywhere(call),
    changePassword: (call) => accounts.changePassword(call),
    deleteAccount: (call) => accounts.deleteAccount(call),
    account: (call) => accounts.account(call),
    sessions: (call) => accounts.sessions(call),
    revokeSession: (call) => accounts.revokeSession(call),
    keys: (call) => keys.list(call),
    createKey: (call) => keys.create(call),
    rotateKey: (call) => keys.rotate(call),
    revokeKey: (call) => keys.revoke(call),
    usageHistory: (call) => keys.history(call),
    accounts: (call) => operator.accounts(call),
    setAccountTier: (call) => operator.setTier(call),
    disableAccount: (call) => operator.disable(call),
    enableAccount: (call) => operator.enable(call),
    streams: (call) => operator.streams(call),
    invitations: (call) => operator.invitations(call),
    createInvitation: (call) => operator.invite(call),
    revokeInvitation: (call) => operator.revokeInvitation(call),
    session: ({ now }) => answers.session(now),
    usage: ({ caller, now }) => answers.usage(caller!, now),
    coverage: ({ params, query, now }) => answers.coverage(params.symbol!, query as CoverageQuery, now),
    healthz: () => JSON.stringify({ status: stopping() ? 'stopping' : 'ok' }),
    readyz: () => readiness(checks(), stopping()),
  };
}
