// Whether a person manages a channel of a Discord server (https://discord.com/developers/docs/topics/permissions).
import { fieldsOf, isId } from './discord-events.ts';

const ADMINISTRATOR = 1n << 3n;
const MANAGE_CHANNELS = 1n << 4n;

export interface Member {
  readonly id: string;
  readonly roles: readonly string[];
}

/** `server` and `channel` as the API returns them. */
export function managesChannel(server: unknown, channel: unknown, { id, roles }: Member): boolean {
  const { id: everyone, owner_id, roles: allRoles } = fieldsOf(server);
  if (!isId(everyone)) return false;
  if (owner_id === id) return true;
  const own = (of: string): boolean => of === everyone || roles.includes(of);
  let permissions = 0n;
  for (const role of listOf(allRoles)) if (own(role.id)) permissions |= bitsOf(role.permissions);
  if (permissions & ADMINISTRATOR) return true;
  const overwrites = listOf(fieldsOf(channel).permission_overwrites);
  // In this order, of which each is stronger: of everyone, of the roles together, of the person.
  for (const applies of [
    (of: string) => of === everyone,
    (of: string) => roles.includes(of),
    (of: string) => of === id,
  ]) {
    const those = overwrites.filter((overwrite) => applies(overwrite.id));
    for (const { deny } of those) permissions &= ~bitsOf(deny);
    for (const { allow } of those) permissions |= bitsOf(allow);
  }
  return (permissions & MANAGE_CHANNELS) !== 0n;
}

type WithId = Readonly<Record<string, unknown>> & { readonly id: string };

const listOf = (value: unknown): readonly WithId[] =>
  (Array.isArray(value) ? value : []).map(fieldsOf).filter((each): each is WithId => isId(each.id));

const bitsOf = (value: unknown): bigint => (isId(value) ? BigInt(value) : 0n);
