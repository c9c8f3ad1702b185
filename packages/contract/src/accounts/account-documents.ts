// Documents of an account: what a page stores for a person, so that every device has it.
import { z } from 'zod';
import { BooleanText, choice, integer, namedObject, timestamp } from '../common/values.ts';

export const DOCUMENT_KINDS = ['layout', 'drawings', 'watchlist', 'settings'] as const;
export type DocumentKind = (typeof DOCUMENT_KINDS)[number];

/** Limits of one account. Sizes are bytes of a value as JSON without spaces, in UTF-8. */
export const DOCUMENT_LIMITS = { documents: 500, bytes: 4 * 1024 ** 2, valueBytes: 65_536 } as const;

/** In code points. */
const MAX_DOCUMENT_NAME = 64;
export const DOCUMENT_NAME_RULE = `1 to ${MAX_DOCUMENT_NAME} letters, digits, spaces, dots, dashes or underscores, with at least one letter or digit`;

const name = new RegExp(`^[\\p{L}\\p{M}\\p{N} ._-]{1,${MAX_DOCUMENT_NAME}}$`, 'u');
export const isDocumentName = (text: string): boolean => name.test(text) && /[\p{L}\p{N}]/u.test(text);

const value = z.record(z.string(), z.unknown());

const fields = {
  kind: z.enum(DOCUMENT_KINDS).meta({ description: 'Kind of the document' }),
  name: z.string().meta({ description: 'Name, unique within its kind' }),
  revision: integer('Version, starting at 1'),
  updated: timestamp('Time of the last change'),
};

export const DocumentInfo = namedObject('DocumentInfo', 'A document of an account, without its value', () => fields);
export type DocumentInfo = z.infer<typeof DocumentInfo>;

export const AccountDocument = namedObject('AccountDocument', 'A document of an account', () => ({
  ...fields,
  value: value.meta({ description: 'What was stored' }),
}));
export type AccountDocument = z.infer<typeof AccountDocument>;

export const ListedDocument = namedObject('ListedDocument', 'A document in a list', () => ({
  ...fields,
  value: value.optional().meta({ description: 'What was stored; not in a list without values' }),
}));

export const DocumentList = namedObject('DocumentList', 'Documents of the account', () => ({
  items: z.array(ListedDocument).meta({ description: 'Documents by kind and name' }),
}));
export type DocumentList = z.infer<typeof DocumentList>;

export const DocumentsQuery = z.object({
  kind: choice(DOCUMENT_KINDS, 'Return only documents of this kind, with their values').optional(),
  values: BooleanText.optional().meta({
    description: 'Whether items have their `value`. By default with `kind` only',
    allowed: 'true or false',
  }),
});
export type DocumentsQuery = z.infer<typeof DocumentsQuery>;

export const DocumentChange = namedObject('DocumentChange', 'Creates or replaces a document', () => ({
  value: value.meta({
    description: 'Any JSON object, up to 64 KiB and 64 levels deep',
    allowed: 'a JSON object of up to 64 KiB',
  }),
  revision: z.int().min(0).optional().meta({
    description: 'Revision that the change is based on; 0 or absent for a new document',
    allowed: 'an integer of at least 0',
  }),
}));
export type DocumentChange = z.infer<typeof DocumentChange>;
