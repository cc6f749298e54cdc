package outside

import (
	"context"
	"strconv"
	"strings"

	"chpok.org/chpok/notice"
	"chpok.org/chpok/player"
	"chpok.org/chpok/store"
	"chpok.org/chpok/templates/lang"
	"chpok.org/chpok/tournament"
	"chpok.org/chpok/tournament/format"
	"chpok.org/chpok/tournament/ladder"
	"chpok.org/chpok/tournament/ledger"
	"chpok.org/chpok/web/words"
)

// What news spell out at most: chats take about 4000 letters.
const (
	newsBoards = 30
	newsPlaces = 10
)

// News says what happened, as everybody may read it now; without a title there is nothing to tell.
func (s Outside) News(ctx context.Context, m notice.HookMessage, l lang.Lang) (n notice.News, err error) {
	p := lang.Printer{Lang: l, Zone: s.Zone(), Now: s.Now}
	kind, id := m.Topic.Parts()
	switch {
	case kind == notice.OfTournament:
		t, err := s.tournament(ctx, tournament.ID(id)) // which everybody may see
		if err != nil {
			return n, err
		}
		if m.Seq == 0 {
			n = notice.News{Title: p.Event(t.Name), Text: p.T("hook.news.trial"), URL: words.TournamentURL(t.ID)}
			break
		}
		if isOneOfMany(t, m) {
			return n, nil
		}
		before, after, err := s.around(ctx, t.ID, m.Seq)
		if err != nil {
			return n, err
		}
		if n, err = eventNews(p, before, after); err != nil || n.Title == "" {
			return n, err
		}
	case kind == notice.OfLadder:
		if n, err = s.ladderNews(ctx, p, ladder.ID(id), m); err != nil {
			return n, err
		}
	default: // a trial of a club's
		return notice.News{Title: p.T("hook.news.trial"), URL: "/clubs/" + id}, nil
	}
	// Each piece of news has a picture of its own, which nobody keeps from the last one.
	n.Picture = n.URL + "/picture.png?lang=" + string(l) + "&at=" + strconv.FormatInt(m.Seq, 10)
	n.URL += "?at=" + strconv.FormatInt(m.Seq, 10)
	return n, nil
}

// isOneOfMany reports whether a message tells of a result after which the round, or the arena, goes on: no log need be read for it.
func isOneOfMany(t *tournament.Tournament, m notice.HookMessage) bool {
	act := tournament.Act(m.Act)
	if !t.Format.InRounds() {
		return act != tournament.ActFinish
	}
	return (act == tournament.ActRecord || act == tournament.ActResult) && !t.RoundIsOver() && !m.At.Before(t.Rounds[len(t.Rounds)-1].OpenedAt)
}

// around returns a tournament before and after a deed of its log.
func (s Outside) around(ctx context.Context, id tournament.ID, seq int64) (before, after *tournament.Tournament, err error) {
	deeds, err := store.Get(ctx, s.Store, func(tx *store.Tx) ([]ledger.Deed, error) { return tx.Deeds(id) })
	if err != nil {
		return nil, nil, err
	}
	deeds = deeds[:min(int(seq), len(deeds))] // numbered from 1
	if before, err = ledger.Fold(deeds[:len(deeds)-1]); err != nil {
		return nil, nil, err
	}
	after, err = ledger.Fold(deeds)
	return before, after, err
}

// eventNews tells what a deed has brought about: a round that is paired, a round that is over, the end. Whatever else happens,
// and whatever is put right later, a chat does not hear.
func eventNews(p lang.Printer, before, t *tournament.Tournament) (n notice.News, err error) {
	name := p.Event(t.Name)
	n.URL = words.TournamentURL(t.ID)
	switch {
	case t.Status.IsOver():
		if !before.Status.IsOver() {
			n.Title = p.T("hook.news.over", "Name", name)
			n.Text, err = placeLines(p, t)
		}
	case !t.Format.InRounds() || len(t.Rounds) == 0:
	case len(t.Rounds) > len(before.Rounds):
		r := t.Rounds[len(t.Rounds)-1]
		n.Title, n.Text = name+": "+words.RoundTitle(p, t, r.Number), boardLines(p, t, r)
	case t.RoundIsOver() && !before.RoundIsOver() && len(t.Rounds) < t.RoundsExpected(): // the end tells of the last round
		n.Title = p.T("hook.news.round-over", "Name", name, "Round", words.RoundTitle(p, t, t.Rounds[len(t.Rounds)-1].Number))
		n.Text, err = placeLines(p, t)
	}
	return n, err
}

// boardLines are the pairings of a round, and who has a bye.
func boardLines(p lang.Printer, t *tournament.Tournament, r tournament.Round) string {
	name := func(id tournament.EntryID) string {
		e, _ := t.Entry(id) // a pairing's entries are in the tournament
		return words.EntryName(p, e)
	}
	var pairs []string
	for _, m := range r.Teams {
		pairs = append(pairs, name(m.First)+" – "+name(m.Second))
	}
	if !t.HasTeams() {
		for _, b := range r.Pairings {
			pairs = append(pairs, name(b.First)+" – "+name(b.Second))
		}
	}
	var lines []string
	for i, pair := range pairs[:min(len(pairs), newsBoards)] {
		lines = append(lines, p.Int(i+1)+". "+pair)
	}
	if len(pairs) > newsBoards {
		lines = append(lines, "…")
	}
	return strings.Join(lines, "\n")
}

// placeLines are the first places of the table.
func placeLines(p lang.Printer, t *tournament.Tournament) (string, error) {
	table, err := format.Standings(t, -1)
	var lines []string
	for _, l := range table.Lines[:min(len(table.Lines), newsPlaces)] {
		lines = append(lines, p.Int(l.Rank)+". "+words.EntryName(p, l.Entry)+" "+words.TotalText(p, t, l.Score))
	}
	return strings.Join(lines, "\n"), err
}

// ladderNews are the first places of a ladder.
func (s Outside) ladderNews(ctx context.Context, p lang.Printer, id ladder.ID, m notice.HookMessage) (n notice.News, err error) {
	err = s.Store.Read(ctx, func(tx *store.Tx) error {
		l, err := tx.Ladder(id)
		if err != nil {
			return err
		}
		n.Title, n.URL = l.Settings.Name, words.LadderURL(id)
		if m.Seq == 0 {
			n.Text = p.T("hook.news.trial")
			return nil
		}
		first := l.Rungs[:min(len(l.Rungs), newsPlaces)]
		ids := make([]player.ID, len(first))
		for i, x := range first {
			ids[i] = x.Player
		}
		who, err := tx.Players(ids...)
		var lines []string
		for i, x := range first {
			lines = append(lines, p.Int(i+1)+". "+words.PlayerName(p, who[x.Player]))
		}
		n.Text = strings.Join(lines, "\n")
		return err
	})
	return n, err
}
