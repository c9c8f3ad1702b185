import { describe } from 'bun:test';
import { keptDocumentsContract } from '../../testing/work/kept-documents.suite.ts';
import { LocalDocuments } from './kept-documents.ts';

let now = 1_000;

describe('documents of one process', () =>
  keptDocumentsContract(
    async (keptMs) => {
      const documents = new LocalDocuments(keptMs, () => now);
      return [documents, documents];
    },
    async (ms) => {
      now += ms;
    },
  ));
