// The connection of a node to its cluster: two Redis links and the names of the Redis keys.
import { randomBytes } from 'node:crypto';
import { hostname } from 'node:os';
import { type Config, ConfigError, variableName } from '../config/config.ts';
import type { Log } from '../ops/log.ts';
import { CLUSTER_SCRIPTS } from './cluster-scripts.ts';
import { type RedisKeys, redisKeys } from './redis-keys.ts';
import { RedisLink } from './redis-link.ts';

export interface ClusterConnection {
  /** Identifies this process; new with each start. */
  readonly id: string;
  readonly keys: RedisKeys;
  readonly link: RedisLink;
  /** For the journal: replies are bytes, and commands may block. */
  readonly bytes: RedisLink;
  close(): void;
}

export async function connectCluster(config: Config, log: Log): Promise<ClusterConnection> {
  const { role, redis_url: url, database_url, cluster_name, realm } = config;
  for (const [name, value] of [
    ['database_url', database_url],
    ['redis_url', url],
  ] as const)
    if (value === null) throw new ConfigError(`${variableName(name)} is missing: the role ${role} needs it`);
  const name = `tickwire ${role}`;
  try {
    const link = await RedisLink.open({ url: url!, name, log, scripts: CLUSTER_SCRIPTS });
    const bytes = await RedisLink.open({ url: url!, name: `${name} journal`, log, bytes: true }).catch((error) => {
      link.close();
      throw error;
    });
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
    throw new ConfigError(`cannot connect to Redis at ${withoutPassword(url!)}: ${(error as Error).message}`);
  }
}

function withoutPassword(url: string): string {
  const { protocol, host, pathname } = new URL(url);
  return `${protocol}//${host}${pathname}`;
}
