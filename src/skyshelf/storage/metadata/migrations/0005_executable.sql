-- Whether a file may be run as a program, where its computer knows that of files.
--
-- @online: older servers do not know the column, and keep it as it is when they change a file.

ALTER TABLE objects ADD COLUMN is_executable {int} NOT NULL DEFAULT 0;

-- @back: which files are executable
ALTER TABLE objects DROP COLUMN is_executable;
