// Endpoints of the documents of an account.
import { type EndpointExamples, endpoint } from '../common/endpoint.ts';
import { AccountDocument, DocumentChange, DocumentInfo, DocumentList, DocumentsQuery } from './account-documents.ts';

const PATH = '/api/account/documents/{kind}/{document}';
const common = { tag: 'Account', auth: 'session', scope: null } as const;
const ONE_ERRORS = ['invalid_parameter', 'document_not_found'] as const;

export const DOCUMENT_ENDPOINTS = {
  documents: endpoint({
    ...common,
    method: 'GET',
    path: '/api/account/documents',
    summary: 'List documents',
    description:
      'Returns stored documents, such as layouts and drawings. With `kind` or `values=true`, items have their values.',
    query: DocumentsQuery,
    response: DocumentList,
  }),
  document: endpoint({
    ...common,
    method: 'GET',
    path: PATH,
    summary: 'Get a document',
    description: 'Returns one document with its value.',
    response: AccountDocument,
    errors: ONE_ERRORS,
  }),
  putDocument: endpoint({
    ...common,
    method: 'PUT',
    path: PATH,
    summary: 'Create or replace a document',
    description:
      'Stores a JSON object of up to 64 KiB, if `revision` is still the current one; otherwise the response is `document_conflict`. An account may have 500 documents with 4 MiB together.',
    body: DocumentChange,
    response: DocumentInfo,
    errors: ['document_conflict', 'too_many_documents'],
  }),
  deleteDocument: endpoint({
    ...common,
    method: 'DELETE',
    path: PATH,
    summary: 'Delete a document',
    description: 'Deletes a document, whatever its revision, and returns its last state without its value.',
    response: DocumentInfo,
    errors: ONE_ERRORS,
  }),
} as const;

const info = { kind: 'layout', name: 'scalper', revision: 4, updated: '2026-03-02T11:24:07.318Z' } as const;
const value = { charts: [{ symbol: 'EURUSD', interval: '5m' }] };

export const DOCUMENT_EXAMPLES: EndpointExamples<typeof DOCUMENT_ENDPOINTS> = {
  documents: { request: '/api/account/documents?kind=layout', response: { items: [{ ...info, value }] } },
  document: { request: '/api/account/documents/layout/scalper', response: { ...info, value } },
  putDocument: {
    request: '/api/account/documents/layout/scalper',
    body: { value, revision: 3 },
    response: info,
  },
  deleteDocument: { request: '/api/account/documents/layout/scalper', response: info },
};
