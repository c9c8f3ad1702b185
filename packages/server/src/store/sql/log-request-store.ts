// LogRequestStore in SQL that both SQLite and PostgreSQL understand.
import type { LogRequestStore, OpenLogRequest } from '../log-request-store.ts';
import { rows, run, type WorkRunner } from './shared-work.ts';

export function createLogRequestStore({ read, share }: WorkRunner): LogRequestStore {
  return {
    addLogRequest: (realm, request, at) =>
      share(function* () {
        const text = 'INSERT INTO log_requests (realm, request, at) VALUES ($1, $2, $3) RETURNING id';
        return (yield* rows<{ id: number }>(text, realm, request, at))[0]!.id;
      }),
    openLogRequests: (realm) =>
      read(() =>
        rows<OpenLogRequest>(
          'SELECT id, request FROM log_requests WHERE realm = $1 AND answer IS NULL ORDER BY id',
          realm,
        ),
      ),
    answerLogRequest: (id, answer, since) =>
      share(function* () {
        yield* run('UPDATE log_requests SET answer = $1 WHERE id = $2', answer, id);
        yield* run('DELETE FROM log_requests WHERE at < $1 AND answer IS NOT NULL', since);
      }),
    logRequestAnswer: (id) =>
      read(function* () {
        const text = 'SELECT answer FROM log_requests WHERE id = $1';
        return (yield* rows<{ answer: string | null }>(text, id))[0]?.answer ?? null;
      }),
  };
}
