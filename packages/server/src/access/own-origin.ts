// By what origin browsers know this service: told in the configuration, or read off the request. Where the peer is a trusted
// proxy its X-Forwarded-Proto and -Host count; nobody else's do.
import { proxyTest } from './client-address.ts';

/** '' where the request says nothing that could be one. */
export type OriginOf = (request: Request, peer: string | undefined) => string;

export interface OriginOptions {
  readonly publicUrl: string | null;
  /** The service itself speaks TLS. */
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
    // The last is what the proxy next to us wrote.
    const forwarded = (name: string): string | undefined =>
      proxied ? headers.get(name)?.split(',').at(-1)?.trim() || undefined : undefined;
    const scheme = forwarded('x-forwarded-proto') ?? (tls ? 'https' : 'http');
    const host = forwarded('x-forwarded-host') ?? headers.get('host') ?? '';
    const url = URL.parse(`${scheme}://${host}`);
    return url && /^https?:$/.test(url.protocol) ? url.origin : '';
  };
}
