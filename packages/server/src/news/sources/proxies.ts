// Which proxy a request goes through, by the usual variables HTTP_PROXY, HTTPS_PROXY and NO_PROXY. The values come from the
// caller: the environment is read elsewhere.

export interface ProxySettings {
  readonly http?: string | undefined;
  readonly https?: string | undefined;
  /** Hosts that are asked directly, with commas between: names (and what ends in them), addresses, `*`. */
  readonly except?: string | undefined;
}

/** Null where the host is asked directly. */
export function proxyFor({ protocol, hostname, host }: URL, { http, https, except }: ProxySettings): string | null {
  const proxy = (protocol === 'https:' ? https : http)?.trim();
  if (!proxy) return null;
  const bare = hostname.replace(/^\[(.*)\]$/, '$1');
  const direct = (except ?? '').split(',').some((entry) => {
    const name = entry
      .trim()
      .toLowerCase()
      .replace(/^\*?\./, '');
    return name !== '' && (name === '*' || name === bare || name === host || bare.endsWith(`.${name}`));
  });
  return direct ? null : proxy;
}
