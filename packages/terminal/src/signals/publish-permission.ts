// Who can publish. A session knows its account's permissions; those of an API key only the service knows, so it may try.
import type { SignalDetail } from '@tickwire/client';
import type { Session } from '../services/session.ts';

type Owner = Pick<Session, 'account'>;

export const mayPublish = ({ account }: Owner): boolean => account === null || account.scopes.includes('publish');

/** With an API key any signal may be the user's own: the service decides. */
export const mayBeOwn = (session: Owner, { publisher, user }: SignalDetail): boolean =>
  mayPublish(session) &&
  (session.account === null || session.account.id === publisher || session.account.name === user);
