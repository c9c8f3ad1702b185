// The session cookie. Over HTTPS its name has the `__Host-` prefix, by which browsers bind it to this host and to TLS.

const nameOf = (secure: boolean): string => (secure ? '__Host-tickwire' : 'tickwire');

/** SameSite=Strict: browsers do not send it with requests from other sites, not even when a link is followed. */
const cookie = (value: string, maxAge: number, secure: boolean): string =>
  `${nameOf(secure)}=${value}; Path=/; Max-Age=${maxAge}; HttpOnly; SameSite=Strict${secure ? '; Secure' : ''}`;

/** `maxMs`: the longest life of a session. The service ends it earlier if it is not used. */
export const sessionCookie = (token: string, maxMs: number, secure: boolean): string =>
  cookie(token, Math.floor(maxMs / 1000), secure);

export const expiredSessionCookie = (secure: boolean): string => cookie('', 0, secure);

/** The session token in a Cookie header, or `null` if there is none. */
export function readSessionCookie(header: string | null, secure: boolean): string | null {
  if (header === null) return null;
  const start = `${nameOf(secure)}=`;
  for (const pair of header.split(';')) {
    const trimmed = pair.trim();
    if (trimmed.startsWith(start) && trimmed.length > start.length) return trimmed.slice(start.length);
  }
  return null;
}
