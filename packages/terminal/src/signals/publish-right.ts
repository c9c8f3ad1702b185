// Who may publish. A session's account says it; of a key only the service knows, so it may try.
import type { Signal } from '@tickwire/client';
import type { Workspace } from '../workspace.ts';

type Person = Pick<Workspace, 'account'>;

export const mayPublish = ({ account }: Person): boolean => account === null || account.scopes.includes('publish');

/** Who came with a key may be anybody: then the service says whose it is. */
export const mayBeOwn = (person: Person, signal: Pick<Signal, 'user'> & { readonly publisher: string }): boolean =>
  mayPublish(person) &&
  (person.account === null || person.account.id === signal.publisher || person.account.name === signal.user);
