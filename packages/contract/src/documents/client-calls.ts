// How the TypeScript and the Python client call each endpoint: examples of the reference and snippets of the terminal are written
// from this. It imports no schema, so that browsers can load it.
import type { EndpointName } from './endpoints.ts';

interface ClientCall {
  /** Method of the TypeScript client. By default, the name of the endpoint. */
  readonly method?: string;
  /** Method of the Python client. By default, the TypeScript one in snake case. */
  readonly python?: string;
  /** A query parameter or field of the body that is a separate argument, after those of the path. */
  readonly leading?: string;
  /** The Python method takes the body as one dictionary. In the others, its fields are keyword arguments. */
  readonly dictionary?: true;
  /** A field that the Python client sets itself. */
  readonly setByPython?: string;
}

const CALLS: Partial<Record<EndpointName, ClientCall>> = {
  quotes: { leading: 'symbols' },
  severalBars: { leading: 'symbols' },
  indicators: { leading: 'name' },
  udfConfig: { method: 'udf.config' },
  udfSymbol: { method: 'udf.symbol' },
  udfSearch: { method: 'udf.search' },
  udfHistory: { method: 'udf.history' },
  udfMarks: { method: 'udf.marks' },
  udfQuotes: { method: 'udf.quotes' },
  udfTime: { method: 'udf.time' },
  parseSignal: { leading: 'text' },
  // A `signer` signs the request.
  closeSignal: { setByPython: 'signed' },
  tradingViewHook: { dictionary: true },
  aiSentiment: { dictionary: true },
  changeAlert: { dictionary: true },
  createDestination: { dictionary: true },
  verifyDestination: { leading: 'code' },
  account: { method: 'account.get' },
  registration: { method: 'account.registration' },
  setUp: { method: 'account.setUp' },
  checkSetup: { method: 'account.checkSetup' },
  checkInvitation: { method: 'account.checkInvitation' },
  signUp: { method: 'account.signUp' },
  signIn: { method: 'account.signIn' },
  signOut: { method: 'account.signOut' },
  signOutEverywhere: { method: 'account.signOutEverywhere' },
  changePassword: { method: 'account.changePassword' },
  confirmSession: { method: 'account.confirm' },
  deleteAccount: { method: 'account.delete' },
  sessions: { method: 'account.sessions' },
  revokeSession: { method: 'account.revokeSession' },
  twoFactor: { method: 'account.twoFactor' },
  setUpTwoFactor: { method: 'account.setUpTwoFactor', leading: 'password' },
  confirmTwoFactor: { method: 'account.confirmTwoFactor', leading: 'code' },
  disableTwoFactor: { method: 'account.disableTwoFactor' },
  documents: { method: 'account.documents.list', python: 'account.documents' },
  document: { method: 'account.documents.get', python: 'account.document' },
  putDocument: { method: 'account.documents.put', python: 'account.put_document' },
  deleteDocument: { method: 'account.documents.remove', python: 'account.delete_document' },
  signingKey: { method: 'account.signingKey' },
  setSigningKey: { method: 'account.setSigningKey', leading: 'public_key' },
  keys: { method: 'keys.list' },
  createKey: { method: 'keys.create' },
  rotateKey: { method: 'keys.rotate' },
  revokeKey: { method: 'keys.revoke' },
  links: { method: 'links.list' },
  createLink: { method: 'links.create' },
  revokeLink: { method: 'links.revoke' },
  accounts: { method: 'admin.accounts' },
  setAccountTier: { method: 'admin.setTier', leading: 'tier' },
  disableAccount: { method: 'admin.disable' },
  enableAccount: { method: 'admin.enable' },
  streams: { method: 'admin.streams' },
  invitations: { method: 'admin.invitations' },
  createInvitation: { method: 'admin.createInvitation' },
  revokeInvitation: { method: 'admin.revokeInvitation' },
  auditLog: { method: 'admin.auditLog' },
  languageModel: { method: 'admin.languageModel' },
  markets: { method: 'admin.markets' },
  changeMarkets: { method: 'admin.changeMarkets' },
  voidSignal: { method: 'admin.voidSignal', leading: 'reason' },
};

const callOf = (endpoint: string): ClientCall => CALLS[endpoint as EndpointName] ?? {};

export interface CallValues {
  /** Values of the path parameters, in their order. */
  readonly path: readonly unknown[];
  readonly query: Readonly<Record<string, unknown>>;
  /** Bodies: one document, or each line. */
  readonly body: { readonly lines: boolean; readonly documents: readonly unknown[] } | null;
}

/** Such as `keys.create`. */
export const typescriptMethod = (endpoint: string): string => callOf(endpoint).method ?? endpoint;

/** Such as `account.sign_in`. */
export const pythonMethod = (endpoint: string): string =>
  callOf(endpoint).python ?? typescriptMethod(endpoint).replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** How the Python client takes the arguments of an endpoint. */
export const pythonCall = (endpoint: string): { method: string; leading: string | null; dictionary: boolean } => ({
  method: pythonMethod(endpoint),
  leading: callOf(endpoint).leading ?? null,
  dictionary: callOf(endpoint).dictionary ?? false,
});

/** Path parameters, leading values, options or the body. */
export function typescriptArguments(endpoint: string, values: CallValues): readonly unknown[] {
  const { leading, fields } = split(endpoint, values);
  const lines = values.body?.lines ? [values.body.documents] : [];
  return [...values.path, ...leading, ...(Object.keys(fields).length > 0 ? [fields] : []), ...lines];
}

export interface PythonArguments {
  readonly positional: readonly unknown[];
  readonly keywords: Readonly<Record<string, unknown>>;
}

export function pythonArguments(endpoint: string, values: CallValues): PythonArguments {
  const { leading, fields } = split(endpoint, values);
  const { dictionary, setByPython } = callOf(endpoint);
  const lines = values.body?.lines ? [values.body.documents] : [];
  const positional = [...values.path, ...leading, ...lines];
  if (dictionary) return { positional: [...positional, fields], keywords: {} };
  const keywords = Object.entries(fields)
    .filter(([name]) => name !== setByPython)
    // `from` is a word of the language.
    .map(([name, value]) => [name === 'from' ? 'from_' : name, value]);
  return { positional, keywords: Object.fromEntries(keywords) };
}

function split(
  endpoint: string,
  { query, body }: CallValues,
): { readonly leading: readonly unknown[]; readonly fields: Readonly<Record<string, unknown>> } {
  const { leading } = callOf(endpoint);
  const document = body && !body.lines ? (body.documents[0] as object) : {};
  const entries = Object.entries({ ...query, ...document });
  return {
    leading: entries.filter(([name]) => name === leading).map(([, value]) => value),
    fields: Object.fromEntries(entries.filter(([name]) => name !== leading)),
  };
}

/** Methods of `client.live` that loop over a channel, and a name for one of their messages. The ingest channel has none. */
export const LIVE_METHODS: Readonly<Record<string, readonly [method: string, message: string]>> = {
  market: ['ticks', 'tick'],
  orderflow: ['orderFlow', 'flow'],
  perpetual: ['perpetuals', 'update'],
  signals: ['signals', 'signal'],
  news: ['news', 'item'],
  alerts: ['alerts', 'firing'],
};
