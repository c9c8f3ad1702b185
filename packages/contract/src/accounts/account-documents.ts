// Documents of an account: what a page stores for a person, so that every device has it.
import { z } from 'zod';
import { integer, timestamp } from '../common/values.ts';

export const DOCUMENT_KINDS = ['layout', 'drawings', 'watchlist', 'settings'] as const;
export type DocumentKind = (typeof DOCUMENT_KINDS)[number];

/** Limits of one account. Sizes are bytes of a value as JSON without spaces, in UTF-8. */
export const DOCUMENT_LIMITS = { documents: 500, bytes: 4 * 1024 ** 2, valueBytes: 65_536 } as const;

/** In code points. */
export const MAX_DOCUMENT_NAME = 64;
export const DOCUMENT_NAME_RULE = `1 to ${MAX_DOCUMENT_NAME} letters, digits, spaces, dots, dashes or underscores, with at least one letter or digit`;

const name = new RegExp(`^[\\p{L}\\p{M}\\p{N} ._-]{1,${MAX_DOCUMENT_NAME}}$`, 'u');
export const isDocumentName = (text: string): boolean => name.test(text) && /[\p{L}\p{N}]/u.test(text);

const value = z.record(z.string(), z.unknown());

const fields = {
  kind: z.enum(DOCUMENT_KINDS).meta({ description: 'Kind of the document' }),
  name: z.string().meta({ description: 'Name of the document, unique within its kind' }),
  revision: integer('Number of the version: 1 when it is created, and one more with each change'),
  updated: timestamp('Time of the last change'),
};

export const DocumentInfo = z
  .object(fields)
  .meta({ id: 'DocumentInfo', description: 'A document of an account, without its value' });
export type DocumentInfo = z.infer<typeof DocumentInfo>;

export const AccountDocument = z
  .object({ ...fields, value: value.meta({ description: 'What was stored' }) })
  .meta({ id: 'AccountDocument', description: 'A document of an account' });
export type AccountDocument = z.infer<typeof AccountDocument>;

export const DocumentList = z
  .object({
    items: z
      .array(
        z
          .object({
            ...fields,
            value: value.optional().meta({ description: 'What was stored; not in a list without values' }),
          })
          .meta({ id: 'ListedDocument', description: 'A document in a list' }),
      )
      .meta({ description: 'Documents by kind and name' }),
  })
  .meta({ id: 'DocumentList', description: 'Documents of the account' });
export type DocumentList = z.infer<typeof DocumentList>;

export const DocumentsQuery = z.object({
  kind: z
    .enum(DOCUMENT_KINDS)
    .optional()
    .meta({
      description: 'Return only documents of this kind, with their values',
      allowed: `one of ${DOCUMENT_KINDS.join(', ')}`,
    }),
  values: z
    .preprocess((text) => (text === 'true' ? true : text === 'false' ? false : text), z.boolean())
    .optional()
    .meta({
      description: 'Whether items have their `value`. By default with `kind` only',
      allowed: 'true or false',
      wire: { type: 'boolean' },
    }),
});
export type DocumentsQuery = z.infer<typeof DocumentsQuery>;

export const DocumentChange = z
  .object({
    value: value.meta({
      description: 'What to store: any JSON object, up to 64 KiB as JSON and 64 levels deep',
      allowed: 'a JSON object of up to 64 KiB',
    }),
    revision: z.int().min(0).optional().meta({
      description: 'Revision that the change is based on. 0 or left out: the document must not exist yet',
      allowed: 'an integer of at least 0',
    }),
  })
  .meta({ id: 'DocumentChange', description: 'Creates or replaces a document' });
export type DocumentChange = z.infer<typeof DocumentChange>;
