// What the account service needs of a throttle: SignInThrottle in one process, SharedSignInThrottle over all gateways of a cluster.
import type { Attempt } from './sign-in-throttle.ts';

type Registered = Pick<Attempt, 'abandon'>;

/** Each method throws `too_many_attempts` over its limit. Times are epoch milliseconds. */
export interface AttemptThrottle {
  /** `known`: the account has a session from this network, or has recently signed in from it. */
  signIn(name: string, address: string, known: boolean, now: number): Attempt | Promise<Attempt>;
  /** Counts a sign-up or setup, successful or not. */
  register(address: string, now: number): Registered | Promise<Registered>;
  /** Whether somebody, or the account with this name, has signed in from this address recently. */
  trusts(address: string, now: number, name?: string): boolean;
  /** Counts a password that a signed-in session must repeat. */
  password(account: string, now: number): Attempt | Promise<Attempt>;
}
