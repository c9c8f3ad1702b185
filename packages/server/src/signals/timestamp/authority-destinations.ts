// Time-stamp authorities as destinations of heads.
import type { HeadStore } from '../../store/head-store.ts';
import type { HeadDestination } from '../head-delivery.ts';
import { authorityName, timestampHead } from './timestamp-head.ts';
import { TokenChecker } from './token.ts';
import { trustedRoots } from './trusted-roots.ts';

/** `ca`: a file of trusted roots. */
export function authorityDestinations(urls: readonly string[], ca: string | null, store: HeadStore): HeadDestination[] {
  const checker = new TokenChecker(trustedRoots(ca));
  return urls.map((url) => ({
    name: authorityName(url),
    deliver: (head) => timestampHead(head, { url, store, checker }),
  }));
}
