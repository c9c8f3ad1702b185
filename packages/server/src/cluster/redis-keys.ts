// Names of everything the cluster keeps in Redis. The braces put all of it on one node of a Redis Cluster: scripts need that.

export interface RedisKeys {
  /** The stream of the journal. */
  readonly journal: string;
  /** Where the journal ends, its epoch, and who wrote it last. */
  readonly journalEnd: string;
  /** Who is the active ingest. */
  readonly lease: string;
  /** The newest fencing token. */
  readonly token: string;
  /** Gateways by the time they last said that they live, and what they said. */
  readonly gateways: string;
  readonly gatewayFacts: string;
  /** Another whenever Redis has forgotten everything. */
  readonly memory: string;
  allowance(account: string): string;
  slots(account: string): string;
}

/** `name` keeps installations apart that share a Redis, as does the realm: simulated and real prices never mix. */
export function redisKeys(name: string): RedisKeys {
  const key = (rest: string): string => `{${name}}:${rest}`;
  return {
    journal: key('journal'),
    journalEnd: key('journal:end'),
    lease: key('lease'),
    token: key('lease:token'),
    gateways: key('gateways'),
    gatewayFacts: key('gateways:facts'),
    memory: key('memory'),
    allowance: (account) => key(`allowance:${account}`),
    slots: (account) => key(`slots:${account}`),
  };
}
