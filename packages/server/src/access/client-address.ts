// The address of a client: the peer's address or, if the peer is a trusted proxy, the last address in X-Forwarded-For that
// is not a trusted proxy. IPv6 clients count by /64 network, since a single client usually has a whole one.
import { BlockList, isIP } from 'node:net';

export type AddressOf = (peer: string | undefined, forwardedFor: string | null) => string;

/** Tests whether an address belongs to a trusted proxy. */
export function proxyTest(trusted: readonly string[]): (address: string) => boolean {
  const proxies = new BlockList();
  for (const network of trusted) {
    const [address, bits] = network.split('/') as [string, string | undefined];
    const family = isIP(address) === 6 ? 'ipv6' : 'ipv4';
    proxies.addSubnet(address, bits === undefined ? (family === 'ipv6' ? 128 : 32) : Number(bits), family);
  }
  return (text) => {
    const address = normalize(text);
    return isIP(address) !== 0 && proxies.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4');
  };
}

export function addressReader(trusted: readonly string[]): AddressOf {
  const isProxy = proxyTest(trusted);
  return (peer, forwardedFor) => {
    let address = normalize(peer ?? 'unknown');
    if (trusted.length > 0 && forwardedFor && isProxy(address)) {
      for (const hop of forwardedFor.split(',').slice(-20).reverse()) {
        const next = normalize(hop.trim());
        // A trusted proxy wrote this hop. If it is not an address, the previous one is the last that is known.
        if (isIP(next) === 0) break;
        address = next;
        if (!isProxy(address)) break;
      }
    }
    return address;
  };
}

/** Turns an IPv4-mapped address (::ffff:1.2.3.4) into IPv4, and removes the port and brackets that some proxies add. */
function normalize(address: string): string {
  const bare = address.replace(/^\[([^\]]+)\](:\d+)?$/, '$1').replace(/^(\d+\.\d+\.\d+\.\d+):\d+$/, '$1');
  return bare.startsWith('::ffff:') && isIP(bare.slice(7)) === 4 ? bare.slice(7) : bare;
}

/** The network that limits per client are counted by: the address itself for IPv4, the /64 for IPv6. */
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
