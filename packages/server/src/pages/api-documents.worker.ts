// Worker thread that renders the API reference and the OpenAPI and AsyncAPI documents: one request in, all documents out.
import { asyncApiDocument, openApiDocument } from '@tickwire/contract';
import type { DocumentOptions, Documents } from './api-documents.ts';
import { markdownPath } from './reference/domains.ts';
import { markdownOf } from './reference/markdown.ts';
import { searchIndex } from './reference/search-index.ts';
import { renderReference } from './reference-page.ts';

declare const self: Worker;

self.onmessage = ({ data }: MessageEvent<DocumentOptions>) => {
  const reference = renderReference(data);
  const documents: Documents = {
    openApi: JSON.stringify(openApiDocument()),
    asyncApi: JSON.stringify(asyncApiDocument()),
    searchIndex: JSON.stringify(searchIndex(reference)),
    pages: reference.pages.map(({ page, html, main }) => ({
      path: page.path,
      html,
      markdownPath: markdownPath(page),
      markdown: markdownOf(main),
    })),
  };
  self.postMessage(documents);
};
