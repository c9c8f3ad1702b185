/** Version of the interface, in the documents and in the `API-Version` header. Changes are additive. */
export const API_VERSION = '1.0.0';
