// The address in the browser, as a signal: a component that reads it renders again when the user navigates.
import { signal } from '@preact/signals';

export interface Address {
  readonly pathname: string;
  readonly search: string;
  readonly hash: string;
}

export const currentAddress = signal<Address>({ pathname: '/', search: '', hash: '' });

/** Called by the router after every change. */
export function readCurrentAddress(): void {
  const { pathname, search, hash } = location;
  const before = currentAddress.peek();
  if (before.pathname === pathname && before.search === search && before.hash === hash) return;
  currentAddress.value = { pathname, search, hash };
}
