// Restricts outgoing requests to addresses of the public internet. All others belong to this machine, its network or nobody: a
// feed or webhook that points there may be an attack on the service (SSRF).
import { lookup } from 'node:dns/promises';
import { BlockList, isIP } from 'node:net';

/** IANA's special-purpose registries (RFC 6890 and later), without the globally reachable ranges; of IPv6, what is in 2000::/3. */
const NOT_PUBLIC: readonly string[] = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10', // carrier-grade NAT; Alibaba's metadata
  '127.0.0.0/8',
  '168.63.129.16/32', // Azure's host agent: a public address that the hypervisor answers
  '169.254.0.0/16', // link-local; metadata of most clouds
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
  '2001::/23', // Teredo and other protocols
  '2001:db8::/32',
  '3fff::/20',
];

/** Prefixes that embed an IPv4 address, and the group (of eight) at which it starts. */
const EMBEDDINGS: readonly { readonly prefix: string; readonly group: number }[] = [
  { prefix: '::ffff:0:0/96', group: 6 },
  { prefix: '64:ff9b::/96', group: 6 },
  { prefix: '2002::/16', group: 1 },
];

/** IANA has allocated public IPv6 addresses only here. */
const GLOBAL_UNICAST = '2000::/3';
/** ISATAP: the interface part of any prefix embeds an IPv4 address behind these groups. */
const ISATAP: readonly (readonly [number, number])[] = [
  [0, 0x5efe],
  [0x200, 0x5efe],
];

const blocked = blockList(NOT_PUBLIC);
const globalUnicast = blockList([GLOBAL_UNICAST]);
const embeddings = EMBEDDINGS.map(({ prefix, group }) => ({ list: blockList([prefix]), group }));

/** `address` without brackets. */
export function isPublicAddress(address: string): boolean {
  const family = isIP(address);
  // A zone id (fe80::1%eth0) names an interface of this machine.
  if (family === 0 || address.includes('%')) return false;
  if (family === 4) return !blocked.check(address, 'ipv4');
  const groups = groupsOf(address);
  const embedded = (group: number): string => {
    const [high, low] = groups.slice(group) as [number, number];
    return [high >> 8, high & 255, low >> 8, low & 255].join('.');
  };
  const embedding = embeddings.find(({ list }) => list.check(address, 'ipv6'));
  if (embedding) return isPublicAddress(embedded(embedding.group));
  if (!globalUnicast.check(address, 'ipv6') || blocked.check(address, 'ipv6')) return false;
  return !ISATAP.some(([first, second]) => groups[4] === first && groups[5] === second) || isPublicAddress(embedded(6));
}

export class PrivateAddressError extends Error {
  override name = 'PrivateAddress';
}

/**
 * Addresses of a host, IPv4 first, so that a machine without IPv6 does not wait for it. Throws `PrivateAddressError` if any
 * of them is private, or the error of the resolver.
 */
export async function publicAddresses(
  hostname: string,
  resolve: ResolveHost,
  allowPrivate: boolean,
): Promise<string[]> {
  const bare = hostname.replace(/^\[(.*)\]$/, '$1').replace(/\.$/, '');
  const addresses = isIP(bare) === 0 ? [...(await resolve(bare))] : [bare];
  const privateAddress = allowPrivate ? undefined : addresses.find((address) => !isPublicAddress(address));
  if (privateAddress === bare) throw new PrivateAddressError(`${bare} is a private address`);
  if (privateAddress !== undefined)
    throw new PrivateAddressError(`${bare} resolves to ${privateAddress}, a private address`);
  return addresses.sort((a, b) => isIP(a) - isIP(b));
}

export type ResolveHost = (hostname: string) => Promise<readonly string[]>;

export const resolveAll: ResolveHost = async (hostname) =>
  (await lookup(hostname, { all: true })).map(({ address }) => address);

function blockList(prefixes: readonly string[]): BlockList {
  const list = new BlockList();
  for (const prefix of prefixes) {
    const [network, bits] = prefix.split('/');
    list.addSubnet(network!, Number(bits), network!.includes(':') ? 'ipv6' : 'ipv4');
  }
  return list;
}

/** The eight groups of an IPv6 address in any notation. */
function groupsOf(address: string): number[] {
  const hexadecimal = address.replace(/[\d.]+$/, (end) => {
    if (!end.includes('.')) return end;
    const [a, b, c, d] = end.split('.').map(Number) as [number, number, number, number];
    return `${(a * 256 + b).toString(16)}:${(c * 256 + d).toString(16)}`;
  });
  const [head = '', tail] = hexadecimal.split('::');
  const left = head === '' ? [] : head.split(':');
  const right = tail === undefined || tail === '' ? [] : tail.split(':');
  const zeros = new Array(8 - left.length - right.length).fill('0');
  return [...left, ...zeros, ...right].map((group) => Number.parseInt(group, 16));
}
