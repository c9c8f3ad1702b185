// Track records of publishers.
import type { FollowerResults, PublicRecordPage, PublisherDetail, PublisherList } from '../common/contract.ts';
import type { PublicRecordOptions, PublisherListOptions, PublisherOptions } from './publisher-options.ts';
import { type CallOptions, get, getCsv } from './request.ts';
import { SignalsApi } from './signals-api.ts';

const publisherPath = (name: string): string => `/api/publishers/${encodeURIComponent(name)}`;
const publicPath = (name: string): string => `/public/publishers/${encodeURIComponent(name)}`;

/** Track records of publishers; part of {@link TickwireClient}. */
export class PublishersApi extends SignalsApi {
  /**
   * Publishers with their track records, the best first.
   * @example const { items } = await client.publishers({ limit: 10 });
   */
  publishers(options: PublisherListOptions = {}, call?: CallOptions): Promise<PublisherList> {
    return get(this.rest, '/api/publishers', { ...options }, call);
  }

  /**
   * The track record of one publisher, by display name or id.
   * @example const { total_r, equity } = await client.publisher('House Trend');
   */
  publisher(name: string, { risk, windows, ...call }: PublisherOptions & CallOptions = {}): Promise<PublisherDetail> {
    return get(this.rest, publisherPath(name), { risk, windows }, call);
  }

  /**
   * All signals of a publisher as CSV, newest first.
   * @example const csv = await client.publisherSignals('House Trend');
   */
  publisherSignals(name: string, call?: CallOptions): Promise<string> {
    return getCsv(this.rest, `${publisherPath(name)}/signals.csv`, call);
  }

  /**
   * What followers of a publisher would have had 1, 5 and 30 seconds later, over the newest closed signals.
   * @example const { delays } = await client.publisherFollowers('House Trend', { limit: 100 });
   */
  publisherFollowers(
    name: string,
    { limit, ...call }: { readonly limit?: number } & CallOptions = {},
  ): Promise<FollowerResults> {
    return get(this.rest, `${publisherPath(name)}/followers`, { limit }, call);
  }

  /**
   * The complete equity curve of a publisher as CSV, in order of closing.
   * @example const csv = await client.publisherEquity('House Trend');
   */
  publisherEquity(name: string, call?: CallOptions): Promise<string> {
    return getCsv(this.rest, `${publisherPath(name)}/equity.csv`, call);
  }

  /**
   * The track record of one publisher without a key. Available if the operator has turned on public records.
   * @example const { status, e_value } = await client.publicPublisher('House Trend');
   */
  publicPublisher(
    name: string,
    { risk, windows, ...call }: PublisherOptions & CallOptions = {},
  ): Promise<PublisherDetail> {
    return get(this.rest, publicPath(name), { risk, windows }, call);
  }

  /**
   * The log records of a publisher's signals without a key, newest signal first. To page back, pass `next` as `before`.
   * @example const { items, next } = await client.publicRecords('House Trend', { limit: 50 });
   */
  publicRecords(name: string, options: PublicRecordOptions = {}, call?: CallOptions): Promise<PublicRecordPage> {
    return get(this.rest, `${publicPath(name)}/records`, { ...options }, call);
  }
}
