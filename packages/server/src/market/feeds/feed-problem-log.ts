// Logs the problems of feeds: once when one begins or changes, then at growing intervals while it lasts.
import { HOUR_MS, MINUTE_MS } from '@tickwire/engine';
import type { Log } from '../../ops/log.ts';
import { backOffMs } from '../../work/back-off.ts';
import { FAILOVER_AFTER_MS } from './failover.ts';
import type { FeedProblems } from './feed-problems.ts';

const REPEAT = { firstMs: MINUTE_MS, maxMs: HOUR_MS };
/** A problem that is not replaced by then will not be for a while: the failover, and a margin for its check. */
const SETTLED_AFTER_MS = FAILOVER_AFTER_MS + 2_000;
/** A problem that returns within this time has not ended. */
const ENDED_AFTER_MS = MINUTE_MS;
/** Not the name of a feed. */
const ALL = '';

interface Logged {
  readonly since: number;
  /** Without its figures, some of which change with each attempt; `null` before the first line. */
  text: string | null;
  lines: number;
  lineAt: number;
  seenAt: number;
}

export class FeedProblemLog {
  readonly #problems: FeedProblems;
  readonly #log: Log;
  readonly #logged = new Map<string, Logged>();

  constructor(problems: FeedProblems, log: Log) {
    this.#problems = problems;
    this.#log = log;
  }

  /** Call it every second. */
  check(now: number): void {
    const problems = new Map(this.#problems.byFeed);
    const nothing = this.#problems.nothingReachable;
    if (nothing !== null) problems.set(ALL, nothing);
    for (const [feed, problem] of problems) this.#note(feed, problem, now);
    for (const [feed, { seenAt }] of this.#logged) if (now - seenAt > ENDED_AFTER_MS) this.#logged.delete(feed);
  }

  #note(feed: string, problem: string, now: number): void {
    const logged = this.#logged.get(feed) ?? { since: now, text: null, lines: 0, lineAt: 0, seenAt: now };
    this.#logged.set(feed, logged);
    logged.seenAt = now;
    const text = problem.replace(/\d+/g, '');
    const isNew = text !== logged.text;
    if (isNew && now - logged.since < SETTLED_AFTER_MS && this.#problems.mayBeReplaced(feed)) return;
    if (isNew) logged.lines = 0;
    else if (now - logged.lineAt < backOffMs(logged.lines, REPEAT)) return;
    logged.text = text;
    logged.lines++;
    logged.lineAt = now;
    this.#log.warn(problem, feed === ALL ? {} : { feed });
  }
}
