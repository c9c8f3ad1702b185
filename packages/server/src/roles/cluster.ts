// What every process of a cluster has: its links to Redis, and the names of what is kept there.
import { randomBytes } from 'node:crypto';
import { hostname } from 'node:os';
import { CLUSTER_SCRIPTS } from '../cluster/cluster-scripts.ts';
import { type RedisKeys, redisKeys } from '../cluster/redis-keys.ts';
import { RedisLink } from '../cluster/redis-link.ts';
import { type Config, ConfigError, variableName } from '../config.ts';
import type { Log } from '../ops/log.ts';

export interface ClusterLinks {
  /** Of this process: another with each start. */
  readonly id: string;
  readonly keys: RedisKeys;
  readonly link: RedisLink;
  /** Answers in bytes, for the journal; it may wait at Redis. */
  readonly bytes: RedisLink;
  close(): void;
}

export async function openCluster(config: Config, log: Log): Promise<ClusterLinks> {
  const { role, redis_url: url, database_url, cluster_name, realm } = config;
  for (const [name, value] of [
    ['database_url', database_url],
    ['redis_url', url],
  ] as const)
    if (value === null) throw new ConfigError(`${variableName(name)} is missing: the role ${role} needs it`);
  const name = `tickwire ${role}`;
  try {
    const link = await RedisLink.open({ url: url!, name, log, scripts: CLUSTER_SCRIPTS });
    const bytes = await RedisLink.open({ url: url!, name: `${name} journal`, log, bytes: true });
    return {
      id: `${hostname().slice(0, 40)}-${randomBytes(4).toString('hex')}`,
      keys: redisKeys(`${cluster_name}:${realm}`),
      link,
      bytes,
      close() {
        link.close();
        bytes.close();
      },
    };
  } catch (error) {
    throw new ConfigError(`Redis at ${shown(url!)} cannot be used: ${(error as Error).message}`);
  }
}

/** Without its password. */
function shown(url: string): string {
  const { protocol, host, pathname } = new URL(url);
  return `${protocol}//${host}${pathname}`;
}
