import { describe, expect, test } from 'bun:test';
import { modelBytes } from './model.fixture.ts';
import { loadModel } from './model.ts';
import { ModelFileError } from './model-file.ts';

const headerLength = modelBytes.readUInt32LE(4);
const header = modelBytes.subarray(8, 8 + headerLength).toString();

/** The model with another header of the same length. */
function withHeader(change: (header: string) => string): Uint8Array {
  const bytes = Buffer.from(modelBytes);
  bytes.write(change(header).padEnd(headerLength), 8);
  return bytes;
}

const loading = (bytes: Uint8Array) => () => loadModel(bytes);

describe('a damaged model file is refused and says why', () => {
  test.each([
    ['empty', () => new Uint8Array(), 'begin with SENT'],
    ['of another kind', () => Buffer.from('PK\u0003\u0004 and so on'), 'begin with SENT'],
    ['cut inside the header', () => modelBytes.subarray(0, 1_000), 'inside its header'],
    ['cut inside the data', () => modelBytes.subarray(0, 5_000_000), 'bytes of data'],
    ['short of its last bytes', () => modelBytes.subarray(0, -4), 'bytes of data'],
    ['with bytes behind its end', () => Buffer.concat([modelBytes, Buffer.alloc(4)]), 'bytes of data'],
    ['with a header that is not JSON', () => withHeader((text) => text.replace('{', '[')), 'not JSON'],
    ['with a header of nothing', () => withHeader(() => 'null'), 'lacks layers'],
    ['with an entry of an unknown type', () => withHeader((text) => text.replace('"t": "i8"', '"t": "i4"')), 'wrongly'],
    ['with an entry at no offset', () => withHeader((text) => text.replace('"o": 0', '"o": -4')), 'wrongly'],
    ['with an entry that is missing', () => withHeader((text) => text.replace('"inv"', '"Inv"')), 'no inv of type f32'],
    [
      'with a table of the wrong size',
      () => withHeader((text) => text.replace('"n": 6217', '"n": 6216')),
      '6216 numbers',
    ],
    ['of another width', () => withHeader((text) => text.replace('"d": 256', '"d": 512')), '512 wide'],
    ['of more layers than it has', () => withHeader((text) => text.replace('"layers": 2', '"layers": 3')), 'no b2'],
  ])('%s', (_, bytes, reason) => {
    expect(loading(bytes())).toThrow(ModelFileError);
    expect(loading(bytes())).toThrow(reason);
  });

  test('with a weight that is not a number', () => {
    const bytes = Buffer.from(modelBytes);
    const { o } = JSON.parse(header).t['u.ln.bias'] as { o: number };
    bytes.writeFloatLE(Number.NaN, 8 + headerLength + o);
    expect(loading(bytes)).toThrow('u.ln.bias holds a value that is not a number');
  });
});

test('a model file may stand anywhere in its buffer', () => {
  const shifted = new Uint8Array(modelBytes.length + 3);
  shifted.set(modelBytes, 3);
  expect(loadModel(shifted.subarray(3)).classify('Gold climbs').score).toBeGreaterThan(0.5);
});
