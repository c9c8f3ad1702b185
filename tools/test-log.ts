// What the output of `bun test` says: counts, reasons to skip, and each failure with the lines before it.

/** Lines before a failure that are kept: what was expected, and where. */
const LINES_OF_FAILURE = 30;

export class TestLog {
  /** Why tests were skipped, as `packages/server/testing/skipped.fixture.ts` reports it. */
  readonly reasons = new Set<string>();
  readonly counts = { pass: 0, fail: 0, skip: 0 };
  /** Each failed test with the lines before it, so that the end of a long log says why it failed. */
  readonly failures: { readonly line: string; lines: readonly string[] }[] = [];
  /** Errors that were printed before the result of another test: tests run side by side, and some errors belong to none. */
  readonly strayErrors: (readonly string[])[] = [];

  /** Reads the lines of one command. */
  reader(): (line: string) => void {
    /** Since the last result of a test. */
    let since: string[] = [];
    let lastFailure: { lines: readonly string[] } | undefined;
    const seen = new Set<string>();
    return (line) => {
      if (/^\((pass|skip|todo)\) /.test(line)) {
        if (since.some((each) => /^ *error: |^# Unhandled error/.test(each))) this.strayErrors.push(since);
        since = [];
      } else if (line.startsWith('(fail) ')) {
        // The names of failed tests are listed once more at the end, without their errors.
        if (!seen.has(line)) {
          seen.add(line);
          const failure = { line, lines: since };
          this.failures.push(failure);
          lastFailure = failure;
        }
        since = [];
      } else if (line.startsWith('  ^ ') && lastFailure !== undefined) {
        // Why it failed, such as a time-out.
        lastFailure.lines = [...lastFailure.lines, line];
      } else since = [...since.slice(1 - LINES_OF_FAILURE), line];
      const reason = /^SKIPPED: (.+)$/.exec(line)?.[1];
      if (reason) this.reasons.add(reason);
      const [, count, kind] = /^ +(\d+) (pass|fail|skip)$/.exec(line) ?? [];
      if (kind) this.counts[kind as keyof typeof this.counts] += Number(count);
    };
  }
}
