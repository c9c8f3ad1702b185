// A client that posts news to a running service and reads the feed.
import { NewsDetail, NewsIngestAnswer, type NewsLine, NewsList } from '@tickwire/contract';
import type { CreatedKey } from '../src/access/issue-key.ts';
import { eventually } from './process.fixture.ts';
import type { RunningService } from './service.fixture.ts';

export class TestWire {
  readonly issued: CreatedKey;
  readonly #url: string;

  constructor({ url }: Pick<RunningService, 'url'>, issued: CreatedKey) {
    this.#url = url;
    this.issued = issued;
  }

  static async of(service: RunningService, scopes = ['read', 'ingest'], tier = 'premium'): Promise<TestWire> {
    return new TestWire(service, await service.key(tier, scopes));
  }

  /** Sends a raw body. */
  post(body: BodyInit, headers: Record<string, string> = {}): Promise<Response> {
    return fetch(`${this.#url}/ingest/news`, {
      method: 'POST',
      body,
      headers: { 'X-API-Key': this.issued.key, ...headers },
    });
  }

  /** Sends lines and expects status 200. */
  async send(...lines: readonly (Partial<NewsLine> | string)[]): Promise<NewsIngestAnswer> {
    const body = lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line))).join('\n');
    return this.answerOf(await this.post(body));
  }

  async answerOf(answer: Response): Promise<NewsIngestAnswer> {
    if (answer.status !== 200) throw new Error(`${answer.status}: ${await answer.text()}`);
    return NewsIngestAnswer.strict().parse(await answer.json());
  }

  get(path: string): Promise<Response> {
    return fetch(this.#url + path, { headers: { 'X-API-Key': this.issued.key } });
  }

  /** The feed with all details. */
  async items(query = ''): Promise<NewsDetail[]> {
    const answer = await this.get(`/api/news?detail=true&limit=200&${query}`);
    const body = await answer.json();
    const { items } = NewsList.parse(body);
    return items.map((item) => NewsDetail.strict().parse(item));
  }

  async titles(query = ''): Promise<string[]> {
    return (await this.items(query)).map(({ title }) => title);
  }

  /** Waits for the item with this title. */
  async shows(title: string, withinMs = 60_000): Promise<NewsDetail> {
    let found: NewsDetail | undefined;
    await eventually(
      `“${title}” in the feed`,
      async () => {
        found = (await this.items()).find((item) => item.title === title);
        return found !== undefined;
      },
      withinMs,
    );
    return found!;
  }
}
