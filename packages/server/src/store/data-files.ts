// Plain files of the data folder beside its databases: keys, the choice of markets, and the operator's instruments. Those of a
// realm are in realm-files.ts.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from '../config/config.ts';
import { INSTRUMENTS_FILE, instrumentFilePath } from '../config/instrument-file-path.ts';
import { MARKETS_FILE } from '../config/stored-markets.ts';
import { DELIVERY_KEY, VAPID_KEY } from './delivery-store.ts';
import { TWO_FACTOR_KEY } from './two-factor-store.ts';

/** Keys of the example publishers. */
export const PUBLISHER_KEYS = 'house-keys.json';

/** Where the files are. */
export type FileSettings = Pick<Config, 'data' | 'instruments'>;

const NAMES: readonly string[] = [
  TWO_FACTOR_KEY,
  DELIVERY_KEY,
  VAPID_KEY,
  PUBLISHER_KEYS,
  MARKETS_FILE,
  INSTRUMENTS_FILE,
];

export const isDataFile = (name: string): boolean => NAMES.includes(name);

/** `name`: of a file of the data folder, or relative to it. The instruments may be elsewhere. */
export const dataFilePath = (settings: FileSettings, name: string): string =>
  name === INSTRUMENTS_FILE ? instrumentFilePath(settings) : join(settings.data, name);

/** Names of those that exist. */
export const dataFiles = (settings: FileSettings): string[] =>
  NAMES.filter((name) => existsSync(dataFilePath(settings, name)));
