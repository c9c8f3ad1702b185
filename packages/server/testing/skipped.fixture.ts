// Reports why tests are skipped. The test runner collects these lines for its summary.
const reported = new Set<string>();

/** Prints the reason once per process; with TICKWIRE_TEST_REQUIRE_SERVICES=1, as in CI, a missing requirement is a failure. */
export function reportSkipped(
  tests: string,
  reason: string,
  isRequired = process.env.TICKWIRE_TEST_REQUIRE_SERVICES === '1',
): void {
  if (isRequired) throw new Error(`${tests} cannot run: ${reason}`);
  const line = `SKIPPED: ${tests}: ${reason}`;
  if (reported.has(line)) return;
  reported.add(line);
  process.stderr.write(`${line}\n`);
}
