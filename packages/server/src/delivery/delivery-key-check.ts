// Checks that a node has the key with which the destinations of its realm are encrypted. The realm has a number that is derived
// from the key: nodes with different keys find out when they start, not when they cannot open an address. Only the writer of the
// realm creates a key, and only before the realm has one.
import { hkdfSync } from 'node:crypto';
import { existsSync } from 'node:fs';
import type { Config } from '../config/config.ts';
import { StoreError } from '../errors/store-error.ts';
import type { Log } from '../ops/log.ts';
import type { MarketStore } from '../store/market-store.ts';
import { readKey } from '../store/secret-box.ts';
import { DestinationBox, deliveryKeyFile } from './destination-box.ts';

/** Name of the check value among the numbers of the realm. */
export const KEY_CHECK = 'delivery_key_check';
/** A number holds 53 bits. */
const CHECK_BYTES = 6;

type KeySettings = Pick<Config, 'data' | 'delivery_key' | 'role'>;

/** Whether a node of a cluster has no key that it shares with the others: then the realm has no destinations. */
export const lacksSharedKey = ({ role, delivery_key }: KeySettings): boolean => role !== 'all' && delivery_key === null;

/** Why a node cannot open the destinations of the realm; `null` if it can, or if there is no key yet. Creates none. */
export async function deliveryKeyProblem(
  store: Pick<MarketStore, 'number'>,
  settings: KeySettings,
): Promise<string | null> {
  const check = await store.number(KEY_CHECK);
  if (check === undefined) return null;
  const file = deliveryKeyFile(settings);
  const advice =
    'copy the delivery.key of the other nodes there, restore it from a backup, or set TICKWIRE_DELIVERY_KEY';
  if (!existsSync(file)) return `there is no key of destinations at ${file}: ${advice}`;
  try {
    if (checkOf(readKey(file)) === check) return null;
  } catch (error) {
    return (error as Error).message;
  }
  return `${file} is not the key that destinations are encrypted with: ${advice}`;
}

/** Throws if the key is not that of the realm. */
export async function requireDeliveryKey(store: Pick<MarketStore, 'number'>, settings: KeySettings): Promise<void> {
  const problem = await deliveryKeyProblem(store, settings);
  if (problem !== null) throw new StoreError(problem);
}

/**
 * Prepares the key for the writer of the realm. A wrong one is an error, except that a single process goes on with a new key.
 * A cluster needs one that its nodes share, and creates none.
 */
export async function prepareDeliveryKey(
  store: Pick<MarketStore, 'number' | 'setNumber'>,
  settings: KeySettings,
  log: Log,
): Promise<void> {
  if (settings.role !== 'all') await requireDeliveryKey(store, settings);
  if (lacksSharedKey(settings)) return;
  const problem = await deliveryKeyProblem(store, settings);
  if (problem !== null) log.error('destinations that exist cannot be used: create them again', { why: problem });
  const file = deliveryKeyFile(settings);
  // The box creates the key when it seals for the first time.
  if (!existsSync(file)) new DestinationBox(file).seal('', null);
  const check = checkOf(readKey(file));
  if ((await store.number(KEY_CHECK)) !== check) await store.setNumber(KEY_CHECK, check);
}

const checkOf = (key: Uint8Array): number =>
  Buffer.from(hkdfSync('sha256', key, '', 'tickwire delivery key check', CHECK_BYTES)).readUIntBE(0, CHECK_BYTES);
