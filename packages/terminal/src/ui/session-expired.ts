// A request that finds the session expired ends it, wherever in the page it was sent.
import { TickwireError } from '@tickwire/client';
import { createContext } from 'preact';

/** Called if a request finds the session expired. */
export const SessionExpired = createContext<(error: unknown) => void>(() => {});

const CODES = ['invalid_session', 'session_required', 'missing_key', 'invalid_key'];

/** A wrong password or code has the same status, but leaves the session as it is. */
export const isExpired = (error: unknown): boolean =>
  error instanceof TickwireError && error.status === 401 && CODES.includes(error.code);
