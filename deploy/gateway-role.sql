-- Rights of gateway nodes. Run it as an administrator in the database of Tickwire, after "tickwire migrate". It can be repeated.
DO $$ BEGIN
  IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'tickwire_gateway') THEN CREATE ROLE "tickwire_gateway" LOGIN; END IF;
END $$;
GRANT USAGE ON SCHEMA tickwire, sim, live, replay TO "tickwire_gateway";
GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA tickwire TO "tickwire_gateway";
GRANT USAGE ON ALL SEQUENCES IN SCHEMA tickwire TO "tickwire_gateway";
REVOKE INSERT, UPDATE, DELETE ON tickwire.schema_log, tickwire.log_requests FROM "tickwire_gateway";
GRANT SELECT ON ALL TABLES IN SCHEMA sim, live, replay TO "tickwire_gateway";
GRANT UPDATE (sealed, state) ON sim.destinations TO "tickwire_gateway";
GRANT UPDATE (wake_at, worker, failures, failing_since, last_delivered_at, failure) ON sim.destination_queues TO "tickwire_gateway";
GRANT UPDATE (state, attempts, first_attempt_at, next_at, delivered_at, reason) ON sim.messages TO "tickwire_gateway";
GRANT UPDATE (sealed, state) ON live.destinations TO "tickwire_gateway";
GRANT UPDATE (wake_at, worker, failures, failing_since, last_delivered_at, failure) ON live.destination_queues TO "tickwire_gateway";
GRANT UPDATE (state, attempts, first_attempt_at, next_at, delivered_at, reason) ON live.messages TO "tickwire_gateway";
GRANT UPDATE (sealed, state) ON replay.destinations TO "tickwire_gateway";
GRANT UPDATE (wake_at, worker, failures, failing_since, last_delivered_at, failure) ON replay.destination_queues TO "tickwire_gateway";
GRANT UPDATE (state, attempts, first_attempt_at, next_at, delivered_at, reason) ON replay.messages TO "tickwire_gateway";
-- Tables of later migrations.
ALTER DEFAULT PRIVILEGES FOR ROLE "tickwire" IN SCHEMA tickwire GRANT SELECT, INSERT, UPDATE, DELETE ON TABLES TO "tickwire_gateway";
ALTER DEFAULT PRIVILEGES FOR ROLE "tickwire" IN SCHEMA tickwire GRANT USAGE ON SEQUENCES TO "tickwire_gateway";
ALTER DEFAULT PRIVILEGES FOR ROLE "tickwire" IN SCHEMA sim, live, replay GRANT SELECT ON TABLES TO "tickwire_gateway";
