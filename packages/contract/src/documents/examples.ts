// One valid example of the request, body and response of each endpoint.
import { ACCOUNT_EXAMPLES } from '../accounts/examples.ts';
import { AI_EXAMPLES } from '../ai/examples.ts';
import { ALERT_EXAMPLES } from '../alerts/examples.ts';
import { CALENDAR_EXAMPLES } from '../calendar/examples.ts';
import { CHAT_CHANNEL_EXAMPLES } from '../chat-channels/examples.ts';
import type { EndpointExamples } from '../common/endpoint.ts';
import { MARKET_EXAMPLES } from '../market/examples.ts';
import { UDF_EXAMPLES } from '../market/udf-endpoints.ts';
import { NEWS_ENDPOINT_EXAMPLES } from '../news/examples.ts';
import { REPLAY_EXAMPLES } from '../replay/examples.ts';
import { SERVICE_EXAMPLES } from '../service/examples.ts';
import { EVIDENCE_EXAMPLES } from '../signals/evidence-endpoints.ts';
import { SIGNAL_EXAMPLES } from '../signals/examples.ts';
import { FOLLOWER_EXAMPLES } from '../signals/followers.ts';
import { PUBLIC_RECORD_EXAMPLES } from '../signals/public-records.ts';
import { STREAM_EXAMPLES } from '../stream/event-stream.ts';
import type { ENDPOINTS, EndpointName } from './endpoints.ts';

type Examples = EndpointExamples<typeof ENDPOINTS>;
type PartName = 'request' | 'body' | 'lines' | 'response' | 'accepted';
type Part<K extends PartName> = { readonly [N in EndpointName]: Examples[N][K] };

const EXAMPLES: Examples = {
  ...MARKET_EXAMPLES,
  ...UDF_EXAMPLES,
  ...SIGNAL_EXAMPLES,
  ...EVIDENCE_EXAMPLES,
  ...FOLLOWER_EXAMPLES,
  ...PUBLIC_RECORD_EXAMPLES,
  ...NEWS_ENDPOINT_EXAMPLES,
  ...CALENDAR_EXAMPLES,
  ...AI_EXAMPLES,
  ...ALERT_EXAMPLES,
  ...CHAT_CHANNEL_EXAMPLES,
  ...ACCOUNT_EXAMPLES,
  ...STREAM_EXAMPLES,
  ...REPLAY_EXAMPLES,
  ...SERVICE_EXAMPLES,
};

const part = <K extends PartName>(key: K): Part<K> =>
  Object.fromEntries(Object.entries(EXAMPLES).map(([name, example]) => [name, example[key as 'request']])) as Part<K>;

/** Path and query of each request. */
export const REQUEST_EXAMPLES = part('request');
/** Bodies of the endpoints that take one document. */
export const JSON_BODY_EXAMPLES = part('body');
/** Bodies of the endpoints that take lines. */
export const LINE_EXAMPLES = part('lines');
export const RESPONSE_EXAMPLES = part('response');
/** Bodies of responses with the status 202. */
export const ACCEPTED_EXAMPLES = part('accepted');
