// Opens the feeds of the setting TICKWIRE_NEWS: the built-in list, or the operator's file.
import { resolve } from 'node:path';
import type { ProxySettings } from '../../config/proxy.ts';
import type { Source } from '../../documents/source.ts';
import type { Log } from '../../ops/log.ts';
import type { TakeNews } from '../news-source.ts';
import { BUILT_IN_SOURCES } from './built-in-sources.ts';
import { FeedPoller } from './feed-poller.ts';
import { DEFAULT_INTERVAL_SECONDS, readSourcesFile, type SourceList } from './sources-file.ts';

export interface OpenSourcesOptions {
  /** `feeds`, or the path of a file relative to `cwd`. */
  readonly setting: string;
  readonly cwd: string;
  readonly take: TakeNews;
  readonly now: () => number;
  readonly log: Log;
  /** Default: none. */
  readonly proxies?: ProxySettings;
}

/** Throws `ConfigError` if the file is invalid. Sends no request before `start`. */
export function openNewsSources({ setting, cwd, take, now, log, proxies = {} }: OpenSourcesOptions): Source {
  const { intervalMs, contact, sources } = sourceList(setting, cwd);
  return new FeedPoller({ sources, intervalMs, take, now, log, request: { contact, proxies } });
}

const sourceList = (setting: string, cwd: string): SourceList =>
  setting === 'feeds'
    ? { intervalMs: DEFAULT_INTERVAL_SECONDS * 1_000, contact: null, sources: BUILT_IN_SOURCES }
    : readSourcesFile(resolve(cwd, setting));
