// Answers that state the position up to which they include everything, for a stream that continues from there.
import type { StreamPosition } from '../common/contract.ts';
import { TickwireError } from '../common/tickwire-error.ts';
import type { Positioned } from '../rest/request.ts';

const ATTEMPTS = 20;
const ATTEMPT_MS = 250;

/** Repeats the request for some seconds: a gateway that restores its data states no position for a moment. */
export async function withPosition<T>(
  symbol: string,
  signal: AbortSignal | undefined,
  request: () => Promise<Positioned<T>>,
): Promise<{ readonly body: T; readonly position: StreamPosition }> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const { body, position } = await request();
    if (position) return { body, position };
    await new Promise((resolve) => setTimeout(resolve, ATTEMPT_MS));
    signal?.throwIfAborted();
  }
  const detail = `The responses for ${symbol} state no stream position; the service or a proxy hides Stream-Epoch and Stream-Seq`;
  throw new TickwireError({ status: 0, code: 'unexpected_response', detail });
}
