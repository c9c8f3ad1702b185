// A WebSocket to another server, through the proxy that the environment names for its address.
import { type ProxySettings, proxyFor } from '../config/proxy.ts';

/** The DOM types, which the workspace shares with the terminal, have neither `terminate` nor a proxy. */
export type ClientSocket = WebSocket & Pick<Bun.WebSocket, 'terminate'>;

export function openClientSocket(url: URL, proxies: ProxySettings): ClientSocket {
  const proxy = proxyFor(url, proxies);
  const options = proxy === null ? {} : { proxy };
  return new WebSocket(url, options as unknown as string[]) as ClientSocket;
}
