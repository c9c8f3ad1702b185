// One check of a proof and its result, in words for the user.

/** `unavailable`: it could not be checked here, which is not a fault. */
export type CheckOutcome = 'passed' | 'failed' | 'unavailable';

export interface CheckResult {
  readonly title: string;
  readonly outcome: CheckOutcome;
  readonly text: string;
}

/** The check returns the text for a passed check, and adds what it finds wrong to `faults`. */
export async function runCheck(
  title: string,
  check: (faults: string[]) => string | Promise<string>,
): Promise<CheckResult> {
  const faults: string[] = [];
  let text = '';
  try {
    text = await check(faults);
  } catch {
    // Malformed records break the code that reads them.
    faults.push('A record is malformed: a field is missing or has the wrong type');
  }
  if (faults.length === 0) return { title, outcome: 'passed', text };
  return { title, outcome: 'failed', text: faults.map((fault) => `${fault}.`).join(' ') };
}
