// Calls as a page of the service makes them: the browser keeps the cookie it is given, and says where requests come from.
import type { Fetch } from './rest.ts';

export function pageFetch(origin: string): Fetch {
  let cookie: string | null = null;
  return async (url, init) => {
    const headers = new Headers(init.headers);
    if (init.method !== 'GET') headers.set('Origin', origin);
    if (cookie !== null) headers.set('Cookie', cookie);
    const answer = await fetch(url, { ...init, headers });
    const set = answer.headers.get('Set-Cookie');
    if (set !== null) cookie = /Max-Age=0\b/.test(set) ? null : set.split(';', 1)[0]!;
    return answer;
  };
}
