// The API reference and the OpenAPI and AsyncAPI documents. Rendering them is half a second of computing, which would delay ticks,
// so a worker thread does it and ends.

export interface DocumentOptions {
  /** Shows a note that the data of this service is simulated. */
  readonly simulated: boolean;
  /** Of the reference pages. */
  readonly script: string;
}

export interface Documents {
  readonly openApi: string;
  readonly asyncApi: string;
  readonly searchIndex: string;
  readonly pages: readonly ReferenceText[];
}

interface ReferenceText {
  readonly path: string;
  readonly html: string;
  readonly markdownPath: string;
  readonly markdown: string;
}

export function renderDocuments(options: DocumentOptions): Promise<Documents> {
  // Named as in a package. In a checkout, Bun finds the `.ts` file.
  const worker = new Worker(new URL('./api-documents.worker.js', import.meta.url));
  const { promise, resolve, reject } = Promise.withResolvers<Documents>();
  worker.onmessage = ({ data }: MessageEvent<Documents>) => resolve(data);
  worker.onerror = ({ message }) => reject(new Error(`the API documents cannot be rendered: ${message}`));
  worker.postMessage(options);
  return promise.finally(() => worker.terminate());
}
