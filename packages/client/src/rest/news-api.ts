// Headlines, their sentiment, and the models behind it.
import type {
  AiBrief,
  AiModelList,
  AiSentiment,
  AiSentimentRequest,
  NewsCalibration,
  NewsIngestAnswer,
  NewsItemDetail,
  NewsLine,
  NewsList,
  NewsSentiment,
  NewsSourceList,
} from '../common/contract.ts';
import type { NewsDetailList, NewsOptions, NewsSentimentOptions } from './news-options.ts';
import { PublishersApi } from './publishers-api.ts';
import { type CallOptions, get, jsonBody, ndjsonBody, type PostOptions, postIdempotent, postOnce } from './request.ts';

/** Headlines and models; part of {@link TickwireClient}. */
export class NewsApi extends PublishersApi {
  /**
   * Headlines with sentiment, newest first. To page back, pass the id of the last item as `before`.
   * With `detail: true`, each headline has its id, source, symbols and revision.
   * @example const { items } = await client.news({ symbol: 'XAUUSD', detail: true });
   */
  news(options: NewsOptions & { readonly detail: true }, call?: CallOptions): Promise<NewsDetailList>;
  /**
   * Headlines with sentiment, newest first. To page back, pass the id of the last item as `before`.
   * @example const { items } = await client.news({ category: 'gold', limit: 50 });
   */
  news(options?: NewsOptions, call?: CallOptions): Promise<NewsList>;
  news(options: NewsOptions = {}, call?: CallOptions): Promise<NewsList> {
    return get(this.rest, '/api/news', { ...options }, call);
  }

  /**
   * One headline with all its fields, and the prices of its instruments at its publication and up to four hours later.
   * @example const { title, market } = await client.newsItem('news_4d9s2v7b');
   */
  newsItem(id: string, call?: CallOptions): Promise<NewsItemDetail> {
    return get(this.rest, `/api/news/${encodeURIComponent(id)}`, {}, call);
  }

  /**
   * Headlines of the last day, week or month counted by label, with their average score from −1 to 1.
   * @example const { items } = await client.newsSentiment({ period: 'week' });
   */
  newsSentiment(options: NewsSentimentOptions = {}, call?: CallOptions): Promise<NewsSentiment> {
    return get(this.rest, '/api/news/sentiment', { ...options }, call);
  }

  /**
   * How the market moved after headlines, by model, category and label; `labels` tells how well the label probabilities are
   * calibrated.
   * @example const { items } = await client.newsCalibration();
   */
  newsCalibration(call?: CallOptions): Promise<NewsCalibration> {
    return get(this.rest, '/api/news/calibration', {}, call);
  }

  /**
   * State of the news sources. Needs the scope `admin`.
   * @example const { items } = await client.newsSources();
   */
  newsSources(call?: CallOptions): Promise<NewsSourceList> {
    return get(this.rest, '/api/news/sources', {}, call);
  }

  /**
   * Pushes your own headlines. Each line is accepted or rejected on its own. Needs the scope `ingest`.
   * @example const { accepted } = await client.ingestNews([{ title: 'Gold rises to a record', category: 'gold' }]);
   */
  ingestNews(lines: Iterable<NewsLine>, options?: PostOptions): Promise<NewsIngestAnswer> {
    return postIdempotent(this.rest, '/ingest/news', ndjsonBody(lines), options);
  }

  /**
   * Scores the sentiment of a text. A success counts as one AI call of the account; the request is never repeated.
   * @example const { sentiment, sentiment_score } = await client.aiSentiment({ text: 'Gold rises to a record', symbol: 'XAUUSD' });
   */
  aiSentiment(request: AiSentimentRequest, call?: CallOptions): Promise<AiSentiment> {
    return postOnce(this.rest, '/api/ai/sentiment', jsonBody(request), call);
  }

  /**
   * A short brief on one instrument, with a citation for each figure. A success counts as one AI call of the account.
   * @example const { text, citations } = await client.aiBrief('EURUSD');
   */
  aiBrief(symbol: string, call?: CallOptions): Promise<AiBrief> {
    return get(this.rest, `/api/ai/brief/${encodeURIComponent(symbol)}`, {}, call);
  }

  /**
   * The models, their tasks and whether they are available. Does not count as an AI call.
   * @example const { items } = await client.aiModels();
   */
  aiModels(call?: CallOptions): Promise<AiModelList> {
    return get(this.rest, '/api/ai/models', {}, call);
  }
}
