package ledger

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"

	"chpok.org/chpok/player"
	"chpok.org/chpok/refusal"
	"chpok.org/chpok/tournament"
)

// ErrNoMoment says that the log has no such deed.
var ErrNoMoment = refusal.NotFound("error.not-found", "ledger: no such moment in the log")

// At returns the tournament after deed seq, or ErrNoMoment.
func At(deeds []Deed, seq int64) (*tournament.Tournament, error) {
	i := slices.IndexFunc(deeds, func(d Deed) bool { return d.Seq == seq })
	if i < 0 {
		return nil, ErrNoMoment
	}
	return Fold(deeds[:i+1])
}

// staffOnly are the acts that players do not see in the log.
var staffOnly = map[tournament.Act]bool{
	tournament.ActDraft: true, tournament.ActForbid: true, tournament.ActStaff: true, tournament.ActStuck: true,
	tournament.ActSteward: true, tournament.ActFixBoard: true, tournament.ActDeclare: true,
}

// IsPublic reports whether everybody may know that a deed was done; what it changed is for Public to say.
func IsPublic(d Deed) bool {
	return !staffOnly[d.Act] || slices.ContainsFunc(d.Changes, func(c Change) bool { return !isHidden(c.Path) })
}

// isHidden reports whether only staff see a part of a tournament.
func isHidden(path string) bool {
	return path == "draft" || path == "staff" || path == "forbidden" || path == "stuck"
}

// Public returns the deeds that everybody may see, without reasons and without what is
// for staff only: drafts, the entry code, who supervises whom, who needs a fixed board,
// and requests to enter that were not accepted. Folded, they give the public state of the
// tournament.
func Public(deeds []Deed) []Deed {
	list := make([]Deed, 0, len(deeds))
	shown := map[string]json.RawMessage{} // the public state, by path
	for _, d := range deeds {
		d.Reason = ""
		d.Changes = slices.DeleteFunc(slices.Clone(d.Changes), func(c Change) bool { return isHidden(c.Path) })
		kept := d.Changes[:0]
		for _, c := range d.Changes {
			after, asker := publicPart(c, shown[c.Path])
			if asker != "" && asker == d.By {
				d.By = ""
			}
			before := shown[c.Path]
			shown[c.Path] = after
			if !bytes.Equal(before, after) {
				kept = append(kept, Change{c.Path, before, after})
			}
		}
		d.Changes = kept
		if staffOnly[d.Act] && len(kept) == 0 {
			continue
		}
		list = append(list, d)
	}
	return list
}

// publicPart returns the public form of a part after a change; shown is its public form
// before. asker is who requested to enter, which only they and staff may know.
func publicPart(c Change, shown json.RawMessage) (after json.RawMessage, asker player.ID) {
	switch {
	case c.Path == "settings.entry":
		var rules tournament.EntryRules
		if json.Unmarshal(c.After, &rules) != nil {
			return nil, "" // removed
		}
		rules.Code, rules.Conditions.List = "", nil
		return text(rules), ""
	case strings.HasPrefix(c.Path, "entries."):
		var e, before tournament.Entry
		if json.Unmarshal(c.After, &e) != nil {
			return nil, ""
		}
		_ = json.Unmarshal(shown, &before) // nothing for a new entry
		if e.IsPrivate() || e.Status == tournament.Withdrawn && before.Status == tournament.Requested {
			return text(tournament.Entry{ID: e.ID, Status: tournament.Requested}), e.Player
		}
		return text(e.Public()), ""
	}
	return c.After, ""
}
