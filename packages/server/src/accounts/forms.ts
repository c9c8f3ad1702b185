// What people enter to sign up, sign in and change their password, and what a sign-in returns.
import type { Confirmation } from '@tickwire/contract';
import type { Caller } from '../access/caller.ts';

/** The origin of a sign-in, as shown in the list of sessions. */
export interface SignInOrigin {
  readonly address: string;
  readonly browser: string;
}

export interface SignedIn {
  readonly caller: Caller;
  /** The value of the session cookie. The store has only its hash. */
  readonly token: string;
}

export interface SignUpForm {
  readonly name: string;
  readonly password: string;
  /** Of the invitation or setup link, if there is one. */
  readonly token: string | null;
}

export interface PasswordChangeForm {
  readonly confirmation: Confirmation;
  readonly newPassword: string;
  readonly revokeKeys: boolean;
  readonly address: string;
}
