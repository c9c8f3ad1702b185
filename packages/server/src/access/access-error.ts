/** A change that cannot be made. The message is shown to the user. */
export class AccessError extends Error {
  override name = 'AccessError';
}
