// One outgoing HTTP request to an address that others chose. The host is resolved and checked first, and the connection goes
// to the checked address, which prevents DNS rebinding. Redirects are not followed. TLS is verified for the host's name.
import { isIP } from 'node:net';
import { type ProxySettings, proxyFor } from '../config/proxy.ts';
import { publicAddresses, type ResolveHost, resolveAll } from './public-address.ts';

/** Number of a host's addresses that are tried. */
const MAX_ADDRESSES = 3;

/** Which addresses may be reached, and how. */
export interface PublicOnly {
  /** Whether this host may have a private address. */
  readonly allowPrivate: (url: URL) => boolean;
  readonly proxies?: ProxySettings | undefined;
  readonly resolve?: ResolveHost | undefined;
  /** Additional trusted certificates. */
  readonly ca?: string | undefined;
}

export interface PinnedInit extends Pick<RequestInit, 'method' | 'body'> {
  readonly headers: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
}

/** Sends one request: to an address that was just checked or, through a proxy, by name for the proxy to resolve. */
export async function pinnedFetch(url: URL, given: PinnedInit, rule: PublicOnly): Promise<Response> {
  const { proxies = {}, resolve = resolveAll, ca } = rule;
  const { headers, signal } = given;
  const allowPrivate = rule.allowPrivate(url);
  // A new connection for TLS: one that was opened for another name at the same address must not be reused.
  const keepalive = url.protocol === 'http:';
  const init = { ...given, redirect: 'manual', decompress: false, keepalive } as const;
  const proxy = proxyFor(url, proxies);
  if (proxy !== null) {
    // The proxy resolves names, and may reach a network that this machine does not: what is known to be private is rejected
    // here. A name that cannot be resolved here is left to the proxy, whose machine may be the only one with a resolver.
    const known: ResolveHost = async (name) => {
      if (isLocalName(name)) return ['127.0.0.1'];
      return unlessAborted(Promise.resolve(resolve(name)), signal).catch(() => []);
    };
    if (!allowPrivate) await publicAddresses(url.hostname, known, false);
    return fetch(url, { ...init, proxy, ...(ca !== undefined && { tls: { ca } }) });
  }
  const addresses = await unlessAborted(publicAddresses(url.hostname, resolve, allowPrivate), signal);
  let reason: unknown = new Error(`${url.hostname} has no address`);
  for (const address of addresses.slice(0, MAX_ADDRESSES)) {
    const pinned = new URL(url);
    pinned.hostname = isIP(address) === 6 ? `[${address}]` : address;
    const named = isIP(url.hostname.replace(/^\[(.*)\]$/, '$1')) === 0;
    const tls = { ...(named && { serverName: url.hostname }), ...(ca !== undefined && { ca }) };
    try {
      // `proxy: false`: the proxy variables of the environment were evaluated above.
      const direct = { ...init, headers: { ...headers, Host: url.host }, tls, proxy: false };
      return await fetch(pinned, direct as unknown as BunFetchRequestInit);
    } catch (error) {
      if (signal.aborted) throw error;
      reason = error;
    }
  }
  throw reason;
}

/** Why a request failed, without the runtime's hints and the URL, which may be secret. */
export const failureReason = (error: unknown): string => {
  const { code, message } = error as { code?: unknown; message?: string };
  const text = (message ?? String(error)).replace(/ fetching .*$| For more information.*$/s, '');
  return (typeof code === 'string' && !text.includes(code) ? `${code}: ${text}` : text).slice(0, 200);
};

/** Names of a local network, among them all without a dot: resolvers complete those with the domain of the network. */
export const isLocalName = (name: string): boolean =>
  (isIP(name.replace(/^\[(.*)\]$/, '$1')) === 0 && !name.includes('.')) ||
  /(^|\.)(localhost|local|internal|localdomain)$/i.test(name);

/** The result of the work, or an error as soon as the signal is aborted. */
export function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    signal.addEventListener('abort', () => reject(new Error(String(signal.reason))), { once: true });
    work.then(resolve, reject);
  });
}
