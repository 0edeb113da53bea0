-- Claims the next job: one journey to the database, since every host waits for whoever holds the lock. Being volatile, each of its
-- statements sees what was committed before it. What limits a type of jobs is the machine, so each host passes over its own.
CREATE OR REPLACE FUNCTION claim_job(
  passed_over JSON, most_running BIGINT, claimed_by TEXT, claimed_at BIGINT, lease_until BIGINT
) RETURNS SETOF jobs LANGUAGE plpgsql VOLATILE AS $$
  DECLARE
    left_out TEXT[] := ARRAY(SELECT json_array_elements_text(passed_over));
    next_id TEXT;
  BEGIN
    -- Most searches of many hosts come after another's: they neither wait nor hold up anybody.
    IF NOT EXISTS (
      SELECT FROM accounts WHERE queued > 0
        AND running < CASE most_running WHEN 1 THEN 1 ELSE coalesce(running_limit, most_running) END) THEN RETURN; END IF;
    PERFORM pg_advisory_xact_lock(hashtextextended('queue', 0));
    LOOP
      -- Goes through the accounts that have queued jobs in the order of an index, and ends with the first that has a job to run. So
      -- does each account's part, in that of jobs_queued: a range gives the planner no other index with that order, and OFFSET
      -- keeps it from what it believes of how many are left out.
      SELECT first.id INTO next_id FROM accounts CROSS JOIN LATERAL (
        SELECT id FROM (
          SELECT jobs.id, jobs.job FROM jobs
          WHERE jobs.account_id BETWEEN accounts.id AND accounts.id AND jobs.status = 'Queued'
          ORDER BY jobs.account_id, jobs.seq OFFSET 0) AS waiting
        WHERE waiting.job <> ALL (left_out) LIMIT 1) AS first
      WHERE accounts.queued > 0
        AND accounts.running < CASE most_running WHEN 1 THEN 1 ELSE coalesce(accounts.running_limit, most_running) END
      ORDER BY accounts.turn, accounts.waiting_from LIMIT 1;
      EXIT WHEN next_id IS NULL;
      RETURN QUERY UPDATE jobs SET status = 'Running', started_at = claimed_at, attempts = attempts + 1,
        lease_owner = claimed_by, lease_expires_at = lease_until
        WHERE id = next_id AND status = 'Queued' RETURNING *;
      -- Otherwise it was canceled in this moment.
      EXIT WHEN FOUND;
    END LOOP;
  END $$;
