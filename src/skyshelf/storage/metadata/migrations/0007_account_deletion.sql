-- When an account goes for good; zero means: it stays.
ALTER TABLE accounts ADD COLUMN delete_at {int} NOT NULL DEFAULT 0;
