// The real service, one bystander that is checked after every test, and any number of misbehaving peers.
import { afterAll, afterEach, beforeAll, expect } from 'bun:test';
import { connected, metric } from '../metric.fixture.ts';
import { type RunningService, startService } from '../service.fixture.ts';
import { Bystander } from './bystander.fixture.ts';
import { Peer } from './peer.fixture.ts';

export interface ConformanceService {
  readonly service: RunningService;
  /** An authenticated connection to `/ws/market` without subscriptions. */
  peer(allowHalfOpen?: boolean): Promise<Peer>;
  /** A connection without a key. */
  unauthenticated(): Promise<Peer>;
  /** Open connections without the bystander. */
  connections(): Promise<number>;
  /** Waits until the service has freed all connections but the bystander. */
  allClosed(): Promise<void>;
}

/** Starts the service for the tests of a file. */
export function startConformanceService(): ConformanceService {
  let service: RunningService;
  let bystander: Bystander;
  let key: string;
  const peers: Peer[] = [];

  const open = async (as: string | null, allowHalfOpen?: boolean): Promise<Peer> => {
    const peer = await Peer.open(service.url, as, allowHalfOpen);
    peers.push(peer);
    return peer;
  };
  const connections = async (): Promise<number> => (await metric(service, 'tickwire_ws_connections')) - 1;
  const allClosed = (): Promise<void> => connected(service, 1);

  beforeAll(async () => {
    // The message rate limit is tested elsewhere.
    service = await startService({ feeds: 'push', metrics_port: '0', messages_per_second: '1000000' });
    key = (await service.key()).key;
    bystander = await Bystander.of(service);
  });
  afterEach(async () => {
    for (const { socket } of peers.splice(0)) socket.destroy();
    await bystander.check();
  });
  afterAll(async () => {
    await allClosed();
    expect((await fetch(`${service.url}/readyz`)).status).toBe(200);
    bystander.leave();
    await service.stop();
  });

  return {
    get service() {
      return service;
    },
    peer: (allowHalfOpen) => open(key, allowHalfOpen),
    unauthenticated: () => open(null),
    connections,
    allClosed,
  };
}
