-- Whether a part occurs in a text, in any case, in all languages, and however letters with accents are written.
CREATE FUNCTION contains(whole TEXT, part TEXT) RETURNS BOOLEAN LANGUAGE sql IMMUTABLE STRICT AS $$
  SELECT position(lower(normalize(part, NFC) COLLATE "und-x-icu") IN lower(normalize(whole, NFC) COLLATE "und-x-icu")) > 0
$$;

ALTER TABLE accounts
  ADD rowid BIGINT GENERATED ALWAYS AS IDENTITY UNIQUE,
  -- Its open jobs, counted so that choosing the next job passes over no account that has none.
  ADD queued BIGINT NOT NULL DEFAULT 0,
  ADD running BIGINT NOT NULL DEFAULT 0,
  -- Its first queued job: of accounts that were never served, the one that waits longest comes first.
  ADD waiting_from BIGINT;
ALTER TABLE batches ALTER problem TYPE JSON USING problem::JSON;
-- The order in which rows were added, which SQLite has of itself.
ALTER TABLE files ADD rowid BIGINT GENERATED ALWAYS AS IDENTITY UNIQUE;
ALTER TABLE webhooks ADD rowid BIGINT GENERATED ALWAYS AS IDENTITY UNIQUE;
ALTER TABLE presets ADD rowid BIGINT GENERATED ALWAYS AS IDENTITY UNIQUE;
ALTER TABLE choices ADD rowid BIGINT GENERATED ALWAYS AS IDENTITY UNIQUE;
CREATE INDEX accounts_by_turn ON accounts (turn);
CREATE INDEX accounts_waiting ON accounts (turn, waiting_from) WHERE queued > 0;
CREATE INDEX api_keys_by_account ON api_keys (account_id);

CREATE FUNCTION refuse_ledger_change() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN RAISE EXCEPTION 'the ledger is append-only'; END $$;
CREATE TRIGGER ledger_is_append_only
  BEFORE UPDATE OF id, account_id, kind, amount, job_id, category, key_id, created_at OR DELETE OR TRUNCATE ON ledger
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_ledger_change();

-- The balance is the sum of the ledger, kept beside it so that reading it does not grow with history. A refund counts for
-- the month of its charge.
CREATE FUNCTION move_sums() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    UPDATE accounts SET balance = balance + NEW.amount WHERE id = NEW.account_id;
    IF NEW.key_id IS NOT NULL AND NEW.kind IN ('charge', 'refund') THEN
      INSERT INTO key_spending (key_id, month, spent)
      VALUES (
        NEW.key_id,
        to_char(to_timestamp(coalesce(
          (SELECT created_at FROM ledger WHERE job_id = NEW.job_id AND kind = 'charge'), NEW.created_at) / 1000.0)
          AT TIME ZONE 'UTC', 'YYYY-MM'),
        -NEW.amount)
      ON CONFLICT (key_id, month) DO UPDATE SET spent = key_spending.spent + excluded.spent;
    END IF;
    RETURN NULL;
  END $$;
CREATE TRIGGER ledger_moves_sums AFTER INSERT ON ledger FOR EACH ROW EXECUTE FUNCTION move_sums();
CREATE INDEX files_unsubmitted ON files (account_id, added_at) WHERE submitted = 0;
CREATE INDEX jobs_queued ON jobs (account_id, seq) WHERE status = 'Queued';
CREATE INDEX jobs_open ON jobs (account_id, status) WHERE status IN ('Queued', 'Running');
CREATE INDEX jobs_running ON jobs (lease_expires_at) WHERE status = 'Running';
CREATE INDEX jobs_of_programs ON jobs (account_id, created_at) WHERE origin = 'api';

-- Whoever is served goes to the end of the line, in the same write that counts.
CREATE FUNCTION count_open_jobs() RETURNS trigger LANGUAGE plpgsql AS $$
  DECLARE
    more_queued INT := (TG_OP <> 'DELETE' AND NEW.status = 'Queued')::INT - (TG_OP <> 'INSERT' AND OLD.status = 'Queued')::INT;
    more_running INT := (TG_OP <> 'DELETE' AND NEW.status = 'Running')::INT - (TG_OP <> 'INSERT' AND OLD.status = 'Running')::INT;
  BEGIN
    IF more_queued <> 0 OR more_running <> 0 THEN
      UPDATE accounts SET queued = queued + more_queued, running = running + more_running,
        waiting_from = (SELECT MIN(seq) FROM jobs WHERE account_id = accounts.id AND status = 'Queued'),
        turn = CASE WHEN TG_OP = 'UPDATE' AND more_running > 0 THEN (SELECT MAX(turn) + 1 FROM accounts) ELSE turn END
      WHERE id = coalesce(NEW.account_id, OLD.account_id);
    END IF;
    RETURN NULL;
  END $$;
CREATE TRIGGER jobs_are_counted AFTER INSERT OR UPDATE OF status OR DELETE ON jobs
  FOR EACH ROW EXECUTE FUNCTION count_open_jobs();

-- An item outlives its job, whose last state becomes its own.
CREATE FUNCTION outlive_job() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    UPDATE batch_items
    SET state = lower(OLD.status), delivery = CASE WHEN delivery = 'pending' THEN 'none' ELSE delivery END
    WHERE job_id = OLD.id;
    RETURN OLD;
  END $$;
CREATE TRIGGER batch_item_outlives_job BEFORE DELETE ON jobs
  FOR EACH ROW WHEN (OLD.batch_id IS NOT NULL) EXECUTE FUNCTION outlive_job();

-- However a job ends, its webhook becomes due with it, or goes when it asked for another end.
CREATE FUNCTION make_webhook_due() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    UPDATE webhooks SET state = 'pending', next_attempt_at = NEW.finished_at, updated_at = NEW.finished_at,
      job = json_build_object(
        'status', NEW.status,
        'inputBytes', NEW.input_bytes,
        'outputBytes', NEW.output_bytes,
        'creditCost', NEW.credit_cost,
        'output', CASE WHEN NEW.output_name IS NULL THEN NULL ELSE json_build_object(
          'fileName', NEW.output_name, 'contentType', NEW.output_type, 'fileCount', NEW.output_count) END,
        'error', CASE WHEN NEW.error_code IS NULL THEN NULL ELSE json_build_object(
          'code', NEW.error_code, 'reason', NEW.error_reason::JSON) END,
        'warnings', NEW.warnings::JSON,
        'startedAt', NEW.started_at,
        'finishedAt', NEW.finished_at,
        'expiresAt', NEW.expires_at)::TEXT
    WHERE job_id = NEW.id AND state = 'waiting' AND position(lower(NEW.status) IN events) > 0;
    DELETE FROM webhooks WHERE job_id = NEW.id AND state = 'waiting';
    RETURN NULL;
  END $$;
CREATE TRIGGER webhook_of_ended_job AFTER UPDATE OF status ON jobs
  FOR EACH ROW WHEN (NEW.status IN ('Succeeded', 'Failed', 'Canceled') AND OLD.status IN ('Queued', 'Running'))
  EXECUTE FUNCTION make_webhook_due();

-- A job that failed or was canceled is refunded by the statement that ends it.
CREATE FUNCTION refund_job() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    INSERT INTO ledger (account_id, kind, amount, reason, job_id, category, key_id, created_at)
    VALUES (NEW.account_id, 'refund', NEW.credit_cost, NEW.status || ': ' || NEW.input_name, NEW.id, NEW.category,
            NEW.key_id, NEW.finished_at);
    RETURN NULL;
  END $$;
CREATE TRIGGER job_is_refunded AFTER UPDATE OF status ON jobs
  FOR EACH ROW WHEN (NEW.status IN ('Failed', 'Canceled') AND OLD.status IN ('Queued', 'Running') AND NEW.credit_cost > 0)
  EXECUTE FUNCTION refund_job();

-- Runs statements under a lock, all or none: one journey to the database. Being volatile, each of them sees what was committed before
-- it. If the first returns no job, the others are left out.
CREATE FUNCTION in_one_go(lock_name TEXT, statements JSON, parameters JSON) RETURNS SETOF jobs LANGUAGE plpgsql VOLATILE AS $$
  DECLARE
    job jobs;
  BEGIN
    PERFORM pg_advisory_xact_lock(hashtextextended(lock_name, 0));
    EXECUTE statements ->> 0 INTO job USING parameters;
    IF job.id IS NULL THEN RETURN; END IF;
    FOR i IN 1 .. json_array_length(statements) - 1 LOOP
      EXECUTE statements ->> i USING parameters;
    END LOOP;
    RETURN NEXT job;
  END $$;

CREATE FUNCTION forget_job() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    UPDATE ledger SET reason = OLD.job WHERE job_id = OLD.id;
    RETURN NULL;
  END $$;
CREATE TRIGGER job_is_forgotten AFTER DELETE ON jobs FOR EACH ROW EXECUTE FUNCTION forget_job();

-- Something that is sealed with the key of all hosts.
CREATE TABLE secrets_check (
  id BIGINT PRIMARY KEY CHECK (id = 1),
  sealed TEXT NOT NULL
);
