// One pricing stream: a request whose answer does not end. Its status is the confirmation; the snapshot asked for brings
// the price in force of every instrument at once. The connection ends once, with one reason.
import type { QuoteEvent, TradeEvent } from '@tickwire/engine';
import type { SourceLink, SourceSink } from '../source.ts';
import { complaint, type Mapper } from '../venues/venue.ts';
import { ask, type OandaAccess, OandaError, type OandaTiming, said } from './api.ts';
import { LineSplitter } from './line-splitter.ts';

/** A price with its full ladder has about 1,000 characters. */
const MAX_LINE_LENGTH = 65_536;

interface Stream {
  readonly access: OandaAccess;
  readonly names: readonly string[];
  readonly map: Mapper;
  readonly sink: SourceSink;
  readonly timing: OandaTiming;
}

export async function openStream({ access, names, map, sink, timing }: Stream): Promise<SourceLink> {
  const abort = new AbortController();
  const { promise: closed, resolve: settle } = Promise.withResolvers<string>();
  let over: string | null = null;
  let timer: ReturnType<typeof setTimeout>;

  const end = (reason: string): void => {
    if (over !== null) return;
    over = reason;
    clearTimeout(timer);
    abort.abort();
    settle(reason);
  };
  const within = (ms: number, reason: string): void => {
    clearTimeout(timer);
    if (over === null) timer = setTimeout(() => end(reason), ms);
  };
  const heard = (): void => within(timing.silenceMs, `no heartbeat in ${timing.silenceMs} ms`);

  /** The lines of one chunk; their quotes go on together. */
  const take = (lines: readonly string[]): void => {
    const events: (QuoteEvent | TradeEvent)[] = [];
    let understood = false;
    for (const line of lines) {
      const mapped = map(line, Date.now());
      for (const what of mapped.complaints) sink.complain(what);
      events.push(...mapped.events);
      understood ||= mapped.complaints.length === 0;
    }
    // Rubbish is no sign of life.
    if (understood) heard();
    if (events.length > 0) sink.events(events);
    else if (understood) sink.alive();
  };

  /** Reads to the end; returns why it came. */
  const read = async (body: AsyncIterable<Uint8Array>): Promise<string> => {
    const splitter = new LineSplitter(MAX_LINE_LENGTH);
    let reason = 'ended by the venue';
    try {
      for await (const chunk of body) {
        if (over !== null) return over;
        const lines = splitter.push(chunk);
        if (lines === null) return `a line of more than ${MAX_LINE_LENGTH} characters`;
        take(lines);
      }
    } catch (error) {
      reason = `the connection broke: ${said(error)}`;
    }
    if (over === null && splitter.rest.trim() !== '') sink.complain(complaint('line cut short', splitter.rest));
    return reason;
  };

  within(timing.answerMs, `no answer within ${timing.answerMs} ms`);
  const query = `instruments=${names.map(encodeURIComponent).join(',')}&snapshot=true`;
  const path = `/v3/accounts/${encodeURIComponent(access.account)}/pricing/stream?${query}`;
  let response: Response;
  try {
    response = await ask(access, 'stream', path, abort.signal);
    if (!response.body) throw new OandaError('a stream without content', 0);
  } catch (error) {
    const reason = over === null ? error : new OandaError(over, 0);
    end('never opened');
    throw reason;
  }
  heard();
  void read(response.body).then(end);
  return { closed, close: () => end('closed by us') };
}
