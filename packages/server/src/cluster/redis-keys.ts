// Names of all Redis keys of a cluster. The braces put them on one node of a Redis Cluster, which the scripts require.

export interface RedisKeys {
  /** The stream of the journal. */
  readonly journal: string;
  /** End, epoch and last writer of the journal. */
  readonly journalEnd: string;
  /** The lease of the active ingest node. */
  readonly lease: string;
  /** The newest fencing token. */
  readonly token: string;
  /** Gateways by the time of their last heartbeat. */
  readonly gateways: string;
  readonly gatewayInfo: string;
  /** Identifies the memory of Redis: changes when Redis has lost its data. */
  readonly memory: string;
  allowance(account: string): string;
  slots(account: string): string;
  /** Rows of files of an account on a day, given by its start in epoch milliseconds. */
  exportedRows(account: string, day: number): string;
  /** Attempts to sign in; `id` is a hash. */
  attempts(id: string): string;
  /** Ids of the replay sessions of an account; with `:` and an id: a session. */
  replays(account: string): string;
}

/** `name` contains the realm, so that simulated and live data never mix, and separates installations that share a Redis. */
export function redisKeys(name: string): RedisKeys {
  const key = (rest: string): string => `{${name}}:${rest}`;
  return {
    journal: key('journal'),
    journalEnd: key('journal:end'),
    lease: key('lease'),
    token: key('lease:token'),
    gateways: key('gateways'),
    gatewayInfo: key('gateways:facts'),
    memory: key('memory'),
    allowance: (account) => key(`allowance:${account}`),
    slots: (account) => key(`slots:${account}`),
    exportedRows: (account, day) => key(`rows:${day}:${account}`),
    attempts: (id) => key(`attempts:${id}`),
    replays: (account) => key(`replays:${account}`),
  };
}
