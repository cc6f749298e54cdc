package words

import (
	"cmp"
	"strconv"
	"time"

	"chpok.org/chpok/civil"
	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/player"
	"chpok.org/chpok/player/house"
	"chpok.org/chpok/rating"
	"chpok.org/chpok/store"
	"chpok.org/chpok/templates"
	"chpok.org/chpok/templates/lang"
	"chpok.org/chpok/tournament"
)

// Itoa is strconv.Itoa.
func Itoa(n int) string { return strconv.Itoa(n) }

// PoolName returns the name of a rating list.
func PoolName(p lang.Printer, x rating.Pool) string {
	if x.Name == "" {
		return p.T("rating.name." + string(x.ID))
	}
	return x.Name
}

// HandleName returns a handle as it is read: a guest's in the reader's language.
func HandleName(p lang.Printer, h player.Handle) string {
	if number, ok := h.GuestNumber(); ok {
		return p.T("guest.name", "N", number)
	}
	return string(h)
}

// PlayerName returns the handle of a player, or the name of a guest or a house bot in the reader's language.
func PlayerName(p lang.Printer, x player.Player) string {
	if bot, ok := house.Named(x.Handle); ok && x.IsHouse() {
		return p.T(bot.NameKey())
	}
	return HandleName(p, x.Handle)
}

// NameIn returns the name of a player in an event: the one they entered under, which its tables and calls have too, also
// when a guest of its door has taken an account under another handle meanwhile.
func NameIn(p lang.Printer, x player.Player, entered string) string {
	if entered == "" || entered == string(x.Handle) || x.IsHouse() {
		return PlayerName(p, x)
	}
	return entered
}

// PlayerLine renders a player in a list.
func PlayerLine(p lang.Printer, x player.Player, r store.Rating) templates.PlayerLine {
	return templates.PlayerLine{
		Name: PlayerName(p, x), URL: PlayerURL(x.Handle), Bot: x.Bot, Rating: PublishedRating(p, r.Rating), Provisional: r.Provisional &&
			r.Rating != 0,
		Games: p.Int(r.Games), Since: p.Day(x.Created),
	}
}

// PublishedRating renders a rating in whole points; a dash for none.
func PublishedRating(p lang.Printer, r rating.Rating) string {
	if r == 0 {
		return "—"
	}
	return Itoa(r.Whole())
}

// PhaseWord names the phase of a match that is not shown as over. A match with a delayed feed is
// "running" from its start to the end of the delay.
func PhaseWord(h store.Head) string {
	if h.Status != match.Waiting && !h.Feed.IsZero() {
		return "running"
	}
	switch h.Status {
	case match.Waiting:
		return "waiting"
	case match.Bidding:
		return "bidding"
	}
	return "playing"
}

// LineStatus names the status of a tournament in a list: of one whose groups play, that they do.
func LineStatus(p lang.Printer, t store.TournamentLine) string {
	if t.Event.Origin.IsAwaited() {
		return p.T("home.status.groups")
	}
	return p.T("home.status." + t.Status.String())
}

// TournamentLine renders a tournament in a list.
func TournamentLine(p lang.Printer, t store.TournamentLine, now time.Time) templates.TournamentCard {
	card := templates.TournamentCard{
		URL: TournamentURL(t.ID), Name: p.Event(t.Name), Club: t.Club, Status: LineStatus(p, t),
		StatusWord: t.Status.String(),
		Players:    SidesText(p, t.Event.Settings, t.Entries), Kind: eventKind(p, t),
	}
	inGroups := t.Event.Origin.IsAwaited() // which are events of their own, with times of their own
	if inGroups {
		card.StatusWord = tournament.Running.String()
	}
	byLetters := t.Event.Pace == tournament.Correspondence // in which no round comes after another
	if t.Rounds > 1 && t.Opened > 0 && !t.Status.IsOver() && !byLetters {
		card.Status = p.T("home.round-of", "Round", t.Opened, "Rounds", t.Rounds)
	}
	if free, limited := t.Event.FreePlaces(t.Entries); limited && t.Status == tournament.Registration && !inGroups {
		card.Places = p.N("list.places", free)
		if free == 0 {
			card.Places = p.T("list.full")
		}
	}
	when, lead := t.StartsAt, ""
	if t.NextAt.After(now) && t.Opened > 0 {
		when, lead = t.NextAt, p.T("home.next-round")+" "
		if t.Event.Pace == tournament.Rolling {
			lead = p.T("home.next-match") + " "
		}
	}
	if !t.EndedAt.IsZero() {
		when = t.EndedAt
	}
	switch {
	case inGroups:
	case byLetters && t.Opened > 0 && t.EndedAt.IsZero() && !when.IsZero():
		card.When, card.Stamp = p.T("place.until", "When", p.Of(civil.Zone(t.Event.Zone)).Soon(when)), p.Stamp(when)
	case !when.IsZero():
		card.When, card.Stamp = lead+p.Of(civil.Zone(t.Event.Zone)).Soon(when), p.Stamp(when)
	case t.Status == tournament.Registration:
		card.When = p.T("list.when-ready")
	}
	return card
}

// eventKind says how a tournament is played and how long it takes at most.
func eventKind(p lang.Printer, t store.TournamentLine) string {
	kind := FormatText(p, t.Event)
	if presets := t.Event.Envelope.Presets; len(presets) > 0 {
		first, last := presets[0], presets[len(presets)-1]
		kind += " · " + first.String()
		if first != last {
			kind += "–" + last.String()
		}
	}
	if t.Rounds > 0 && !t.Status.IsOver() && t.Event.Format.InRounds() {
		entries := t.Entries
		if t.Status == tournament.Registration {
			entries = cmp.Or(t.Event.Capacity, entries)
		}
		kind += " · " + EventLength(p, t.Event.Settings, t.Rounds, entries)
	}
	return kind
}
