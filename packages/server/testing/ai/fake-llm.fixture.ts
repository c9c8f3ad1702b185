// A language model server on a real socket with scripted behaviour.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface RequestedHeadline {
  readonly id: string;
  readonly text: string;
  readonly about: string | null;
}

export interface LlmServerRequest {
  readonly headers: IncomingMessage['headers'];
  readonly body: {
    readonly model: string;
    readonly temperature?: number;
    readonly max_tokens?: number;
    readonly max_completion_tokens?: number;
    readonly response_format?: { readonly type: string };
    readonly messages: readonly { readonly role: string; readonly content: string }[];
  };
}

export type LlmBehaviour = (response: ServerResponse, request: LlmServerRequest) => void;

export const headlinesOf = ({ body }: LlmServerRequest): RequestedHeadline[] =>
  (JSON.parse(body.messages[1]!.content) as { headlines?: RequestedHeadline[] }).headlines ?? [];

export const completion = (content: string, changes: Record<string, unknown> = {}): string =>
  JSON.stringify({
    id: 'chatcmpl-1',
    object: 'chat.completion',
    choices: [{ index: 0, finish_reason: 'stop', message: { role: 'assistant', content } }],
    usage: { prompt_tokens: 100, completion_tokens: 10, total_tokens: 110 },
    ...changes,
  });

export const json = (
  response: ServerResponse,
  text: string,
  status = 200,
  headers: Record<string, string> = {},
): void => {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(text);
};

/** Responds with this content. */
export const saying =
  (content: string | ((request: LlmServerRequest) => string), changes: Record<string, unknown> = {}): LlmBehaviour =>
  (response, request) =>
    json(response, completion(typeof content === 'string' ? content : content(request), changes));

/** Scores each headline. */
export const scoring = (score: (text: string) => unknown = () => 0.8): LlmBehaviour =>
  saying((request) =>
    JSON.stringify({ scores: headlinesOf(request).map(({ id, text }) => ({ id, score: score(text) })) }),
  );

export const failing =
  (status: number, headers: Record<string, string> = {}, message = 'no'): LlmBehaviour =>
  (response) =>
    json(response, JSON.stringify({ error: { message } }), status, headers);

export class FakeLlm {
  readonly requests: LlmServerRequest[] = [];
  /** Used one after the other; the last one repeats. */
  behaviours: LlmBehaviour[];
  readonly #server: Server;

  private constructor(behaviours: LlmBehaviour[]) {
    this.behaviours = behaviours;
    this.#server = createServer(async (request, response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk as Buffer);
      const received: LlmServerRequest = {
        headers: request.headers,
        body: JSON.parse(Buffer.concat(chunks).toString()),
      };
      this.requests.push(received);
      const behave = this.behaviours.length > 1 ? this.behaviours.shift()! : this.behaviours[0]!;
      behave(response, received);
    });
  }

  static async start(...behaviours: LlmBehaviour[]): Promise<FakeLlm> {
    const fake = new FakeLlm(behaviours.length > 0 ? behaviours : [scoring()]);
    await new Promise<void>((resolve) => {
      fake.#server.listen(0, '127.0.0.1', resolve);
    });
    return fake;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/v1`;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}
