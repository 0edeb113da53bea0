-- What is chosen for a file that waits to be converted; NULL if nothing is.
ALTER TABLE files ADD COLUMN choice TEXT;
