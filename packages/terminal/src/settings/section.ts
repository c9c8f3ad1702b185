// What every section of the settings is handed, and how it is laid out.
import type { Account, TickwireClient } from '@tickwire/client';
import { box, make } from '../elements.ts';
import type { IssuedKeys } from './issued-keys.ts';

export interface SettingsContext {
  readonly client: TickwireClient;
  readonly account: Account;
  /** The session has ended, by wish or otherwise: then with the reason. */
  readonly onSignedOut: (reason?: unknown) => void;
  readonly issued: IssuedKeys;
  /** Aborted when the section is left. */
  readonly signal: AbortSignal;
}

export interface Section {
  /** In the address: `/settings#keys`. */
  readonly id: string;
  readonly title: string;
  readonly intro: string;
  readonly show: (context: SettingsContext) => readonly Node[];
}

export function panel(title: string, ...inside: readonly (Node | string)[]): HTMLElement {
  return box('section', 'settings-panel', make('h2', '', title), ...inside);
}
