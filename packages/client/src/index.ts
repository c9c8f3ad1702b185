// The public interface of the package.
export { TickwireClient } from './client.ts';
export type { ClientOptions } from './client-options.ts';
export type * from './common/contract.ts';
export type { Instant } from './common/instant.ts';
export { type FailureCode, TickwireError, type TickwireErrorOptions } from './common/tickwire-error.ts';
export type { Timing } from './common/timing.ts';
export { CoreClient } from './core-client.ts';
export type { AccountApi, AdminApi, DocumentsApi, KeysApi, LinksApi, UdfApi } from './rest/api.ts';
export type * from './rest/options.ts';
export type { CallOptions, CloseOptions, Fetch, PostOptions } from './rest/request.ts';
export type * from './rest/request-types.ts';
// The contract has the same name for the parsed alert.
export type { TradingViewAlert } from './rest/request-types.ts';
export type { Allowance, ResponseInfo } from './rest/response-info.ts';
export { createSigningKey, importSigningKey, Signer, type SigningKeyPair } from './rest/signer.ts';
export type * from './rest/special-types.ts';
export type { ConnectionEnd } from './stream/connection.ts';
export type { StateEvent, StreamEvent, StreamMessageEvent } from './stream/event-queue.ts';
export type { FollowBarsOptions, FollowedBar, HistoryBar, LiveBar } from './stream/follow-bars.ts';
export type { FollowedTick, FollowTicksOptions, HistoryTick, LiveTick } from './stream/follow-ticks.ts';
export type { Gap } from './stream/gap.ts';
export type { Live } from './stream/live.ts';
export type { LiveOptions, LiveStream } from './stream/live-stream.ts';
export type { MessageOf, StreamKind, StreamMessages } from './stream/messages.ts';
export type { StateDetail, StreamState } from './stream/reconnecting-socket.ts';
export type { RejectedSymbol, Stream, StreamHandlers } from './stream/stream.ts';
export type { StreamOptions } from './stream/stream-options.ts';
export type { WebSocketConstructor, WebSocketLike } from './stream/web-socket.ts';
