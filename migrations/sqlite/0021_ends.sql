-- +goose Up

-- Whether a challenge's match counts for the rating lists, as the ladder's
-- settings were when it opened.
ALTER TABLE ladder_challenges ADD COLUMN rated BOOLEAN NOT NULL DEFAULT FALSE;

-- The site's own list takes rated ladder matches, and the matches of ladders that
-- are not rated are in no list.
UPDATE rating_pools SET counts = '{"tournaments":true,"challenges":true,"ladders":true,"handicap":false}'
    WHERE id = 'main' AND counts = '{"tournaments":true,"challenges":true,"ladders":false,"handicap":false}';
UPDATE rating_folds SET counts = '{"tournaments":true,"challenges":true,"ladders":true,"handicap":false}'
    WHERE pool_id = 'main' AND status IN (1, 2) AND counts = '{"tournaments":true,"challenges":true,"ladders":false,"handicap":false}';
UPDATE rated_events SET match_id = NULL WHERE match_id IS NOT NULL;
