/** The schema's history. Entry n brings a database from version n to n + 1; landed entries are never edited. */
export const migrations: readonly string[] = [
  `
  CREATE TABLE accounts (
    id TEXT PRIMARY KEY,
    name TEXT NOT NULL,
    balance INTEGER NOT NULL DEFAULT 0,
    -- Turn in the round robin between accounts: the account claimed longest ago is next.
    turn INTEGER NOT NULL DEFAULT 0,
    created_at INTEGER NOT NULL
  ) STRICT;

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
    last_used_at INTEGER
  ) STRICT;

  CREATE TABLE ledger (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    account_id TEXT NOT NULL REFERENCES accounts (id),
    kind TEXT NOT NULL CHECK (kind IN ('grant', 'charge', 'refund', 'top-up')),
    amount INTEGER NOT NULL,
    reason TEXT NOT NULL,
    job_id TEXT,
    category TEXT,
    created_at INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX ledger_by_account ON ledger (account_id, id);
  -- A job is charged once and refunded once, whatever happens.
  CREATE UNIQUE INDEX ledger_once_per_job ON ledger (job_id, kind) WHERE job_id IS NOT NULL;
  CREATE TRIGGER ledger_is_append_only_update BEFORE UPDATE ON ledger
    BEGIN SELECT RAISE(ABORT, 'the ledger is append-only'); END;
  CREATE TRIGGER ledger_is_append_only_delete BEFORE DELETE ON ledger
    BEGIN SELECT RAISE(ABORT, 'the ledger is append-only'); END;
  -- The balance is the sum of the ledger, kept beside it so that reading it does not grow with history.
  CREATE TRIGGER ledger_moves_balance AFTER INSERT ON ledger
    BEGIN UPDATE accounts SET balance = balance + NEW.amount WHERE id = NEW.account_id; END;

  CREATE TABLE files (
    id TEXT PRIMARY KEY,
    account_id TEXT NOT NULL REFERENCES accounts (id),
    name TEXT NOT NULL,
    bytes INTEGER NOT NULL,
    format TEXT,
    measures TEXT NOT NULL,
    used_at INTEGER NOT NULL
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
    error_detail TEXT,
    output_name TEXT,
    output_type TEXT,
    output_count INTEGER,
    output_bytes INTEGER NOT NULL DEFAULT 0,
    -- 1 while the output is on disk.
    output_kept INTEGER NOT NULL DEFAULT 0,
    created_at INTEGER NOT NULL,
    started_at INTEGER,
    finished_at INTEGER,
    expires_at INTEGER
  ) STRICT;
  CREATE INDEX jobs_by_account ON jobs (account_id, seq);
  CREATE INDEX jobs_open ON jobs (account_id, status, seq) WHERE status IN ('Queued', 'Running');
  CREATE INDEX jobs_expiring ON jobs (expires_at) WHERE output_kept = 1;
  `,
]
