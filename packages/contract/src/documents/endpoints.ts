// The table of all endpoints. The server implements exactly these.
import { ACCOUNT_ENDPOINTS } from '../accounts/endpoints.ts';
import { AI_ENDPOINTS } from '../ai/endpoints.ts';
import { ALERT_ENDPOINTS } from '../alerts/endpoints.ts';
import { CALENDAR_ENDPOINTS } from '../calendar/endpoints.ts';
import { CHAT_CHANNEL_ENDPOINTS } from '../chat-channels/endpoints.ts';
import type { Endpoint } from '../common/endpoint.ts';
import { MARKET_ENDPOINTS } from '../market/endpoints.ts';
import { UDF_ENDPOINTS } from '../market/udf-endpoints.ts';
import { NEWS_ENDPOINTS } from '../news/endpoints.ts';
import { REPLAY_ENDPOINTS } from '../replay/endpoints.ts';
import { SERVICE_ENDPOINTS } from '../service/endpoints.ts';
import { SIGNAL_ENDPOINTS } from '../signals/endpoints.ts';
import { EVIDENCE_ENDPOINTS } from '../signals/evidence-endpoints.ts';
import { FOLLOWER_ENDPOINTS } from '../signals/followers.ts';
import { PUBLIC_RECORD_ENDPOINTS } from '../signals/public-records.ts';
import type { ErrorCode } from '../stream/error-catalogue.ts';
import { STREAM_ENDPOINTS } from '../stream/event-stream.ts';

export const ENDPOINTS = {
  ...MARKET_ENDPOINTS,
  ...UDF_ENDPOINTS,
  ...SIGNAL_ENDPOINTS,
  ...EVIDENCE_ENDPOINTS,
  ...FOLLOWER_ENDPOINTS,
  ...PUBLIC_RECORD_ENDPOINTS,
  ...NEWS_ENDPOINTS,
  ...CALENDAR_ENDPOINTS,
  ...AI_ENDPOINTS,
  ...ALERT_ENDPOINTS,
  ...CHAT_CHANNEL_ENDPOINTS,
  ...ACCOUNT_ENDPOINTS,
  ...STREAM_ENDPOINTS,
  ...REPLAY_ENDPOINTS,
  ...SERVICE_ENDPOINTS,
} as const satisfies Record<string, Endpoint & { readonly errors?: readonly ErrorCode[] }>;

export type EndpointName = keyof typeof ENDPOINTS;
