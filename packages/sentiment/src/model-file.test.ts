import { describe, expect, test } from 'bun:test';
import { modelBytes } from '../testing/model.ts';
import { loadModel } from './model.ts';
import { ModelFileError } from './model-file.ts';

const headerLength = modelBytes.readUInt32LE(4);
const header = modelBytes.subarray(8, 8 + headerLength).toString();

/** The model with a changed header of the same length. */
function withHeader(change: (header: string) => string): Uint8Array {
  const bytes = Buffer.from(modelBytes);
  bytes.write(change(header).padEnd(headerLength), 8);
  return bytes;
}

const loading = (bytes: Uint8Array) => () => loadModel(bytes);

describe('rejects a model file', () => {
  test.each([
    ['that is empty', () => new Uint8Array(), 'start with SENT'],
    ['of another format', () => Buffer.from('PK\u0003\u0004 and so on'), 'start with SENT'],
    ['that ends inside the header', () => modelBytes.subarray(0, 1_000), 'inside its header'],
    ['that ends inside the data', () => modelBytes.subarray(0, 5_000_000), 'bytes of data'],
    ['without its last bytes', () => modelBytes.subarray(0, -4), 'bytes of data'],
    ['with bytes after its end', () => Buffer.concat([modelBytes, Buffer.alloc(4)]), 'bytes of data'],
    ['with a header that is not JSON', () => withHeader((text) => text.replace('{', '[')), 'not JSON'],
    ['with an empty header', () => withHeader(() => 'null'), 'lacks layers'],
    [
      'with an entry of an unknown type',
      () => withHeader((text) => text.replace('"t": "i8"', '"t": "i4"')),
      'invalid entry',
    ],
    [
      'with an entry at a negative offset',
      () => withHeader((text) => text.replace('"o": 0', '"o": -4')),
      'invalid entry',
    ],
    ['with a missing entry', () => withHeader((text) => text.replace('"inv"', '"Inv"')), 'no inv of type f32'],
    [
      'with a table of the wrong size',
      () => withHeader((text) => text.replace('"n": 6217', '"n": 6216')),
      '6216 numbers',
    ],
    ['of another width', () => withHeader((text) => text.replace('"d": 256', '"d": 512')), '512 wide'],
    [
      'with fewer layers than its header says',
      () => withHeader((text) => text.replace('"layers": 2', '"layers": 3')),
      'no b2',
    ],
  ])('%s', (_, bytes, reason) => {
    expect(loading(bytes())).toThrow(ModelFileError);
    expect(loading(bytes())).toThrow(reason);
  });

  test('with a weight that is not finite', () => {
    const bytes = Buffer.from(modelBytes);
    const { o } = JSON.parse(header).t['u.ln.bias'] as { o: number };
    bytes.writeFloatLE(Number.NaN, 8 + headerLength + o);
    expect(loading(bytes)).toThrow('u.ln.bias contains a value that is not finite');
  });
});

test('loads a model at any offset of a buffer', () => {
  const shifted = new Uint8Array(modelBytes.length + 3);
  shifted.set(modelBytes, 3);
  expect(loadModel(shifted.subarray(3)).classify('Gold climbs').score).toBeGreaterThan(0.5);
});
