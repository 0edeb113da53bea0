-- Whether a part occurs in a text, in any case, in all languages, and however letters with accents are written.
CREATE FUNCTION contains(whole TEXT, part TEXT) RETURNS BOOLEAN LANGUAGE sql IMMUTABLE STRICT AS $$
  SELECT position(lower(normalize(part, NFC) COLLATE "und-x-icu") IN lower(normalize(whole, NFC) COLLATE "und-x-icu")) > 0
$$;

CREATE TABLE accounts (
  rowid BIGINT GENERATED ALWAYS AS IDENTITY UNIQUE,
  id TEXT PRIMARY KEY,
  name TEXT NOT NULL,
  balance BIGINT NOT NULL DEFAULT 0,
  -- Turn in the round robin between accounts: the account claimed longest ago is next.
  turn BIGINT NOT NULL DEFAULT 0,
  -- Its open jobs, counted so that choosing the next job passes over no account that has none.
  queued BIGINT NOT NULL DEFAULT 0,
  running BIGINT NOT NULL DEFAULT 0,
  -- Its first queued job: of accounts that were never served, the one that waits longest comes first.
  waiting_from BIGINT,
  -- What the owner has chosen: 1 tops up by itself, 0 does not; null where nothing was chosen.
  auto_top_up BIGINT,
  created_at BIGINT NOT NULL,
  -- Its own limits of running and of open jobs, where they are not the usual ones; and when it was closed.
  running_limit BIGINT,
  open_limit BIGINT,
  closed_at BIGINT,
  -- The person of a provider of identities who opens the account: the issuer, and the subject that it never gives to another person.
  identity_issuer TEXT,
  identity_subject TEXT
);
CREATE INDEX accounts_by_turn ON accounts (turn);
CREATE INDEX accounts_waiting ON accounts (turn, waiting_from) WHERE queued > 0;
CREATE UNIQUE INDEX accounts_by_identity ON accounts (identity_issuer, identity_subject);

CREATE TABLE api_keys (
  id TEXT PRIMARY KEY,
  account_id TEXT NOT NULL REFERENCES accounts (id),
  name TEXT NOT NULL,
  hash BYTEA NOT NULL,
  prefix TEXT NOT NULL,
  ip_allowlist TEXT NOT NULL,
  guest BIGINT NOT NULL,
  -- What its jobs may cost in a calendar month (UTC).
  monthly_budget BIGINT,
  created_at BIGINT NOT NULL,
  expires_at BIGINT,
  last_used_at BIGINT,
  -- A revoked key keeps its name, for its jobs, and not its hash.
  revoked_at BIGINT
);
CREATE INDEX api_keys_by_account ON api_keys (account_id);

-- Sum of the ledger by key and month (UTC), kept beside it so that a charge reads one row.
CREATE TABLE key_spending (
  key_id TEXT NOT NULL,
  month TEXT NOT NULL,
  spent BIGINT NOT NULL,
  PRIMARY KEY (key_id, month)
);

CREATE TABLE ledger (
  id BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  account_id TEXT NOT NULL REFERENCES accounts (id),
  kind TEXT NOT NULL CHECK (kind IN ('grant', 'charge', 'refund', 'top-up')),
  amount BIGINT NOT NULL,
  reason TEXT NOT NULL,
  job_id TEXT,
  category TEXT,
  key_id TEXT,
  created_at BIGINT NOT NULL
);
CREATE INDEX ledger_by_account ON ledger (account_id, id);
CREATE INDEX ledger_by_time ON ledger (account_id, created_at);
-- A job is charged once and refunded once, whatever happens.
CREATE UNIQUE INDEX ledger_once_per_job ON ledger (job_id, kind) WHERE job_id IS NOT NULL;

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

CREATE TABLE files (
  rowid BIGINT GENERATED ALWAYS AS IDENTITY UNIQUE,
  id TEXT PRIMARY KEY,
  account_id TEXT NOT NULL REFERENCES accounts (id),
  name TEXT NOT NULL,
  relative_path TEXT,
  bytes BIGINT NOT NULL,
  format TEXT,
  measures TEXT NOT NULL,
  problem TEXT,
  source TEXT NOT NULL,
  submitted BIGINT NOT NULL DEFAULT 0,
  original_path TEXT,
  modified_at DOUBLE PRECISION,
  added_at DOUBLE PRECISION NOT NULL,
  used_at BIGINT NOT NULL,
  created_at BIGINT NOT NULL
);
CREATE INDEX files_by_use ON files (used_at);
CREATE INDEX files_unsubmitted ON files (account_id, added_at) WHERE submitted = 0;

CREATE TABLE jobs (
  seq BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  account_id TEXT NOT NULL REFERENCES accounts (id),
  origin TEXT NOT NULL CHECK (origin IN ('app', 'api')),
  key_id TEXT,
  -- A retry is an attempt of the job that it repeats: all name the first of them.
  first_id TEXT NOT NULL,
  job TEXT NOT NULL,
  category TEXT NOT NULL,
  target_key TEXT NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('Queued', 'Running', 'Succeeded', 'Failed', 'Canceled')),
  options TEXT NOT NULL,
  input_name TEXT NOT NULL,
  input_format TEXT NOT NULL,
  input_bytes BIGINT NOT NULL,
  input_source TEXT NOT NULL,
  measure TEXT NOT NULL,
  file_id TEXT,
  batch_id TEXT,
  saved_to TEXT,
  credit_cost BIGINT NOT NULL,
  attempts BIGINT NOT NULL DEFAULT 0,
  -- A running job belongs to the host that holds its lease.
  lease_owner TEXT,
  lease_expires_at BIGINT,
  warnings TEXT NOT NULL DEFAULT '[]',
  error_code TEXT,
  error_reason TEXT,
  output_name TEXT,
  output_type TEXT,
  output_count BIGINT,
  output_bytes BIGINT NOT NULL DEFAULT 0,
  output_key TEXT,
  -- 1 while the output is stored.
  output_kept BIGINT NOT NULL DEFAULT 0,
  created_at BIGINT NOT NULL,
  started_at BIGINT,
  finished_at BIGINT,
  expires_at BIGINT,
  -- How often its host crashed or was lost while it ran. Attempts also count the starts after a clean stop.
  interruptions BIGINT NOT NULL DEFAULT 0
);
CREATE INDEX jobs_by_account ON jobs (account_id, seq);
CREATE INDEX jobs_queued ON jobs (account_id, seq) WHERE status = 'Queued';
CREATE INDEX jobs_open ON jobs (account_id, status) WHERE status IN ('Queued', 'Running');
CREATE INDEX jobs_running ON jobs (lease_expires_at) WHERE status = 'Running';
CREATE INDEX jobs_expiring ON jobs (expires_at) WHERE output_kept = 1;
CREATE INDEX jobs_finished ON jobs (finished_at) WHERE finished_at IS NOT NULL;
CREATE INDEX jobs_by_batch ON jobs (batch_id) WHERE batch_id IS NOT NULL;
CREATE INDEX jobs_by_first ON jobs (first_id, seq);
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

-- Links that open the page and the sessions they are traded for; hashes only.
CREATE TABLE sessions (
  hash BYTEA PRIMARY KEY,
  kind TEXT NOT NULL CHECK (kind IN ('link', 'session')),
  account_id TEXT NOT NULL REFERENCES accounts (id),
  expires_at BIGINT NOT NULL,
  -- The owner of a service may use its machine, members only their account.
  role TEXT NOT NULL CHECK (role IN ('owner', 'member'))
);
CREATE INDEX sessions_by_end ON sessions (expires_at);
CREATE INDEX sessions_by_account ON sessions (account_id, expires_at);

CREATE TABLE batches (
  id TEXT PRIMARY KEY,
  account_id TEXT NOT NULL REFERENCES accounts (id),
  position BIGINT NOT NULL,
  source TEXT NOT NULL,
  target_key TEXT NOT NULL,
  options TEXT NOT NULL,
  destination TEXT NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('active', 'paused', 'done', 'canceled')),
  problem JSON,
  created_at BIGINT NOT NULL,
  finished_at BIGINT,
  -- The host that received it, on whose machine the folder of its results is.
  host TEXT NOT NULL
);
CREATE INDEX batches_by_account ON batches (account_id, state, position);

CREATE TABLE batch_items (
  id TEXT PRIMARY KEY,
  batch_id TEXT NOT NULL REFERENCES batches (id) ON DELETE CASCADE,
  position BIGINT NOT NULL,
  file_id TEXT NOT NULL,
  name TEXT NOT NULL,
  relative_path TEXT,
  bytes BIGINT NOT NULL,
  format TEXT,
  added_at DOUBLE PRECISION NOT NULL,
  original_path TEXT,
  modified_at DOUBLE PRECISION,
  retry_of TEXT,
  -- A submitted item is in the state of its job.
  state TEXT NOT NULL CHECK (state IN ('waiting', 'submitted', 'succeeded', 'failed', 'canceled')),
  job_id TEXT,
  delivery TEXT NOT NULL CHECK (delivery IN ('none', 'pending', 'saved', 'failed')),
  saved_to TEXT,
  numbered BIGINT NOT NULL DEFAULT 0,
  error TEXT
);
CREATE INDEX batch_items_in_order ON batch_items (batch_id, position);
CREATE INDEX batch_items_waiting ON batch_items (batch_id, position) WHERE state = 'waiting';
CREATE INDEX batch_items_waiting_for_file ON batch_items (file_id) WHERE state = 'waiting';
CREATE UNIQUE INDEX batch_items_by_job ON batch_items (job_id) WHERE job_id IS NOT NULL;
CREATE INDEX batch_items_unsaved ON batch_items (job_id) WHERE delivery = 'pending';
-- Whether an original is still needed is asked for each result that is saved.
CREATE INDEX batch_items_of_original ON batch_items (original_path) WHERE original_path IS NOT NULL;

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

-- Who is told of the end of a job. The address and its secret are encrypted.
CREATE TABLE webhooks (
  rowid BIGINT GENERATED ALWAYS AS IDENTITY UNIQUE,
  event_id TEXT PRIMARY KEY,
  job_id TEXT NOT NULL,
  account_id TEXT NOT NULL REFERENCES accounts (id),
  target TEXT NOT NULL,
  -- The ends that are told, with spaces between them.
  events TEXT NOT NULL,
  -- A webhook waits for its job to end.
  state TEXT NOT NULL CHECK (state IN ('waiting', 'pending', 'delivered', 'failed')),
  -- How the job ended.
  job TEXT,
  attempts BIGINT NOT NULL DEFAULT 0,
  next_attempt_at BIGINT,
  last_status BIGINT,
  problem TEXT,
  updated_at BIGINT NOT NULL
);
CREATE INDEX webhooks_of_waiting_jobs ON webhooks (job_id) WHERE state = 'waiting';
CREATE INDEX webhooks_due ON webhooks (next_attempt_at) WHERE state = 'pending';
CREATE INDEX webhooks_by_account ON webhooks (account_id, updated_at);

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

-- Something that is sealed with the key of all hosts.
CREATE TABLE secrets_check (
  id BIGINT PRIMARY KEY CHECK (id = 1),
  sealed TEXT NOT NULL
);

-- What the app remembers of a person's choices, each as JSON.
CREATE TABLE settings (
  account_id TEXT NOT NULL REFERENCES accounts (id),
  name TEXT NOT NULL,
  value TEXT NOT NULL,
  PRIMARY KEY (account_id, name)
);

-- What people choose again: presets of their own, when they last used each, and the last options of each pair.
CREATE TABLE presets (
  rowid BIGINT GENERATED ALWAYS AS IDENTITY UNIQUE,
  id TEXT PRIMARY KEY,
  account_id TEXT NOT NULL REFERENCES accounts (id),
  name TEXT NOT NULL,
  choices TEXT NOT NULL
);
CREATE INDEX presets_by_account ON presets (account_id);

CREATE TABLE preset_uses (
  account_id TEXT NOT NULL REFERENCES accounts (id),
  -- Id of a preset, also of one that comes with the service.
  preset TEXT NOT NULL,
  used_at BIGINT NOT NULL,
  PRIMARY KEY (account_id, preset)
);

CREATE TABLE choices (
  rowid BIGINT GENERATED ALWAYS AS IDENTITY UNIQUE,
  account_id TEXT NOT NULL REFERENCES accounts (id),
  source TEXT NOT NULL,
  target TEXT NOT NULL,
  options TEXT NOT NULL,
  used_at BIGINT NOT NULL,
  PRIMARY KEY (account_id, source, target)
);

-- Keys that callers give to submissions, so that one sent again is not a second job. The job may be gone by then.
CREATE TABLE submission_keys (
  account_id TEXT NOT NULL REFERENCES accounts (id),
  submission_key TEXT NOT NULL,
  -- Of what was submitted, encrypted.
  digest TEXT NOT NULL,
  job_id TEXT NOT NULL,
  credit_cost BIGINT NOT NULL,
  created_at BIGINT NOT NULL,
  PRIMARY KEY (account_id, submission_key)
);
CREATE INDEX submission_keys_by_time ON submission_keys (created_at);

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
