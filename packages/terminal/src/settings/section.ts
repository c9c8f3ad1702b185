// The properties of a section of the settings.
import type { Signal } from '@preact/signals';
import type { Account, CoreClient } from '@tickwire/client';
import type { Notifier } from '../services/notifier.ts';
import type { Session } from '../services/session.ts';

/** A key that was created while the settings are open, so that snippets can contain it. Never stored. */
export interface IssuedKeyText {
  readonly id: string;
  readonly key: string;
  readonly scopes: readonly string[];
}

export interface SettingsProps {
  readonly client: CoreClient;
  readonly account: Account;
  readonly session: Pick<Session, 'end' | 'signOut'>;
  readonly notifier: Pick<Notifier, 'reportError'>;
  /** The key created last; `null` if there is none, or its owner has put it away. */
  readonly issuedKey: Signal<IssuedKeyText | null>;
}
