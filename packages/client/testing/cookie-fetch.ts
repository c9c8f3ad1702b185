// A fetch that behaves like a browser on a page of the service: it keeps the session cookie and sends an Origin header.
import type { Fetch } from '../src/rest/request.ts';

export function cookieFetch(origin: string): Fetch {
  let cookie: string | null = null;
  return async (url, init) => {
    const headers = new Headers(init.headers);
    if (init.method !== 'GET') headers.set('Origin', origin);
    if (cookie !== null) headers.set('Cookie', cookie);
    const response = await fetch(url, { ...init, headers });
    const set = response.headers.get('Set-Cookie');
    if (set !== null) cookie = /Max-Age=0\b/.test(set) ? null : set.split(';', 1)[0]!;
    return response;
  };
}
