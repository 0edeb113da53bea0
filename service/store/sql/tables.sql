-- The tables of both databases, in SQLite's words; PostgreSQL has words of its own for its types (`postgres/database.ts`). What only one
-- of them has stands in its own `schema.sql`.

CREATE TABLE accounts (
  id TEXT PRIMARY KEY,
  name TEXT NOT NULL,
  balance INTEGER NOT NULL DEFAULT 0,
  -- Turn in the round robin between accounts: the account claimed longest ago is next.
  turn INTEGER NOT NULL DEFAULT 0,
  created_at INTEGER NOT NULL,
  -- What the owner has chosen: 1 tops up by itself, 0 does not; null where nothing was chosen.
  auto_top_up INTEGER,
  -- Its own limits of running and of open jobs, where they are not the usual ones; and when it was closed.
  running_limit INTEGER,
  open_limit INTEGER,
  closed_at INTEGER,
  -- The person of a provider of identities who opens the account: the issuer, and the subject that it never gives to another person.
  identity_issuer TEXT,
  identity_subject TEXT
) STRICT;
CREATE UNIQUE INDEX accounts_by_identity ON accounts (identity_issuer, identity_subject);

CREATE TABLE api_keys (
  id TEXT PRIMARY KEY,
  account_id TEXT NOT NULL REFERENCES accounts (id),
  name TEXT NOT NULL,
  hash BLOB NOT NULL,
  prefix TEXT NOT NULL,
  ip_allowlist TEXT NOT NULL,
  guest INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  expires_at INTEGER,
  last_used_at INTEGER,
  -- What its jobs may cost in a calendar month (UTC).
  monthly_budget INTEGER,
  -- A revoked key keeps its name, for its jobs, and not its hash.
  revoked_at INTEGER
) STRICT;

CREATE TABLE ledger (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  account_id TEXT NOT NULL REFERENCES accounts (id),
  kind TEXT NOT NULL CHECK (kind IN ('grant', 'charge', 'refund', 'top-up')),
  amount INTEGER NOT NULL,
  reason TEXT NOT NULL,
  job_id TEXT,
  category TEXT,
  created_at INTEGER NOT NULL,
  key_id TEXT
) STRICT;
CREATE INDEX ledger_by_account ON ledger (account_id, id);
-- A job is charged once and refunded once, whatever happens.
CREATE UNIQUE INDEX ledger_once_per_job ON ledger (job_id, kind) WHERE job_id IS NOT NULL;
CREATE INDEX ledger_by_time ON ledger (account_id, created_at);

CREATE TABLE files (
  id TEXT PRIMARY KEY,
  account_id TEXT NOT NULL REFERENCES accounts (id),
  name TEXT NOT NULL,
  bytes INTEGER NOT NULL,
  format TEXT,
  measures TEXT NOT NULL,
  used_at INTEGER NOT NULL,
  relative_path TEXT,
  problem TEXT,
  source TEXT NOT NULL,
  submitted INTEGER NOT NULL DEFAULT 0,
  created_at INTEGER NOT NULL,
  -- The page shows files in the order in which they were added to it, whatever has become of them since.
  added_at REAL NOT NULL,
  -- Where a file was and when it was changed last, for results that are saved beside it or keep its date.
  original_path TEXT,
  modified_at REAL
) STRICT;
CREATE INDEX files_by_use ON files (used_at);

CREATE TABLE jobs (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  account_id TEXT NOT NULL REFERENCES accounts (id),
  origin TEXT NOT NULL CHECK (origin IN ('app', 'api')),
  job TEXT NOT NULL,
  category TEXT NOT NULL,
  target_key TEXT NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('Queued', 'Running', 'Succeeded', 'Failed', 'Canceled')),
  options TEXT NOT NULL,
  input_name TEXT NOT NULL,
  input_format TEXT NOT NULL,
  input_bytes INTEGER NOT NULL,
  measure TEXT NOT NULL,
  file_id TEXT,
  credit_cost INTEGER NOT NULL,
  attempts INTEGER NOT NULL DEFAULT 0,
  warnings TEXT NOT NULL DEFAULT '[]',
  error_code TEXT,
  error_reason TEXT,
  output_name TEXT,
  output_type TEXT,
  output_count INTEGER,
  output_bytes INTEGER NOT NULL DEFAULT 0,
  -- 1 while the output is on disk.
  output_kept INTEGER NOT NULL DEFAULT 0,
  created_at INTEGER NOT NULL,
  started_at INTEGER,
  finished_at INTEGER,
  expires_at INTEGER,
  -- A running job belongs to the host that holds its lease.
  lease_owner TEXT,
  lease_expires_at INTEGER,
  input_source TEXT NOT NULL,
  output_key TEXT,
  batch_id TEXT,
  saved_to TEXT,
  -- The API key that submitted it.
  key_id TEXT,
  -- A retry is an attempt of the job that it repeats: all name the first of them.
  first_id TEXT NOT NULL,
  -- How often its host crashed or was lost while it ran. Attempts also count the starts after a clean stop.
  interruptions INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE INDEX jobs_by_account ON jobs (account_id, seq);
CREATE INDEX jobs_expiring ON jobs (expires_at) WHERE output_kept = 1;
CREATE INDEX jobs_by_batch ON jobs (batch_id) WHERE batch_id IS NOT NULL;
CREATE INDEX jobs_finished ON jobs (finished_at) WHERE finished_at IS NOT NULL;
CREATE INDEX jobs_by_first ON jobs (first_id, seq);

-- Links that open the page and the sessions they are traded for; hashes only.
CREATE TABLE sessions (
  hash BLOB PRIMARY KEY,
  kind TEXT NOT NULL CHECK (kind IN ('link', 'session')),
  account_id TEXT NOT NULL REFERENCES accounts (id),
  expires_at INTEGER NOT NULL,
  -- The owner of a service may use its machine, members only their account.
  role TEXT NOT NULL CHECK (role IN ('owner', 'member'))
) STRICT, WITHOUT ROWID;
CREATE INDEX sessions_by_end ON sessions (expires_at);
CREATE INDEX sessions_by_account ON sessions (account_id, expires_at);

CREATE TABLE batches (
  id TEXT PRIMARY KEY,
  account_id TEXT NOT NULL REFERENCES accounts (id),
  position INTEGER NOT NULL,
  source TEXT NOT NULL,
  target_key TEXT NOT NULL,
  options TEXT NOT NULL,
  destination TEXT NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('active', 'paused', 'done', 'canceled')),
  problem TEXT,
  created_at INTEGER NOT NULL,
  finished_at INTEGER,
  -- The host that received it, on whose machine the folder of its results is.
  host TEXT NOT NULL
) STRICT;
CREATE INDEX batches_by_account ON batches (account_id, state, position);

CREATE TABLE batch_items (
  id TEXT PRIMARY KEY,
  batch_id TEXT NOT NULL REFERENCES batches (id) ON DELETE CASCADE,
  position INTEGER NOT NULL,
  file_id TEXT NOT NULL,
  name TEXT NOT NULL,
  relative_path TEXT,
  bytes INTEGER NOT NULL,
  -- A submitted item is in the state of its job.
  state TEXT NOT NULL CHECK (state IN ('waiting', 'submitted', 'succeeded', 'failed', 'canceled')),
  job_id TEXT,
  delivery TEXT NOT NULL CHECK (delivery IN ('none', 'pending', 'saved', 'failed')),
  saved_to TEXT,
  error TEXT,
  format TEXT,
  added_at REAL NOT NULL,
  original_path TEXT,
  modified_at REAL,
  numbered INTEGER NOT NULL DEFAULT 0,
  retry_of TEXT
) STRICT;
CREATE INDEX batch_items_in_order ON batch_items (batch_id, position);
CREATE INDEX batch_items_waiting ON batch_items (batch_id, position) WHERE state = 'waiting';
CREATE INDEX batch_items_waiting_for_file ON batch_items (file_id) WHERE state = 'waiting';
CREATE UNIQUE INDEX batch_items_by_job ON batch_items (job_id) WHERE job_id IS NOT NULL;
CREATE INDEX batch_items_unsaved ON batch_items (job_id) WHERE delivery = 'pending';
-- Whether an original is still needed is asked for each result that is saved.
CREATE INDEX batch_items_of_original ON batch_items (original_path) WHERE original_path IS NOT NULL;

-- Who is told of the end of a job. The address and its secret are encrypted.
CREATE TABLE webhooks (
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
  attempts INTEGER NOT NULL DEFAULT 0,
  next_attempt_at INTEGER,
  last_status INTEGER,
  problem TEXT,
  updated_at INTEGER NOT NULL
) STRICT;
CREATE INDEX webhooks_of_waiting_jobs ON webhooks (job_id) WHERE state = 'waiting';
CREATE INDEX webhooks_due ON webhooks (next_attempt_at) WHERE state = 'pending';
CREATE INDEX webhooks_by_account ON webhooks (account_id, updated_at);

-- What the app remembers of a person's choices, each as JSON.
CREATE TABLE settings (
  account_id TEXT NOT NULL REFERENCES accounts (id),
  name TEXT NOT NULL,
  value TEXT NOT NULL,
  PRIMARY KEY (account_id, name)
) STRICT;

-- What people choose again: presets of their own, when they last used each, and the last options of each pair.
CREATE TABLE presets (
  id TEXT PRIMARY KEY,
  account_id TEXT NOT NULL REFERENCES accounts (id),
  name TEXT NOT NULL,
  choices TEXT NOT NULL
) STRICT;
CREATE INDEX presets_by_account ON presets (account_id);

CREATE TABLE preset_uses (
  account_id TEXT NOT NULL REFERENCES accounts (id),
  -- Id of a preset, also of one that comes with the service.
  preset TEXT NOT NULL,
  used_at INTEGER NOT NULL,
  PRIMARY KEY (account_id, preset)
) STRICT;

CREATE TABLE choices (
  account_id TEXT NOT NULL REFERENCES accounts (id),
  source TEXT NOT NULL,
  target TEXT NOT NULL,
  options TEXT NOT NULL,
  used_at INTEGER NOT NULL,
  PRIMARY KEY (account_id, source, target)
) STRICT;

-- Sum of the ledger by key and month (UTC), kept beside it so that a charge reads one row. A refund counts for the month of its charge.
CREATE TABLE key_spending (
  key_id TEXT NOT NULL,
  month TEXT NOT NULL,
  spent INTEGER NOT NULL,
  PRIMARY KEY (key_id, month)
) STRICT, WITHOUT ROWID;

-- Keys that callers give to submissions, so that one sent again is not a second job. The job may be gone by then.
CREATE TABLE submission_keys (
  account_id TEXT NOT NULL REFERENCES accounts (id),
  submission_key TEXT NOT NULL,
  -- Of what was submitted, encrypted.
  digest TEXT NOT NULL,
  job_id TEXT NOT NULL,
  credit_cost INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  PRIMARY KEY (account_id, submission_key)
) STRICT;
CREATE INDEX submission_keys_by_time ON submission_keys (created_at);
