package play

import (
	"net/url"
	"time"

	"chpok.org/chpok/player"
	"chpok.org/chpok/store"
	"chpok.org/chpok/templates"
	"chpok.org/chpok/templates/lang"
	playview "chpok.org/chpok/templates/play"
	"chpok.org/chpok/tournament/challenge"
	"chpok.org/chpok/web/form"
	"chpok.org/chpok/web/words"
)

func viewChallengeForm(p lang.Printer, v url.Values, bots []player.Player) playview.ChallengeFormView {
	in := form.Challenge.Inputs(p, v, func(string) string { return "" })
	view := playview.ChallengeFormView{
		Who: v.Get("who"), Handle: in["handle"], Rated: v.Get("rated") != "",
		Handicap: v.Get("handicap") != "", Table: words.HandicapTable(p),
		Claims: in["claims"].Choices, Lives: in["life"].Choices, Lateness: in["lateness"].Choices,
	}
	bot, to := v.Get("bot"), v.Get("handle")
	for _, b := range bots {
		chosen := b.Handle.Key() == player.Handle(bot).Key() || bot == "" && b.Handle.Key() == player.Handle(to).Key()
		if chosen && view.Who == "player" && bot == "" {
			view.Who, view.Handle.Value = "bot", ""
		}
		view.Bots = append(view.Bots, templates.Choice{Value: string(b.Handle), Text: words.PlayerName(p, b), Chosen: chosen})
	}
	for _, preset := range challenge.Presets() {
		settings := challenge.DefaultSettings()
		settings.Envelope = preset.Envelope
		view.Presets = append(view.Presets, templates.PresetChoice{
			Choice: templates.Choice{Value: preset.Name, Text: p.T("challenge.preset." + preset.Name), Chosen: preset.Name == v.Get("preset")},
			About:  p.T("challenge.preset." + preset.Name + ".about"),
			Worst:  lengthText(p, settings),
		})
	}
	return view
}

func lengthText(p lang.Printer, s challenge.Settings) string {
	return words.LengthText(p, s.MatchOptions().Usual(), s.WorstCase())
}

// name returns the name of a player, or the text for an open place.
func (f directChallenge) name(p lang.Printer, id player.ID) string {
	if id == "" {
		return p.T("challenge.anyone")
	}
	return words.PlayerName(p, f.who[id])
}

func viewChallenge(p lang.Printer, v player.Viewer, f directChallenge, now time.Time) playview.ChallengeView {
	challenger, opponent := f.name(p, f.Challenger), f.name(p, f.Opponent)
	view := playview.ChallengeView{
		URL: words.ChallengeURL(f.ID), State: challengeState(p, v, f, now),
		Facts: termFacts(p, f, f.Seats()), Envelope: words.EnvelopeFacts(p, f.Settings.MatchOptions().Envelope),
	}
	switch {
	case f.Rematch != "":
		view.Title = p.T("challenge.title.rematch", "Name", challenger, "Other", opponent)
	case view.State.Since > 0:
		view.Title = view.State.Status
	case f.Opponent == "" && v.Is(f.Challenger):
		view.Title = p.T("challenge.title.own")
	case f.Opponent == "":
		view.Title = p.T("challenge.title.link", "Name", challenger)
	default:
		view.Title = p.T("challenge.title.player", "Name", challenger, "Other", opponent)
	}
	return view
}

func challengeState(p lang.Printer, v player.Viewer, f directChallenge, now time.Time) playview.ChallengeState {
	status := f.StatusAt(now)
	state := playview.ChallengeState{
		URL: words.ChallengeURL(f.ID), Word: status.String(), Status: p.T("challenge.status."+status.String(), "Name", f.name(p, f.Opponent)),
		MayAccept: f.MayAccept(v, now) == nil, MayDecline: f.MayDecline(v, now) == nil, MayClose: f.MayWithdraw(v, now) == nil,
	}
	switch status {
	case challenge.Open:
		state.Until, state.Stamp, state.Waits = p.When(f.Expires), p.Stamp(f.Expires), state.MayClose
		switch {
		case v.IsSignedIn() && v.Is(f.Opponent):
			state.Status = p.T("challenge.status.open.you")
		case f.ByLink && !state.Waits:
			state.Status = p.T("challenge.status.open.link")
		}
		if !v.IsSignedIn() {
			state.SignIn = "/sign-in?return=" + state.URL
			guest := player.Viewer{Player: player.Player{ID: "guest", Role: player.Plain, Guest: true}} // as accepting would make them
			state.AsGuest = f.MayAccept(guest, now) == nil
		}
		if state.Waits && f.Settings.Lobby != "" {
			state.Status, state.Usual = p.T("challenge.status.open.lobby"), usualWait(p, f.usual)
			state.Since, state.Now, state.SinceText = f.Created.UnixMilli(), now.UnixMilli(), words.ClockText(p, now.Sub(f.Created))
			state.Meanwhile = !v.Guest // guests play one match at a time
		}
		state.Worst = p.T("match.length", "Length", lengthText(p, f.Settings))
	case challenge.Accepted:
		state.Match, state.Plays = words.MatchURL(f.Match), v.Is(f.Challenger) || v.Is(f.Opponent)
	default:
		if f.Why != "" {
			state.Status += " " + p.T("challenge.why."+string(f.Why))
		}
		if v.Is(f.Challenger) {
			state.Again = "/challenges/new"
			if !f.ByLink {
				state.Again = words.WithQuery(state.Again, "to", f.name(p, f.Opponent))
			}
		}
	}
	return state
}

// usualWait returns the text of the usual wait; empty if unknown.
func usualWait(p lang.Printer, usual time.Duration) string {
	if usual == 0 {
		return ""
	}
	return p.T("play.lobby.wait", "Duration", p.Duration(max(usual.Round(10*time.Second), 10*time.Second)))
}

// termFacts returns who begins, and the terms without the envelope.
func termFacts(p lang.Printer, f directChallenge, seats [2]player.ID) []templates.TournamentFact {
	rated := p.T("challenge.rating.unrated")
	if f.Settings.Rated {
		rated = p.T("challenge.rating.rated")
	}
	if f.Settings.Handicap {
		rated += ", " + p.T("rating.handicap.by-table")
	}
	gate := p.T("challenge.gate.none")
	if f.Settings.Lateness > 0 {
		gate = p.T("challenge.gate.some", "Time", p.Duration(f.Settings.Lateness))
	}
	return []templates.TournamentFact{
		words.Fact(p.T("challenge.first"), f.name(p, seats[0])), words.Fact(p.T("challenge.second"), f.name(p, seats[1])),
		words.Fact(p.T("challenge.rating"), rated), words.Fact(p.T("challenge.gate"), gate),
		words.Fact(p.T("challenge.claims"), p.T("challenge.claims."+f.Settings.Claims.String())),
	}
}

func shareView(p lang.Printer, f directChallenge, link string) (*playview.ShareView, error) {
	view := &playview.ShareView{Link: link, Label: p.T("challenge.share.anyone")}
	if !f.ByLink {
		view.Label = p.T("challenge.share.player", "Name", f.name(p, f.Opponent))
	}
	code, err := words.QrOf(link, p.T("challenge.qr"))
	view.QR = code
	return view, err
}

// ChallengeLines returns the open challenges to and from the viewer.
func ChallengeLines(tx *store.Tx, p lang.Printer, v player.Viewer, now time.Time) ([]playview.ChallengeLine, error) {
	waiting, err := tx.WaitingChallenges(v.ID, now)
	if err != nil {
		return nil, err
	}
	var ids []player.ID
	for _, c := range waiting {
		ids = append(ids, c.Challenger, c.Opponent)
	}
	who, err := tx.Players(ids...)
	if err != nil {
		return nil, err
	}
	lines := make([]playview.ChallengeLine, len(waiting))
	for i, c := range waiting {
		lines[i] = challengeLine(p, v, c, who)
	}
	return lines, nil
}

// challengeLine returns an open challenge as one of its players sees it.
func challengeLine(p lang.Printer, v player.Viewer, c challenge.Challenge, who map[player.ID]player.Player) playview.ChallengeLine {
	line := playview.ChallengeLine{URL: words.ChallengeURL(c.ID), Until: p.T("challenge.line.until", "Time", p.When(c.Expires))}
	switch {
	case v.Is(c.Opponent):
		line.Text, line.Waits = p.T("challenge.from", "Name", who[c.Challenger].Handle), true
	case c.ByLink:
		line.Text = p.T("challenge.to-link")
	default:
		line.Text = p.T("challenge.to", "Name", who[c.Opponent].Handle)
	}
	return line
}
