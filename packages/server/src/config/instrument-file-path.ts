// Where the operator's file of instruments is.
import { join } from 'node:path';
import type { Config } from './config.ts';

/** In the data folder, if the configuration names no file. */
export const INSTRUMENTS_FILE = 'instruments.json';

export const instrumentFilePath = ({ instruments, data }: Pick<Config, 'instruments' | 'data'>): string =>
  instruments ?? join(data, INSTRUMENTS_FILE);
