import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { Connection, type Socket } from './connection.ts';
import { HandClock } from './hand-clock.fixture.ts';
import { Replays } from './replays.ts';

const clock = new HandClock();
beforeEach(() => clock.install());
afterEach(() => clock.restore());

function stage(count: number) {
  const faults: unknown[] = [];
  const replays = new Replays(
    () => {},
    (connection, error) => {
      connection.closed = true;
      faults.push(error);
    },
  );
  const readers = Array.from({ length: count }, () => {
    const connection = new Connection('market', 'here', null, 0);
    const link = { buffered: 0, steps: 0 };
    connection.socket = {
      cork: (work: () => void) => work(),
      getBufferedAmount: () => link.buffered,
    } as unknown as Socket;
    return Object.assign(link, { connection });
  });
  return { replays, readers, faults };
}

describe('replays', () => {
  test('many at once leave the loop to others in between, and each gets its turn', async () => {
    const { replays, readers } = stage(10);
    for (const reader of readers) {
      const step = () => {
        clock.now += 1;
        return ++reader.steps === 3 ? 'done' : 'more';
      };
      replays.start({ connection: reader.connection, keys: [], step });
    }
    const total = (): number => readers.reduce((sum, { steps }) => sum + steps, 0);
    for (let before = total(); replays.active > 0; before = total()) {
      await clock.turn();
      expect(total() - before).toBeWithin(1, 3);
      const steps = readers.map((reader) => reader.steps);
      expect(Math.max(...steps) - Math.min(...steps)).toBeLessThan(2);
    }
    expect(total()).toBe(30);
    expect(clock.waiting).toBe(0);
  });

  test('one whose reader has no room waits without turns of the loop, until it is looked at again', async () => {
    const { replays, readers } = stage(1);
    const [reader] = readers as [(typeof readers)[0]];
    reader.buffered = 64 * 1024;
    replays.start({
      connection: reader.connection,
      keys: [],
      step: () => {
        reader.steps++;
        return 'done';
      },
    });
    await clock.turn();
    expect([reader.steps, replays.active, clock.waiting]).toEqual([0, 1, 0]);
    reader.buffered = 0;
    replays.run();
    await clock.turn();
    expect([reader.steps, replays.active]).toEqual([1, 0]);
  });

  test('a fault ends its own connection, the others go on', async () => {
    const { replays, readers, faults } = stage(2);
    const [one, other] = readers as [(typeof readers)[0], (typeof readers)[0]];
    const fault = new Error('broken');
    replays.start({
      connection: one.connection,
      keys: [],
      step: () => {
        throw fault;
      },
    });
    replays.start({ connection: other.connection, keys: [], step: () => (++other.steps === 2 ? 'done' : 'more') });
    for (let turns = 0; turns < 3; turns++) await clock.turn();
    expect(faults).toEqual([fault]);
    expect([other.steps, replays.active, clock.waiting]).toEqual([2, 0, 0]);
  });
});
