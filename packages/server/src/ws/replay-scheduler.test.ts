import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { ManualClock } from '../../testing/ws/manual-clock.fixture.ts';
import { Connection, type Socket } from './connection.ts';
import { ReplayScheduler } from './replay-scheduler.ts';

const clock = new ManualClock();
beforeEach(() => clock.install());
afterEach(() => clock.restore());

function setUp(count: number) {
  const faults: unknown[] = [];
  const replays = new ReplayScheduler(
    () => {},
    ({ connection }, error) => {
      Object.assign(connection, { closed: true });
      faults.push(error);
    },
  );
  const clients = Array.from({ length: count }, () => {
    const connection = new Connection('market', 'here', null, 0);
    const state = { buffered: 0, steps: 0 };
    connection.socket = {
      cork: (work: () => void) => work(),
      getBufferedAmount: () => state.buffered,
    } as unknown as Socket;
    return Object.assign(state, { subscriber: connection.subscribers[0]! });
  });
  return { replays, clients, faults };
}

describe('replay scheduler', () => {
  test('gives each of many replays its turn, and leaves the event loop to others in between', async () => {
    const { replays, clients } = setUp(10);
    for (const client of clients) {
      const step = () => {
        clock.now += 1;
        return ++client.steps === 3 ? 'done' : 'more';
      };
      replays.start({ subscriber: client.subscriber, keys: [], step });
    }
    const total = (): number => clients.reduce((sum, { steps }) => sum + steps, 0);
    for (let before = total(); replays.active > 0; before = total()) {
      await clock.turn();
      expect(total() - before).toBeWithin(1, 3);
      const steps = clients.map((client) => client.steps);
      expect(Math.max(...steps) - Math.min(...steps)).toBeLessThan(2);
    }
    expect(total()).toBe(30);
    expect(clock.waiting).toBe(0);
  });

  test('pauses a replay whose socket is full, without using the event loop, until it is checked again', async () => {
    const { replays, clients } = setUp(1);
    const [client] = clients as [(typeof clients)[0]];
    client.buffered = 64 * 1024;
    replays.start({
      subscriber: client.subscriber,
      keys: [],
      step: () => {
        client.steps++;
        return 'done';
      },
    });
    await clock.turn();
    expect([client.steps, replays.active, clock.waiting]).toEqual([0, 1, 0]);
    client.buffered = 0;
    replays.run();
    await clock.turn();
    expect([client.steps, replays.active]).toEqual([1, 0]);
  });

  test('closes only the connection whose replay fails', async () => {
    const { replays, clients, faults } = setUp(2);
    const [one, other] = clients as [(typeof clients)[0], (typeof clients)[0]];
    const fault = new Error('broken');
    replays.start({
      subscriber: one.subscriber,
      keys: [],
      step: () => {
        throw fault;
      },
    });
    replays.start({ subscriber: other.subscriber, keys: [], step: () => (++other.steps === 2 ? 'done' : 'more') });
    for (let turns = 0; turns < 3; turns++) await clock.turn();
    expect(faults).toEqual([fault]);
    expect([other.steps, replays.active, clock.waiting]).toEqual([2, 0, 0]);
  });

  test('ends a replay when the client unsubscribes, instead of reading on for nobody', async () => {
    const { replays, clients } = setUp(1);
    const [client] = clients as [(typeof clients)[0]];
    replays.start({
      subscriber: client.subscriber,
      keys: ['EURUSD'],
      step: () => {
        client.steps++;
        clock.now += 5;
        return 'more';
      },
    });
    await clock.turn();
    client.subscriber.replaying!.delete('EURUSD');
    await clock.turn();
    expect([client.steps, replays.active]).toEqual([1, 0]);
  });
});
