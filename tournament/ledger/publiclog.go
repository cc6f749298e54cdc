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

// At is the tournament as its log leaves it after deed seq; ErrNoMoment where
// the log has no such deed.
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

// isHidden tells of a part of a tournament that only staff see.
func isHidden(path string) bool {
	return path == "draft" || path == "staff" || path == "forbidden" || path == "stuck"
}

// Public are the deeds everybody may see, without reasons and without what
// is for staff only: drafts, the code of entry, who watches whom, who needs a board, and who has asked
// to enter and was not taken in. Folded, they are the tournament as everybody sees it.
func Public(deeds []Deed) []Deed {
	list := make([]Deed, 0, len(deeds))
	shown := map[string]json.RawMessage{} // by path: what stands as everybody sees it
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
			if shown[c.Path] = after; !bytes.Equal(before, after) {
				kept = append(kept, Change{c.Path, before, after})
			}
		}
		if d.Changes = kept; staffOnly[d.Act] && len(kept) == 0 {
			continue
		}
		list = append(list, d)
	}
	return list
}

// publicPart is a part after a change as everybody sees it, shown as it was seen
// before; asker is who has asked to enter, which is between them and staff.
func publicPart(c Change, shown json.RawMessage) (after json.RawMessage, asker player.ID) {
	switch {
	case c.Path == "settings.entry":
		var rules tournament.EntryRules
		if json.Unmarshal(c.After, &rules) != nil {
			return nil, "" // taken away
		}
		rules.Code, rules.Conditions.List = "", nil
		return text(rules), ""
	case strings.HasPrefix(c.Path, "entries."):
		var e, before tournament.Entry
		if json.Unmarshal(c.After, &e) != nil {
			return nil, ""
		}
		_ = json.Unmarshal(shown, &before) // who is new was nothing before
		if e.IsPrivate() || e.Status == tournament.Withdrawn && before.Status == tournament.Requested {
			return text(tournament.Entry{ID: e.ID, Status: tournament.Requested}), e.Player
		}
		// no public page names who watches whom, who cannot move about, nor ages
		e.Reason, e.Waived, e.Steward, e.FixedBoard, e.Born = "", nil, "", 0, 0
		return text(e), ""
	}
	return c.After, ""
}
