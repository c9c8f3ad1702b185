import { describe, expect, test } from 'bun:test';
import { STREAM_CHANNELS, type StreamChannel, type StreamPosition } from '@tickwire/contract';
import fc from 'fast-check';
import { naming, plain, positionIn, sequenced } from './encode.ts';
import { EventId, readEventId } from './event-id.ts';

const epoch = fc.stringMatching(/^[\w-]{1,64}$/);
const seq = fc.nat({ max: 999_999_999_999 });
const position = fc.record({ epoch, seq });

describe('the position in a message', () => {
  test('is what was written, whatever else the message contains', () => {
    fc.assert(
      fc.property(fc.constantFrom(...STREAM_CHANNELS), fc.object(), fc.string(), seq, seq, epoch, (...given) => {
        const [channel, item, title, number, prev, name] = given;
        const body = JSON.stringify({ title, item, trap: ',"seq":7,"prev":6,"epoch":"x"' }).slice(0, -1);
        const text = sequenced(naming(channel, body), number, prev, name);
        expect(JSON.parse(text)).toMatchObject({ channel, seq: number, epoch: name });
        expect(positionIn(text)).toEqual({ channel, seq: number, epoch: name });
      }),
    );
  });

  test('is absent without a channel or a number', () => {
    expect(positionIn(plain(naming('market', '{"symbol":"EURUSD"')))).toBeNull();
    expect(positionIn(sequenced('{"symbol":"EURUSD"', 2, 1, 'e'))).toBeNull();
  });
});

describe('an event id', () => {
  test('states the positions it was made of', () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.tuple(fc.constantFrom(...STREAM_CHANNELS), position), { selector: ([c]) => c }),
        (all) => {
          const positions = new Map<StreamChannel, StreamPosition>(all);
          const id = new EventId([...positions.keys()], positions);
          expect(readEventId(String(id))).toEqual(positions);
        },
      ),
    );
  });

  test('never fails on what a client sends', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.stringMatching(/^[a-z:;0-9]*$/)), (text) => {
        for (const channel of readEventId(text).keys()) expect(STREAM_CHANNELS).toContain(channel);
      }),
    );
    expect(readEventId('market:e:1;quotes:e:2;market;:;news::3;signals:e:-1')).toEqual(
      new Map([['market', { epoch: 'e', seq: 1 }]]),
    );
  });

  test('follows messages, and never goes back to a snapshot', () => {
    const id = new EventId(['market', 'signals'], new Map());
    expect(String(id)).toBe('');
    id.note({ event: 'subscribed', channel: 'market', symbols: [], rejected: [], epoch: 'e', seq: 9 });
    id.advance({ channel: 'market', epoch: 'e', seq: 7 });
    expect(String(id)).toBe('market:e:9');
    id.advance({ channel: 'signals', epoch: 'log', seq: 2 });
    id.advance({ channel: 'market', epoch: 'e', seq: 12 });
    expect(String(id)).toBe('market:e:12;signals:log:2');
    id.advance({ channel: 'news', epoch: 'e', seq: 20 });
    expect(String(id)).toBe('market:e:12;signals:log:2');
  });

  test('stays at the position of the client until the missed messages arrive, or a gap is declared', () => {
    const id = new EventId(['market'], new Map([['market', { epoch: 'e', seq: 5 }]]));
    id.note({ event: 'subscribed', channel: 'market', symbols: [], rejected: [], epoch: 'e', seq: 90 });
    expect(String(id)).toBe('market:e:5');
    id.note({ event: 'gap', channel: 'market', reason: 'feed', symbols: [] });
    expect(String(id)).toBe('market:e:5');
    id.note({ event: 'gap', channel: 'market', reason: 'resume', symbols: [], from_seq: 6, to_seq: 95 });
    expect(String(id)).toBe('market:e:95');
    id.note({ event: 'gap', channel: 'market', reason: 'resume', symbols: [] });
    expect(String(id)).toBe('market:e:90');
  });
});
