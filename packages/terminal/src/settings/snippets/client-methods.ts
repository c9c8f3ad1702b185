// The client method of each endpoint. Most have the name of the endpoint; the grouped ones are listed here.
import type { Operation } from './operations.ts';
import { givenIn, placeholder, typed, type Values } from './request.ts';

const GROUPED: Readonly<Record<string, string>> = {
  registration: 'account.registration',
  setUp: 'account.setUp',
  signUp: 'account.signUp',
  signIn: 'account.signIn',
  signOut: 'account.signOut',
  signOutEverywhere: 'account.signOutEverywhere',
  changePassword: 'account.changePassword',
  deleteAccount: 'account.delete',
  account: 'account.get',
  sessions: 'account.sessions',
  revokeSession: 'account.revokeSession',
  twoFactor: 'account.twoFactor',
  setUpTwoFactor: 'account.setUpTwoFactor',
  confirmTwoFactor: 'account.confirmTwoFactor',
  disableTwoFactor: 'account.disableTwoFactor',
  signingKey: 'account.signingKey',
  setSigningKey: 'account.setSigningKey',
  keys: 'keys.list',
  createKey: 'keys.create',
  rotateKey: 'keys.rotate',
  revokeKey: 'keys.revoke',
  accounts: 'admin.accounts',
  setAccountTier: 'admin.setTier',
  disableAccount: 'admin.disable',
  enableAccount: 'admin.enable',
  streams: 'admin.streams',
  invitations: 'admin.invitations',
  createInvitation: 'admin.createInvitation',
  revokeInvitation: 'admin.revokeInvitation',
  auditLog: 'admin.auditLog',
  voidSignal: 'admin.voidSignal',
};

/** Their methods take the value of the only field of the body. */
const SINGLE_FIELD = new Set(['setAccountTier', 'setUpTwoFactor', 'confirmTwoFactor', 'setSigningKey', 'voidSignal']);

/** Query parameters that are arguments of their own, before the options. */
const LEADING: Readonly<Record<string, string>> = { severalBars: 'symbols', indicators: 'name' };

export const methodOf = ({ name }: Operation): string => GROUPED[name] ?? name;

/** The arguments of the method: path parameters, then the query or the body. */
export function argumentsOf(operation: Operation, values: Values): readonly unknown[] {
  const { name, path, parameters, body } = operation;
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, part = '']) => values[part] || placeholder(part));
  const query = givenIn(parameters, 'query', values).map(
    (each) => [each.name, typed(each.schema, values[each.name] ?? '')] as const,
  );
  if (name === 'quotes') return query.map(([, symbols]) => symbols);
  const first = LEADING[name];
  if (first !== undefined) {
    const leading = query.filter(([each]) => each === first).map(([, value]) => value);
    const others = query.filter(([each]) => each !== first);
    return [...inPath, ...leading, ...(others.length > 0 ? [Object.fromEntries(others)] : [])];
  }
  if (SINGLE_FIELD.has(name)) return [...inPath, ...Object.values(body?.documents[0] as object)];
  const sent = body === null ? [] : body.lines ? [body.documents] : body.documents;
  return [...inPath, ...(query.length > 0 ? [Object.fromEntries(query)] : []), ...sent];
}
