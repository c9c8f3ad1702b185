// The real service, one bystander who is asked after every test, and as many misbehaving peers as a test wants.
import { afterAll, afterEach, beforeAll, expect } from 'bun:test';
import { connected, metric } from '../../testing/metric.fixture.ts';
import { type RunningService, startService } from '../../testing/service.fixture.ts';
import { Bystander } from './bystander.fixture.ts';
import { Peer } from './peer.fixture.ts';

export interface Stage {
  readonly service: RunningService;
  /** An authenticated connection to `/ws/market`, subscribed to nothing. */
  peer(allowHalfOpen?: boolean): Promise<Peer>;
  /** A connection without a key. */
  stranger(): Promise<Peer>;
  /** Open connections but for the bystander's. */
  connections(): Promise<number>;
  /** Waits until the service has freed all connections but the bystander's. */
  emptied(): Promise<void>;
}

/** Sets the stage for the tests of a file. */
export function setStage(): Stage {
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
  const emptied = (): Promise<void> => connected(service, 1);

  beforeAll(async () => {
    // How many frames may come in a second is another matter, and tested elsewhere.
    service = await startService({ feeds: 'push', metrics_port: '0', messages_per_second: '1000000' });
    key = (await service.key()).key;
    bystander = await Bystander.of(service);
  });
  afterEach(async () => {
    for (const { socket } of peers.splice(0)) socket.destroy();
    await bystander.check();
  });
  afterAll(async () => {
    await emptied();
    expect((await fetch(`${service.url}/readyz`)).status).toBe(200);
    bystander.leave();
    await service.stop();
  });

  return {
    get service() {
      return service;
    },
    peer: (allowHalfOpen) => open(key, allowHalfOpen),
    stranger: () => open(null),
    connections,
    emptied,
  };
}
