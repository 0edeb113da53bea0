CREATE TRIGGER ledger_is_append_only_update
  BEFORE UPDATE OF id, account_id, kind, amount, job_id, category, key_id, created_at ON ledger
  BEGIN SELECT RAISE(ABORT, 'the ledger is append-only'); END;
CREATE TRIGGER ledger_is_append_only_delete BEFORE DELETE ON ledger
  BEGIN SELECT RAISE(ABORT, 'the ledger is append-only'); END;

-- The balance is the sum of the ledger, kept beside it so that reading it does not grow with history.
CREATE TRIGGER ledger_moves_balance AFTER INSERT ON ledger
  BEGIN UPDATE accounts SET balance = balance + NEW.amount WHERE id = NEW.account_id; END;
CREATE INDEX files_unsubmitted ON files (account_id, created_at) WHERE submitted = 0;
CREATE INDEX jobs_open ON jobs (account_id, status, seq) WHERE status IN ('Queued', 'Running');
CREATE INDEX jobs_queued ON jobs (status, account_id, seq) WHERE status = 'Queued';
CREATE INDEX jobs_running ON jobs (status, account_id) WHERE status = 'Running';
CREATE INDEX jobs_of_programs ON jobs (account_id, origin, created_at) WHERE origin = 'api';

-- An item outlives its job, whose last state becomes its own.
CREATE TRIGGER batch_item_outlives_job BEFORE DELETE ON jobs WHEN OLD.batch_id IS NOT NULL
  BEGIN
    UPDATE batch_items SET state = lower(OLD.status), delivery = iif(delivery = 'pending', 'none', delivery)
    WHERE job_id = OLD.id;
  END;

-- However a job ends, its webhook becomes due with it, or goes when it asked for another end.
CREATE TRIGGER webhook_of_ended_job AFTER UPDATE OF status ON jobs
  WHEN NEW.status IN ('Succeeded', 'Failed', 'Canceled') AND OLD.status IN ('Queued', 'Running')
  BEGIN
    UPDATE webhooks SET state = 'pending', next_attempt_at = NEW.finished_at, updated_at = NEW.finished_at, job = json_object(
      'status', NEW.status,
      'inputBytes', NEW.input_bytes,
      'outputBytes', NEW.output_bytes,
      'creditCost', NEW.credit_cost,
      'output', CASE WHEN NEW.output_name IS NULL THEN NULL ELSE json_object(
        'fileName', NEW.output_name, 'contentType', NEW.output_type, 'fileCount', NEW.output_count) END,
      'error', CASE WHEN NEW.error_code IS NULL THEN NULL ELSE json_object(
        'code', NEW.error_code, 'reason', json(NEW.error_reason)) END,
      'warnings', json(NEW.warnings),
      'startedAt', NEW.started_at,
      'finishedAt', NEW.finished_at,
      'expiresAt', NEW.expires_at)
    WHERE job_id = NEW.id AND state = 'waiting' AND instr(events, lower(NEW.status)) > 0;
    DELETE FROM webhooks WHERE job_id = NEW.id AND state = 'waiting';
  END;

CREATE TRIGGER ledger_moves_key_spending AFTER INSERT ON ledger
  WHEN NEW.key_id IS NOT NULL AND NEW.kind IN ('charge', 'refund')
  BEGIN
    INSERT INTO key_spending (key_id, month, spent)
    VALUES (
      NEW.key_id,
      strftime('%Y-%m', coalesce(
        (SELECT created_at FROM ledger WHERE job_id = NEW.job_id AND kind = 'charge'), NEW.created_at) / 1000, 'unixepoch'),
      -NEW.amount)
    ON CONFLICT DO UPDATE SET spent = spent + excluded.spent;
  END;

-- Whoever is served goes to the end of the line.
CREATE TRIGGER account_is_served AFTER UPDATE OF status ON jobs WHEN NEW.status = 'Running' AND OLD.status = 'Queued'
  BEGIN UPDATE accounts SET turn = (SELECT MAX(turn) + 1 FROM accounts) WHERE id = NEW.account_id; END;

-- A job that failed or was canceled is refunded by the statement that ends it.
CREATE TRIGGER job_is_refunded AFTER UPDATE OF status ON jobs
  WHEN NEW.status IN ('Failed', 'Canceled') AND OLD.status IN ('Queued', 'Running') AND NEW.credit_cost > 0
  BEGIN
    INSERT INTO ledger (account_id, kind, amount, reason, job_id, category, key_id, created_at)
    VALUES (NEW.account_id, 'refund', NEW.credit_cost, NEW.status || ': ' || NEW.input_name, NEW.id, NEW.category,
            NEW.key_id, NEW.finished_at);
  END;

CREATE TRIGGER job_is_forgotten AFTER DELETE ON jobs
  BEGIN UPDATE ledger SET reason = OLD.job WHERE job_id = OLD.id; END;
