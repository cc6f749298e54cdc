-- +goose Up

-- Of a minor: the club has the consent of a guardian. No paper of it is kept here.
ALTER TABLE attestations ADD COLUMN guardian BOOLEAN NOT NULL DEFAULT FALSE;
