// What the headers of an answer tell beside its body.

export interface Allowance {
  readonly limit: number;
  readonly remaining: number;
  /** Seconds until at least one more request is free. */
  readonly resetSeconds: number;
}

export interface AnswerInfo {
  readonly status: number;
  /** null where the answer carried none: no valid key, or a cross-origin answer that does not expose the headers. */
  readonly allowance: Allowance | null;
  /** The data comes from a simulation, and people should be told so. */
  readonly simulated: boolean;
}

function count(headers: Headers, name: string): number | null {
  const value = headers.get(name);
  return value !== null && /^\d+$/.test(value.trim()) ? Number(value) : null;
}

export function answerInfo(response: Response): AnswerInfo {
  const { headers } = response;
  const limit = count(headers, 'X-RateLimit-Limit');
  const remaining = count(headers, 'X-RateLimit-Remaining');
  const allowance =
    limit === null || remaining === null
      ? null
      : { limit, remaining, resetSeconds: count(headers, 'X-RateLimit-Reset') ?? 0 };
  return { status: response.status, allowance, simulated: headers.get('Data-Source') === 'simulated' };
}
