// One pricing stream: an HTTP response that does not end, with one JSON object per line. Status 200 is the confirmation;
// the requested snapshot contains the current price of every instrument. The connection ends once, with one reason.
import type { PriceEvent } from '@tickwire/engine';
import { LineSplitter } from '../../../ops/line-splitter.ts';
import type { ConnectorSink, VenueConnection } from '../connector.ts';
import { errorText } from '../get-json.ts';
import { complaint, type Mapper } from '../mapper.ts';
import { type OandaAccess, OandaError, type OandaTiming, openOandaStream } from './oanda-client.ts';

/** A price with its full depth has about 1,000 bytes. */
const MAX_LINE_BYTES = 65_536;

interface PricingStreamOptions {
  readonly access: OandaAccess;
  readonly names: readonly string[];
  readonly map: Mapper;
  readonly sink: ConnectorSink;
  readonly timing: OandaTiming;
}

export async function openPricingStream(options: PricingStreamOptions): Promise<VenueConnection> {
  const { access, names, map, sink, timing } = options;
  const abort = new AbortController();
  const { promise: closed, resolve: resolveClosed } = Promise.withResolvers<string>();
  let endReason: string | null = null;
  let timer: ReturnType<typeof setTimeout>;

  const end = (reason: string): void => {
    if (endReason !== null) return;
    endReason = reason;
    clearTimeout(timer);
    abort.abort();
    resolveClosed(reason);
  };
  const endAfter = (ms: number, reason: string): void => {
    clearTimeout(timer);
    if (endReason === null) timer = setTimeout(() => end(reason), ms);
  };
  const resetStaleTimer = (): void => endAfter(timing.staleMs, `no heartbeat within ${timing.staleMs} ms`);

  /** Maps the lines of one chunk and passes on their quotes together. */
  const accept = (lines: readonly string[]): void => {
    const events: PriceEvent[] = [];
    let understood = false;
    for (const line of lines) {
      const mapped = map(line, Date.now());
      for (const each of mapped.complaints) sink.complain(each);
      events.push(...mapped.events);
      understood ||= mapped.complaints.length === 0;
    }
    // An unusable line is not a sign of life.
    if (understood) resetStaleTimer();
    if (events.length > 0) sink.events(events);
    else if (understood) sink.alive();
  };

  /** Reads to the end; returns why it ended. */
  const read = async (body: AsyncIterable<Uint8Array>): Promise<string> => {
    const decoder = new TextDecoder();
    let lines: string[] = [];
    let isTooLong = false;
    const splitter = new LineSplitter(
      {
        line: (bytes, start, lineEnd) => {
          const text = decoder.decode(bytes.subarray(start, lineEnd)).trim();
          if (text !== '') lines.push(text);
        },
        tooLong: () => {
          isTooLong = true;
        },
      },
      MAX_LINE_BYTES,
    );
    let reason = 'ended by the venue';
    try {
      for await (const chunk of body) {
        if (endReason !== null) return endReason;
        lines = [];
        splitter.chunk(chunk);
        if (isTooLong) return `line of more than ${MAX_LINE_BYTES} bytes`;
        accept(lines);
      }
    } catch (error) {
      reason = `connection lost: ${errorText(error)}`;
    }
    lines = [];
    splitter.end();
    if (endReason === null && lines.length > 0) sink.complain(complaint('line cut short', lines[0]));
    return reason;
  };

  endAfter(timing.responseTimeoutMs, `no response within ${timing.responseTimeoutMs} ms`);
  const query = `instruments=${names.map(encodeURIComponent).join(',')}&snapshot=true`;
  const path = `/v3/accounts/${encodeURIComponent(access.account)}/pricing/stream?${query}`;
  let response: Response;
  try {
    response = await openOandaStream(access, path, abort.signal);
    if (!response.body) throw new OandaError('stream without content');
  } catch (error) {
    const reason = endReason === null ? error : new OandaError(endReason);
    end('never opened');
    throw reason;
  }
  resetStaleTimer();
  void read(response.body).then(end);
  return { closed, close: () => end('closed by us') };
}
