// The types of requests, responses and stream messages. Only types: the schemas and their library reach no bundle. The published
// package has declarations in place of this file, written out in full by build/contract-types.ts.
export type * from '@tickwire/contract';
