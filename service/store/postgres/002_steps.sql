-- What a job does with the result of its conversion, sealed as its options are; {} if nothing.
ALTER TABLE jobs ADD COLUMN further_steps TEXT NOT NULL DEFAULT '{}';
