// A server of language models over a real socket that answers as it is told to: well, slowly, wrongly, never.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface AskedHeadline {
  readonly id: string;
  readonly text: string;
  readonly about: string | null;
}

export interface Asked {
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

export type Behaviour = (response: ServerResponse, asked: Asked) => void;

export const headlinesOf = ({ body }: Asked): AskedHeadline[] =>
  (JSON.parse(body.messages[1]!.content) as { headlines?: AskedHeadline[] }).headlines ?? [];

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

/** Says this, whatever was asked. */
export const saying =
  (content: string | ((asked: Asked) => string), changes: Record<string, unknown> = {}): Behaviour =>
  (response, asked) =>
    json(response, completion(typeof content === 'string' ? content : content(asked), changes));

/** Scores each headline. */
export const scoring = (score: (text: string) => unknown = () => 0.8): Behaviour =>
  saying((asked) => JSON.stringify({ scores: headlinesOf(asked).map(({ id, text }) => ({ id, score: score(text) })) }));

export const failing =
  (status: number, headers: Record<string, string> = {}, message = 'no'): Behaviour =>
  (response) =>
    json(response, JSON.stringify({ error: { message } }), status, headers);

export class FakeLlm {
  readonly asked: Asked[] = [];
  /** Used up one by one; the last one stays. */
  behaviours: Behaviour[];
  readonly #server: Server;

  private constructor(behaviours: Behaviour[]) {
    this.behaviours = behaviours;
    this.#server = createServer(async (request, response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk as Buffer);
      const asked: Asked = { headers: request.headers, body: JSON.parse(Buffer.concat(chunks).toString()) };
      this.asked.push(asked);
      const behave = this.behaviours.length > 1 ? this.behaviours.shift()! : this.behaviours[0]!;
      behave(response, asked);
    });
  }

  static async start(...behaviours: Behaviour[]): Promise<FakeLlm> {
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
