import { expect, test } from 'bun:test';
import { managesChannel } from './discord-permissions.ts';

const VIEW = '1024';
const ADMINISTRATOR = '8';
const MANAGE_CHANNELS = '16';
const SERVER = {
  id: '1',
  owner_id: '50',
  roles: [
    { id: '1', permissions: VIEW },
    { id: '2', permissions: MANAGE_CHANNELS },
    { id: '3', permissions: ADMINISTRATOR },
    { id: '4', permissions: VIEW },
  ],
};
const channel = (...overwrites: readonly (readonly [id: string, allow: string, deny: string])[]) => ({
  permission_overwrites: overwrites.map(([id, allow, deny]) => ({ id, allow, deny })),
});
const manages = (overwritten: object, roles: readonly string[] = [], id = '60') =>
  managesChannel(SERVER, overwritten, { id, roles });

test('the owner, administrators and roles that manage channels manage a channel, others do not', () => {
  const all = channel(['1', '0', MANAGE_CHANNELS]);
  expect(manages(all, [], '50')).toBe(true);
  expect(manages(all, ['3'])).toBe(true);
  expect(manages(channel(), ['2'])).toBe(true);
  for (const roles of [[], ['4'], ['99']]) expect(manages(channel(), roles)).toBe(false);
});

test('a channel takes the permission from everyone, and gives it to a role or a person', () => {
  const denied = ['1', '0', MANAGE_CHANNELS] as const;
  expect(manages(channel(denied), ['2'])).toBe(false);
  expect(manages(channel(denied, ['4', MANAGE_CHANNELS, '0']), ['4'])).toBe(true);
  expect(manages(channel(['4', '0', MANAGE_CHANNELS], ['2', MANAGE_CHANNELS, '0']), ['2', '4'])).toBe(true);
  expect(manages(channel(['2', MANAGE_CHANNELS, '0'], ['60', '0', MANAGE_CHANNELS]), ['2'])).toBe(false);
  expect(manages(channel(['60', MANAGE_CHANNELS, '0']))).toBe(true);
});

test('what Discord does not say gives no permission', () => {
  expect(managesChannel(null, channel(), { id: '60', roles: ['2'] })).toBe(false);
  expect(managesChannel({ ...SERVER, roles: [{ id: '2' }, null] }, null, { id: '60', roles: ['2'] })).toBe(false);
});
