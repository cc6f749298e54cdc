package tournament

import (
	"cmp"
	"encoding/base64"
	"strconv"
	"time"

	"github.com/labstack/echo/v4"

	"chpok.org/chpok/player"
	"chpok.org/chpok/templates/lang"
	"chpok.org/chpok/tournament"
	"chpok.org/chpok/tournament/proposal"
	"chpok.org/chpok/web/event"
	"chpok.org/chpok/web/form"
	"chpok.org/chpok/web/page"
)

func (s api) eventOperations() []*page.Operation {
	return []*page.Operation{
		page.Op("POST /tournaments/proposals", player.ScopeOrganize, s.propose, "What suits so many people in so much time",
			"Settings to make a tournament with, and when it would end. Nothing is made."),
		page.Op("GET /tournaments/{id}/bundle", player.ScopeRead, s.bundle, "All of a tournament, for another site",
			"Its log, its records and its report, signed by this site. For its owners and arbiters."),
		page.Op("POST /tournaments/import/bundle", player.ScopeOrganize, s.importBundle, "Bring a tournament from another site",
			"As its bundle there has it; a preview only says what would be made.").Creates(),
	}
}

type (
	proposeIn struct {
		Name   string     `json:"name,omitempty" doc:"of the event; absent: by its day" example:"Friday cup" max:"80"`
		People int        `json:"people" doc:"how many come" example:"16" min:"3" max:"400"`
		Teams  int        `json:"teams,omitempty" doc:"of how many they play in; absent: in none" example:"4" min:"0" max:"50"`
		Starts *time.Time `json:"starts" doc:"when it begins; absent: now"`
		Until  *time.Time `json:"until" doc:"when it must be over; absent: open end"`
		Days   int        `json:"days,omitempty" doc:"from round to round; absent: all in one go" example:"7" min:"0" max:"31"`
		Stake  string     `json:"stake,omitempty" doc:"how serious it is; absent: club" enum:"fun,club,prize" example:"club"`
		Format string     `json:"format,omitempty" doc:"absent: whatever fits best" enum:"round-robin,swiss,knock-out,arena,keizer" example:"swiss"`
		Rounds int        `json:"rounds,omitempty" doc:"with a format: how many" example:"5" min:"0" max:"30"`
	}
	apiProposal struct {
		Settings apiSettings   `json:"settings" doc:"to make it with"`
		Round    form.Millis   `json:"round" doc:"how long the first round likely takes"`
		Ends     apiEndsLikely `json:"ends" doc:"when the last round ends"`
		Fits     bool          `json:"fits" doc:"it is over in time"`
	}
	apiEndsLikely struct {
		Earliest time.Time `json:"earliest" doc:"if all goes fast"`
		Likely   time.Time `json:"likely" doc:"about"`
		Latest   time.Time `json:"latest" doc:"if every match takes as long as it can"`
	}
	apiProposals struct {
		Proposals []apiProposal `json:"proposals" doc:"the best first"`
	}
	apiBundle struct {
		Bundle string `json:"bundle" doc:"a ZIP file, in Base64" example:"UEsDBBQACAAIAA=="`
	}
	bundleIn struct {
		Bundle  string `json:"bundle" doc:"the file, in Base64" example:"UEsDBBQACAAIAA=="`
		Link    bool   `json:"link,omitempty" doc:"entries become the accounts here that have the same handles"`
		Preview bool   `json:"preview,omitempty" doc:"only say what would be made"`
	}
)

// propose answers with settings that suit, the best first.
func (s api) propose(c echo.Context, in proposeIn) (out apiProposals, err error) {
	a := proposal.Answers{People: in.People, Starts: s.Now(), Days: in.Days, Stake: proposal.ParseStake(in.Stake), Teams: in.Teams,
		TeamName: func(n int) string { return lang.Printer{Lang: lang.English}.T("battle.team-n", "N", n) }}
	if in.Starts != nil {
		a.Starts = *in.Starts
	}
	if in.Until != nil {
		a.Until = *in.Until
	}
	if in.Format != "" {
		f, _ := tournament.ParseFormat(in.Format) // the enum admits no other
		a.Shape = proposal.Shape{Format: f, Rounds: in.Rounds}
	}
	if a.MeasuredFrom, _, err = s.Arbiter.Events.Durations(c.Request().Context()); err != nil {
		return out, err
	}
	best := proposal.Of(a)
	list := []proposal.Proposal{best}
	if in.Format == "" {
		list = append(list, proposal.Others(a, best)...)
	}
	for _, p := range list {
		p.Settings.Name = cmp.Or(in.Name, lang.Printer{Lang: lang.English}.T("event.name."+strconv.Itoa(int(a.Starts.Weekday()))))
		settings, err := page.WrittenBy(form.Tournament, &p.Settings)
		if err != nil {
			return out, err
		}
		out.Proposals = append(out.Proposals, apiProposal{apiSettings{settings}, form.MillisOf(p.Round),
			apiEndsLikely{p.End.Earliest, p.End.Likely, p.End.Latest}, p.Fits})
	}
	return out, nil
}

func (s api) bundle(c echo.Context, in event.TournamentPath) (out apiBundle, err error) {
	_, file, err := outputs(s).bundleOf(c, in.ID)
	return apiBundle{base64.StdEncoding.EncodeToString(file)}, err
}

// importBundle makes the tournament of a bundle, or previews that.
func (s api) importBundle(c echo.Context, in bundleIn) (out event.APIArrival, err error) {
	ctx, by := c.Request().Context(), page.Viewer(c)
	if !by.MayCreateTournament() {
		return out, tournament.ErrNotAllowed
	}
	raw, err := base64.StdEncoding.DecodeString(in.Bundle)
	if err != nil {
		return out, page.BadValue("bundle", "bundle is a file in Base64")
	}
	unpacking.Lock()
	defer unpacking.Unlock()
	b, err := readBundle(raw)
	if err != nil {
		return out, err
	}
	arrival, err := s.Arbiter.Events.Preview(ctx, by, b, in.Link)
	if err == nil && !in.Preview {
		arrival.Tournament.ID, err = s.Arbiter.Events.ImportBundle(ctx, by, b, in.Link)
	}
	if err != nil {
		return out, err
	}
	return event.APIArrivalOf(arrival.Tournament, in.Preview), nil
}
