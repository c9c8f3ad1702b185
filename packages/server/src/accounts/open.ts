// The parts that serve people's accounts, made and handed what they need; and what they have to do from time to time.
import type { Tier } from '@tickwire/contract';
import type { Keyring } from '../access/keyring.ts';
import { AccountAnswers } from '../http/account.ts';
import type { AnsweringParts } from '../http/answer-table.ts';
import type { Guard } from '../http/guard.ts';
import type { Answered } from '../http/idempotency.ts';
import { KeyAnswers } from '../http/keys.ts';
import { type OpenStreams, OperatorAnswers } from '../http/operator.ts';
import { ShownOnce } from '../http/shown-once.ts';
import type { AccessStore } from '../store/store.ts';
import { People, type PeopleOptions } from './people.ts';

export interface AccountsOptions {
  readonly store: AccessStore;
  readonly keyring: Keyring;
  readonly guard: Guard;
  readonly answered: Answered;
  readonly registration: PeopleOptions['registration'];
  readonly tiers: Readonly<Record<string, Tier>>;
  readonly connections: OpenStreams;
  readonly now: () => number;
}

export interface OpenAccounts {
  readonly answers: Pick<AnsweringParts, 'accounts' | 'keys' | 'operator' | 'keyring'>;
  /** Counts the time of open streams, and writes down what was used. */
  record(): Promise<void>;
  /** Forgets ended sessions and old usage. */
  forget(): Promise<void>;
}

export function openAccounts(options: AccountsOptions): OpenAccounts {
  const { store, keyring, guard, answered, registration, tiers, connections, now } = options;
  const people = new People({ store, keyring, registration, now });
  const shown = new ShownOnce(answered, now);
  return {
    answers: {
      accounts: new AccountAnswers({ people, keyring, guard }),
      keys: new KeyAnswers({ store, keyring, shown, now }),
      operator: new OperatorAnswers({ store, keyring, connections, tiers, shown, guard, now }),
      keyring,
    },
    record() {
      // A session with an open page is in use, however quiet it is.
      for (const { caller, closed } of connections) if (caller?.session && !closed) keyring.touch(caller, now());
      keyring.history.sample(connections, now());
      return keyring.history.flush(now());
    },
    async forget() {
      await people.end(keyring.sessions.expired(now()));
      await keyring.history.prune(now());
    },
  };
}
