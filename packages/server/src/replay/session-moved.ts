/** Thrown by work that found out that a seek has moved the session since the work began. The work is done again at the new clock. */
export class SessionMoved extends Error {
  override name = 'SessionMoved';
}
