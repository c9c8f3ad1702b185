// Opens the news sources of the setting TICKWIRE_NEWS that read feeds: the built-in list, or the operator's file.
import { resolve } from 'node:path';
import type { Log } from '../../ops/log.ts';
import type { NewsSource, TakeNews } from '../raw-item.ts';
import { BUILT_IN_SOURCES } from './built-in.ts';
import { Poller } from './poller.ts';
import type { ProxySettings } from './proxies.ts';
import { DEFAULT_INTERVAL_SECONDS, readSourcesFile, type SourceList } from './sources-file.ts';

export interface OpenNewsOptions {
  /** `feeds`, or the path of a file, from `cwd`. */
  readonly setting: string;
  readonly cwd: string;
  readonly take: TakeNews;
  readonly now: () => number;
  readonly log: Log;
  /** As the environment has them; none where left out. */
  readonly proxies?: ProxySettings;
}

/** Throws `ConfigError` where the file is wrong. Nothing is asked before `start`. */
export function openNewsSources({ setting, cwd, take, now, log, proxies = {} }: OpenNewsOptions): NewsSource {
  const { intervalMs, contact, sources } = sourceList(setting, cwd);
  return new Poller({ sources, intervalMs, take, now, log, request: { contact, proxies } });
}

const sourceList = (setting: string, cwd: string): SourceList =>
  setting === 'feeds'
    ? { intervalMs: DEFAULT_INTERVAL_SECONDS * 1_000, contact: null, sources: BUILT_IN_SOURCES }
    : readSourcesFile(resolve(cwd, setting));
