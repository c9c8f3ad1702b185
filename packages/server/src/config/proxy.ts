// Selects the proxy of an outgoing request by the rules of HTTP_PROXY, HTTPS_PROXY and NO_PROXY. The values are passed in:
// only config.ts reads the environment.

export interface ProxySettings {
  readonly http?: string | undefined;
  readonly https?: string | undefined;
  /** Comma-separated hosts that need no proxy: names (including subdomains), addresses, or `*`. */
  readonly except?: string | undefined;
}

/** The address of the proxy for a URL; `null` for a direct connection. */
export function proxyFor({ protocol, hostname, host }: URL, { http, https, except }: ProxySettings): string | null {
  const proxy = (protocol === 'https:' || protocol === 'wss:' ? https : http)?.trim();
  if (!proxy) return null;
  const bare = hostname.replace(/^\[(.*)\]$/, '$1');
  const direct = (except ?? '').split(',').some((entry) => {
    const name = entry
      .trim()
      .toLowerCase()
      .replace(/^\*?\./, '');
    return name !== '' && (name === '*' || name === bare || name === host || bare.endsWith(`.${name}`));
  });
  if (direct) return null;
  return proxy.includes('://') ? proxy : `http://${proxy}`;
}
