import { expect, test } from 'bun:test';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '../../testing/service.fixture.ts';
import { DestinationBox, deliveryKeyFile } from './destination-box.ts';

test('an address can be opened with its key and for its destination only, and the error says what to do', () => {
  const folder = temporaryFolder();
  const box = new DestinationBox(join(folder, 'delivery.key'));
  const sealed = box.seal('dst_1', { url: 'https://a.example/', secret: 'whsec_x' });
  expect(sealed).not.toContain('whsec_x');
  expect(new DestinationBox(join(folder, 'delivery.key')).open({ id: 'dst_1', sealed })).toEqual({
    url: 'https://a.example/',
    secret: 'whsec_x',
  });
  expect(() => box.open({ id: 'dst_2', sealed })).toThrow('is not the key of the address of a destination');
  const other = new DestinationBox(join(folder, 'other.key'));
  other.seal('x', {});
  expect(() => other.open({ id: 'dst_1', sealed })).toThrow('delete the destinations and create them again');
  rmSync(folder, { recursive: true });
});

test('the key is in the data folder unless it is configured', () => {
  expect(deliveryKeyFile({ data: '/data', delivery_key: null })).toBe('/data/delivery.key');
  expect(deliveryKeyFile({ data: '/data', delivery_key: '/etc/own.key' })).toBe('/etc/own.key');
});
