// The lines that an account may push: a limit of accepted lines in any rolling minute, and the same limit for refused bodies. The
// second limit keeps bodies that are refused, such as a small one that decompresses to many lines, from being repeated
// without end.
import { ServiceError } from '../errors/service-error.ts';
import { RollingSum } from '../work/rolling-sum.ts';

/** Refused bytes that use up the whole limit, however few lines they have: 20 bodies of the largest size. */
export const REFUSED_BYTES = 20 * 64 * 1024 * 1024;

export class LineQuota {
  readonly #accepted: RollingSum;
  readonly #refused: RollingSum;

  constructor(linesPerMinute: number) {
    this.#accepted = new RollingSum(linesPerMinute);
    this.#refused = new RollingSum(linesPerMinute);
  }

  /** Throws a 429 if the lines do not fit, or if too many lines were refused. Counts nothing. */
  check(lines: number, now: number): void {
    const fits = lines <= this.#accepted.remaining(now);
    const exhausted = fits ? this.#refused : this.#accepted;
    if (fits && exhausted.remaining(now) > 0) return;
    if (lines > this.#accepted.limit) throw tooManyAtOnce(this.#accepted.limit);
    const seconds = Math.ceil(exhausted.waitMs(Math.max(1, fits ? 1 : lines), now) / 1000);
    const refused = fits ? ' Too many lines were refused.' : '';
    throw new ServiceError(
      'rate_limited',
      `An account may push ${exhausted.limit} lines in 60 seconds.${refused} Try again in ${seconds} s.`,
      { retryAfterSeconds: seconds },
    );
  }

  /** Counts accepted lines. Throws a 429 if they do not fit. */
  take(lines: number, now: number): void {
    this.check(lines, now);
    this.#accepted.take(lines, now);
  }

  /** Counts a refused body by the lines and bytes that were read of it. */
  refuse(lines: number, bytes: number, now: number): void {
    const counted = Math.max(lines, Math.ceil((bytes / REFUSED_BYTES) * this.#refused.limit));
    this.#refused.take(Math.min(counted, this.#refused.remaining(now)), now);
  }
}

/** Waiting does not help, so the message does not ask for it. */
const tooManyAtOnce = (limit: number): ServiceError =>
  new ServiceError(
    'rate_limited',
    `An account may push ${limit} lines in 60 seconds. This request has more: send fewer lines at a time.`,
    { retryAfterSeconds: 60 },
  );
