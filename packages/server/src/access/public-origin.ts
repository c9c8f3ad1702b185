// The origin under which browsers reach this service: the configured one, or the one of the request. X-Forwarded-Proto and
// X-Forwarded-Host count only if the peer is a trusted proxy.
import { proxyTest } from './client-address.ts';

/** Returns '' if the request does not name a usable origin. */
export type OriginOf = (request: Request, peer: string | undefined) => string;

export interface OriginOptions {
  readonly publicUrl: string | null;
  /** Whether the service itself terminates TLS. */
  readonly tls: boolean;
  readonly trustedProxies: readonly string[];
}

export function originReader({ publicUrl, tls, trustedProxies }: OriginOptions): OriginOf {
  if (publicUrl !== null) {
    const { origin } = new URL(publicUrl);
    return () => origin;
  }
  const isProxy = proxyTest(trustedProxies);
  return ({ headers }, peer) => {
    const proxied = peer !== undefined && isProxy(peer);
    // The last value was written by the proxy next to this service.
    const forwarded = (name: string): string | undefined =>
      proxied ? headers.get(name)?.split(',').at(-1)?.trim() || undefined : undefined;
    const scheme = forwarded('x-forwarded-proto') ?? (tls ? 'https' : 'http');
    const host = forwarded('x-forwarded-host') ?? headers.get('host') ?? '';
    const url = URL.parse(`${scheme}://${host}`);
    return url && /^https?:$/.test(url.protocol) ? url.origin : '';
  };
}
