// Who is calling: the peer's address, or, where the peer is a trusted proxy, the last address in X-Forwarded-For that is
// not itself one. IPv6 callers count by /64, since one of them owns at least that much.
import { BlockList, isIP } from 'node:net';

export type AddressOf = (peer: string | undefined, forwardedFor: string | null) => string;

/** Whether an address is one of the trusted proxies. */
export function proxyTest(trusted: readonly string[]): (address: string) => boolean {
  const proxies = new BlockList();
  for (const network of trusted) {
    const [address, bits] = network.split('/') as [string, string | undefined];
    const family = isIP(address) === 6 ? 'ipv6' : 'ipv4';
    proxies.addSubnet(address, bits === undefined ? (family === 'ipv6' ? 128 : 32) : Number(bits), family);
  }
  return (text) => {
    const address = plain(text);
    return isIP(address) !== 0 && proxies.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4');
  };
}

export function addressReader(trusted: readonly string[]): AddressOf {
  const isProxy = proxyTest(trusted);
  return (peer, forwardedFor) => {
    let address = plain(peer ?? 'unknown');
    if (trusted.length > 0 && forwardedFor && isProxy(address)) {
      for (const hop of forwardedFor.split(',').slice(-20).reverse()) {
        const next = plain(hop.trim());
        // A proxy we trust wrote this hop; if it is not an address, the one before it is the last we know.
        if (isIP(next) === 0) break;
        address = next;
        if (!isProxy(address)) break;
      }
    }
    return address;
  };
}

/** IPv4 in IPv6 clothes (::ffff:1.2.3.4) is the IPv4 address; ports and brackets that some proxies add go. */
function plain(address: string): string {
  const bare = address.replace(/^\[([^\]]+)\](:\d+)?$/, '$1').replace(/^(\d+\.\d+\.\d+\.\d+):\d+$/, '$1');
  return bare.startsWith('::ffff:') && isIP(bare.slice(7)) === 4 ? bare.slice(7) : bare;
}

/** What counts as one caller. */
export function callerNetwork(address: string): string {
  if (isIP(address) !== 6) return address;
  const [head = '', tail] = address.split('%')[0]!.toLowerCase().split('::') as [string, string | undefined];
  const left = head ? head.split(':') : [];
  const right = tail ? tail.split(':') : [];
  const groups =
    tail === undefined ? left : [...left, ...Array(Math.max(0, 8 - left.length - right.length)).fill('0'), ...right];
  return `${groups
    .slice(0, 4)
    .map((group) => group.replace(/^0+(?=.)/, ''))
    .join(':')}::/64`;
}
