// Whether the link of a setup or an invitation still works, asked before its form is filled in.
import type { CoreClient } from '@tickwire/client';

export type LinkKind = 'setup' | 'invitation';
/** `unknown`: the service does not know the token of the link. */
export type LinkState = 'valid' | 'used' | 'expired' | 'unknown';

type AccountCalls = Pick<CoreClient['account'], 'registration' | 'checkSetup' | 'checkInvitation'>;

/** `token`: of the link; '' if it has none. A service that does not respond leaves the answer to the form. */
export async function linkState(
  { account }: { readonly account: AccountCalls },
  kind: LinkKind,
  token: string,
): Promise<LinkState> {
  try {
    if (kind === 'setup' && !(await account.registration()).setup_needed) return 'used';
    if (token === '') return 'unknown';
    const { valid, reason } = await (kind === 'setup'
      ? account.checkSetup({ token })
      : account.checkInvitation({ token }));
    return valid ? 'valid' : (reason ?? 'unknown');
  } catch {
    return token === '' ? 'unknown' : 'valid';
  }
}
