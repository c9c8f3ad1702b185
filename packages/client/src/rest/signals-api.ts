// Signals, and the log and the tape that prove them.
import type {
  AmendRequest,
  ClosedSignal,
  ClosingSignal,
  EvidenceLine,
  KeptHeadPage,
  LogHead,
  LogPage,
  PublishedSignal,
  SignalDetail,
  SignalProof,
  SignalRequest,
} from '../common/contract.ts';
import { HistoryApi } from './history-api.ts';
import {
  type CallOptions,
  type CloseOptions,
  get,
  getLines,
  jsonBody,
  type PostOptions,
  postIdempotent,
  postOnce,
} from './request.ts';
import type {
  EvidenceDay,
  EvidenceOptions,
  SignalDetailList,
  SignalDetailOptions,
  SignalHeadsOptions,
  SignalLogOptions,
  SignalOptions,
  SignalPage,
  TradingViewAlert,
} from './signal-options.ts';

const signalPath = (id: string): string => `/api/signals/${encodeURIComponent(id)}`;

/** Signals and their proofs; part of {@link TickwireClient}. */
export class SignalsApi extends HistoryApi {
  /**
   * Published signals, newest first. With `detail: true`, each has its order type, state, fill, exits and stop in force.
   * @example const { items } = await client.signals({ status: 'active', detail: true });
   */
  signals(options: SignalOptions & { readonly detail: true }, call?: CallOptions): Promise<SignalDetailList>;
  /**
   * Published signals, newest first.
   * @example const { items } = await client.signals({ status: 'closed', limit: 20 });
   */
  signals(options?: SignalOptions, call?: CallOptions): Promise<SignalPage>;
  signals(options: SignalOptions = {}, call?: CallOptions): Promise<SignalPage | SignalDetailList> {
    return get(this.rest, '/api/signals', { ...options }, call);
  }

  /**
   * One signal with its order type, its deadline and its records in the log.
   * With `windows: true`, also the high-impact calendar events at its entry and exit.
   * @example const { status, expires_at } = await client.signal('sig_1');
   */
  signal(id: string, { windows, ...call }: SignalDetailOptions & CallOptions = {}): Promise<SignalDetail> {
    return get(this.rest, signalPath(id), { windows }, call);
  }

  /**
   * The log records that prove a signal.
   * @example const { published, closed, head } = await client.signalProof('sig_1');
   */
  signalProof(id: string, call?: CallOptions): Promise<SignalProof> {
    return get(this.rest, `${signalPath(id)}/proof`, {}, call);
  }

  /**
   * Publishes a signal. Afterwards only its stop can be tightened. Needs the scope `publish`. Safe to repeat: a lost response
   * publishes no second signal.
   * @example await client.publishSignal({ symbol: 'EURUSD', direction: 'buy', entry: 1.084, stop_loss: 1.081, take_profit: 1.09 });
   */
  publishSignal(request: SignalRequest, options?: PostOptions): Promise<PublishedSignal> {
    return postIdempotent(this.rest, '/api/signals', jsonBody(request), options);
  }

  /**
   * Requests to close one of your own signals, or to withdraw it if its entry is still pending. The next quote of its
   * instrument does it. If none comes within 5 seconds, the result is the active signal, with `close_requested_at`.
   * @example const result = await client.closeSignal('sig_1'); // result.status === 'closed' && result.pnl, in pips
   */
  closeSignal(id: string, options: CloseOptions = {}): Promise<ClosedSignal | ClosingSignal> {
    const { signed, ...rest } = options;
    return postIdempotent(this.rest, `${signalPath(id)}/close`, signed ? jsonBody({ signed }) : null, rest);
  }

  /**
   * Tightens the stop of one of your own signals: raises it for a buy, lowers it for a sell. Nothing else can be changed.
   * @example const { current_stop_loss } = await client.amendSignal('sig_1', { stop_loss: 1.0825 });
   */
  amendSignal(id: string, request: AmendRequest, options?: PostOptions): Promise<SignalDetail> {
    return postIdempotent(this.rest, `${signalPath(id)}/amend`, jsonBody(request), options);
  }

  /**
   * Publishes a signal the way a TradingView alert does. The token is a key with the scope `hook`.
   * @example await client.tradingViewHook('tw_…', { symbol: 'FX:EURUSD', direction: 'long', entry: '1.084', stop_loss: '1.081', take_profit: '1.09' });
   */
  tradingViewHook(token: string, alert: TradingViewAlert, call?: CallOptions): Promise<PublishedSignal> {
    return postOnce(this.rest, `/hooks/tradingview/${encodeURIComponent(token)}`, jsonBody(alert), call);
  }

  /**
   * A page of the signal log. Pass its `next` as `after` to get the following page.
   * @example const { items, next } = await client.signalLog({ after: -1, limit: 500 });
   */
  signalLog(options: SignalLogOptions = {}, call?: CallOptions): Promise<LogPage> {
    return get(this.rest, '/api/signals/log', { ...options }, call);
  }

  /**
   * Number and hash of the last log record, signed.
   * @example const { n, hash, signature } = await client.signalHead();
   */
  signalHead(call?: CallOptions): Promise<LogHead> {
    return get(this.rest, '/api/signals/head', {}, call);
  }

  /**
   * A page of the heads that the service keeps, with the time stamps of outside authorities.
   * @example const { items, next } = await client.signalHeads({ after: -1 });
   */
  signalHeads(options: SignalHeadsOptions = {}, call?: CallOptions): Promise<KeptHeadPage> {
    return get(this.rest, '/api/signals/heads', { ...options }, call);
  }

  /**
   * The ticks of one instrument on one UTC day, as they arrive. The timeout of the call is that of the first byte.
   * @example
   * const { sealed, lines } = await client.evidence('2026-03-02', 'XAUUSD');
   * for await (const line of lines) if ('bid' in line) console.log(line.seq, line.bid);
   */
  async evidence(day: string, symbol: string, options: EvidenceOptions = {}, call?: CallOptions): Promise<EvidenceDay> {
    const path = `/api/evidence/${encodeURIComponent(day)}/${encodeURIComponent(symbol)}`;
    const { headers, lines } = await getLines<EvidenceLine>(this.rest, path, { ...options }, call);
    const sha256 = headers.get('Evidence-SHA256');
    return { sealed: sha256 !== null, sha256, lines };
  }
}
