// Which addresses a feed may be read from: those of the public internet. The others belong to this machine, to the network
// around it or to nobody, and a publisher that points there wants something else than to publish.
import { lookup } from 'node:dns/promises';
import { BlockList, isIP } from 'node:net';

/** The special-purpose registries of IANA (RFC 6890 and later), less what is globally reachable. */
const NOT_PUBLIC: readonly string[] = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10', // carrier-grade NAT; Alibaba's metadata
  '127.0.0.0/8',
  '168.63.129.16/32', // Azure's host agent: a public address, answered by the machine below
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
  '::/96', // unspecified, loopback, and IPv4 in its oldest wrapping
  '64:ff9b:1::/48',
  '100::/64',
  '2001::/23', // Teredo and other protocols
  '2001:db8::/32',
  '3fff::/20',
  '5f00::/16',
  'fc00::/7',
  'fe80::/10',
  'fec0::/10',
  'ff00::/8',
];

/** Prefixes that wrap an IPv4 address, and where it stands in the eight groups. */
const WRAPPERS: readonly { readonly prefix: string; readonly group: number }[] = [
  { prefix: '::ffff:0:0/96', group: 6 },
  { prefix: '64:ff9b::/96', group: 6 },
  { prefix: '2002::/16', group: 1 },
];

const blocked = blockList(NOT_PUBLIC);
const wrappers = WRAPPERS.map(({ prefix, group }) => ({ list: blockList([prefix]), group }));

/** `address` as a resolver or a URL gives it, without brackets. */
export function isPublicAddress(address: string): boolean {
  const family = isIP(address);
  // A zone (fe80::1%eth0) names an interface of this machine.
  if (family === 0 || address.includes('%')) return false;
  if (family === 4) return !blocked.check(address, 'ipv4');
  const wrapper = wrappers.find(({ list }) => list.check(address, 'ipv6'));
  if (!wrapper) return !blocked.check(address, 'ipv6');
  const [high, low] = groupsOf(address).slice(wrapper.group) as [number, number];
  return isPublicAddress([high >> 8, high & 255, low >> 8, low & 255].join('.'));
}

export class PrivateAddress extends Error {
  override name = 'PrivateAddress';
}

/**
 * Addresses of a host, IPv4 first: a machine without IPv6 must not wait for it. A name with one private address is
 * private. Throws `PrivateAddress`, or what the resolver throws.
 */
export async function publicAddresses(hostname: string, resolve: Resolve, allowPrivate: boolean): Promise<string[]> {
  const bare = hostname.replace(/^\[(.*)\]$/, '$1').replace(/\.$/, '');
  const addresses = isIP(bare) === 0 ? [...(await resolve(bare))] : [bare];
  const inner = allowPrivate ? undefined : addresses.find((address) => !isPublicAddress(address));
  if (inner === bare) throw new PrivateAddress(`${bare} is a private address`);
  if (inner !== undefined) throw new PrivateAddress(`${bare} is at ${inner}, a private address`);
  return addresses.sort((a, b) => isIP(a) - isIP(b));
}

export type Resolve = (hostname: string) => Promise<readonly string[]>;

export const resolveAll: Resolve = async (hostname) =>
  (await lookup(hostname, { all: true })).map(({ address }) => address);

function blockList(prefixes: readonly string[]): BlockList {
  const list = new BlockList();
  for (const prefix of prefixes) {
    const [network, bits] = prefix.split('/');
    list.addSubnet(network!, Number(bits), network!.includes(':') ? 'ipv6' : 'ipv4');
  }
  return list;
}

/** The eight groups of an IPv6 address, whatever way it is written. */
function groupsOf(address: string): number[] {
  const canonical = new URL(`http://[${address}]/`).hostname.slice(1, -1);
  const [head = '', tail] = canonical.split('::');
  const left = head === '' ? [] : head.split(':');
  const right = tail === undefined || tail === '' ? [] : tail.split(':');
  const zeros = new Array(8 - left.length - right.length).fill('0');
  return [...left, ...zeros, ...right].map((group) => Number.parseInt(group, 16));
}
