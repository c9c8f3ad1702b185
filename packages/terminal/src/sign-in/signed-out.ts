// Why a user who was signed in has to sign in again, in words.
import { TickwireError } from '@tickwire/client';
import { explain } from '../ui/failure.ts';

export interface SignedOut {
  readonly title: string;
  readonly text: string;
}

const RETURN = 'Sign in to return to this page.';

/** `reason`: the error that ended the session. */
export function whySignedOut(reason: unknown): SignedOut {
  const code = reason instanceof TickwireError ? reason.code : '';
  if (code === 'invalid_key')
    return {
      title: 'Your API key no longer works',
      text: `It has expired or was revoked. ${RETURN} You can also use another key.`,
    };
  if (reason instanceof TickwireError && reason.status === 401)
    return {
      title: 'You were signed out',
      text: `Your session has expired, or it was ended from another browser. ${RETURN}`,
    };
  return { title: 'You were signed out', text: `${explain(reason).general} ${RETURN}` };
}
