// The real service, one bystander who is asked after every test, and as many misbehaving peers as a test wants.
import { afterAll, afterEach, beforeAll, expect } from 'bun:test';
import { eventually } from '../../testing/process.fixture.ts';
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
  const connections = async (): Promise<number> => {
    const text = await (await fetch(`${service.app.metricsUrl}/metrics`)).text();
    return Number(/^tickwire_ws_connections (\d+)/m.exec(text)?.[1]) - 1;
  };
  const emptied = (): Promise<void> => eventually('all are gone', async () => (await connections()) === 0);

  beforeAll(async () => {
    service = await startService({ feeds: 'push', metrics_port: '0' });
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
