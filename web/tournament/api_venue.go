package tournament

import (
	"context"
	"strings"
	"time"

	"github.com/labstack/echo/v4"

	"chpok.org/chpok/arbiter/entries"
	"chpok.org/chpok/arbiter/kernel"
	"chpok.org/chpok/player"
	"chpok.org/chpok/store"
	"chpok.org/chpok/templates/lang"
	"chpok.org/chpok/tournament"
	"chpok.org/chpok/tournament/venue"
	"chpok.org/chpok/web/event"
	"chpok.org/chpok/web/form"
	"chpok.org/chpok/web/page"
)

func (s api) venueOperations() []*page.Operation {
	return []*page.Operation{
		page.Op("GET /tournaments/{id}/door", player.ScopeOrganize, s.door, "The door of a tournament, and who came in by it",
			"For staff. People who open the address type their name and play. 404: it is closed."),
		page.Op("POST /tournaments/{id}/door", player.ScopeOrganize, s.openDoor, "Open the door", "Or answer with the one that is open."),
		page.Act("DELETE /tournaments/{id}/door", player.ScopeOrganize, s.ByEntries((*entries.Office).CloseDoor), "Close the door", "Those who came in stay."),
		page.Op("POST /tournaments/{id}/door/kiosk", player.ScopeOrganize, s.newKiosk, "Give the kiosk another address", "The old one ends; the door keeps its code."),
		page.Op("POST /tournaments/{id}/entries/{entry}/slip", player.ScopeOrganize, s.newSlip, "Give a guest of the door a new slip",
			"The code with which they sign a device in; the old one ends."),
		page.Op("GET /tournaments/{id}/screens", player.ScopeOrganize, s.screens, "The screens of the venue", "For staff. A screen is a page for a projector."),
		page.Op("POST /tournaments/{id}/screens", player.ScopeOrganize, s.addScreen, "Add a screen", "Its address is a secret that shows it to whoever has it.").Creates(),
		page.Op("PUT /tournaments/{id}/screens/{screen}", player.ScopeOrganize, s.changeScreen, "Change what a screen shows", "Its open pages follow at once."),
		page.Act("DELETE /tournaments/{id}/screens/{screen}", player.ScopeOrganize, s.dropScreen, "Take a screen away", "Its address leads nowhere any more."),
		page.Op("GET /tournaments/{id}/chat", page.Everyone, s.chat, "What was announced and said", "The newest first. Reports and mutes for moderators only."),
		page.Act("POST /tournaments/{id}/announcements", player.ScopeOrganize, s.announce, "Announce something", "To everybody who plays, on behalf of the staff."),
		page.Op("POST /tournaments/{id}/chat", player.ScopeChallenge, s.say, "Say something in the chat", "Of those who play and the staff, where it is open."),
		page.Act("PUT /tournaments/{id}/chat/open", player.ScopeOrganize, s.setChat, "Open or close the chat", "For moderators."),
		page.Act("DELETE /tournaments/{id}/posts/{number}", player.ScopeChallenge, s.deletePost, "Delete what was said", "Oneself, or as a moderator by anybody."),
		page.Act("POST /tournaments/{id}/posts/{number}/report", player.ScopeChallenge, s.reportPost, "Report what was said", "To the moderators."),
		page.Act("POST /tournaments/{id}/posts/{number}/settle", player.ScopeOrganize, s.settlePost, "Keep what was reported", "For moderators."),
		page.Act("PUT /tournaments/{id}/mutes/{handle}", player.ScopeOrganize, s.mute, "Keep somebody out of the chat", "For a while or for good. For moderators."),
		page.Act("DELETE /tournaments/{id}/mutes/{handle}", player.ScopeOrganize, s.unmute, "Let somebody talk again", "For moderators."),
	}
}

type (
	apiDoor struct {
		Code   string     `json:"code" doc:"to type at /t/" example:"HKM4T"`
		URL    string     `json:"url" doc:"where people come in" example:"https://example.org/t/HKM4T"`
		Kiosk  string     `json:"kiosk" doc:"address for a device that many share; secret" example:"https://example.org/kiosk/3b7wfs9y1g5j3b7wfs9y1g5j"`
		Guests []apiGuest `json:"guests" doc:"who plays with an account made at the door"`
	}
	// apiGuest is somebody who came in at a door, with the code that signs their device in.
	apiGuest struct {
		Entry tournament.EntryID `json:"entry" doc:"the entry"`
		Name  string             `json:"name" doc:"as lists show it" example:"Daria Tkach"`
		Code  string             `json:"code" doc:"of their slip; empty: it cannot be shown any more" example:"4F7KQ2"`
	}
	screenPath struct {
		event.TournamentPath
		Screen string `path:"screen" doc:"the screen" example:"9c2vkx6m1d8r"`
	}
	screen struct {
		Name    string      `json:"name" doc:"for the staff" example:"Hall" max:"100"`
		Shows   []string    `json:"shows" doc:"what it shows in turn" enum:"pairings,names,standings,countdown,message,boards" example:"[\"pairings\",\"standings\"]" min:"1"`
		Each    form.Millis `json:"each" doc:"how long one page stands, in whole seconds" example:"15000" min:"5000" max:"600000"`
		Message string      `json:"message,omitempty" doc:"what the page message says" example:"Tea is in the lobby" max:"300"`
		Lang    string      `json:"lang" doc:"its language" enum:"en,uk" example:"uk"`
		Zone    string      `json:"zone" doc:"time zone of the room" example:"Europe/Kyiv"`
	}
	addScreenIn struct {
		event.TournamentPath
		screen
	}
	changeScreenIn struct {
		screenPath
		screen
	}
	apiScreen struct {
		ID string `json:"id" doc:"address of the screen" example:"9c2vkx6m1d8r"`
		screen
		URL string `json:"url" doc:"its page; secret" example:"https://example.org/screens/3b7wfs9y1g5j"`
	}
	apiScreens struct {
		Screens []apiScreen `json:"screens" doc:"the oldest first"`
	}
)

func (s api) door(c echo.Context, in event.TournamentPath) (out apiDoor, err error) {
	t, err := s.TournamentFor(c, tournament.ActDoor)
	if err != nil {
		return out, err
	}
	d, err := store.Get(c.Request().Context(), s.Store, func(tx *store.Tx) (venue.Door, error) { return tx.Door(in.ID) })
	if err != nil {
		return out, err
	}
	return s.doorShown(c, t, d)
}

func (s api) doorShown(c echo.Context, t *tournament.Tournament, d venue.Door) (out apiDoor, err error) {
	out = apiDoor{Code: strings.ToUpper(d.Code), URL: s.Address(c, doorURL(d.Code)), Kiosk: s.Address(c, kioskURL(d)), Guests: []apiGuest{}}
	guests, err := s.Arbiter.Entries.GuestsIn(c.Request().Context(), t)
	for _, e := range t.Entries {
		if g, is := guests[e.Player]; is && e.Status == tournament.Active {
			out.Guests = append(out.Guests, apiGuest{e.ID, e.Name, g.Code})
		}
	}
	return out, err
}

func (s api) openDoor(c echo.Context, in event.TournamentPath) (out apiDoor, err error) {
	d, err := s.Arbiter.Entries.OpenDoor(c.Request().Context(), page.Viewer(c), in.ID)
	if err != nil {
		return out, err
	}
	t, err := s.Arbiter.Tournament(c.Request().Context(), in.ID)
	if err != nil {
		return out, err
	}
	return s.doorShown(c, t, d)
}

func (s api) newKiosk(c echo.Context, in event.TournamentPath) (out apiDoor, err error) {
	if err := s.Arbiter.Entries.NewKiosk(c.Request().Context(), page.Viewer(c), in.ID); err != nil {
		return out, err
	}
	return s.door(c, in)
}

// newSlip gives a guest a new code and answers with it.
func (s api) newSlip(c echo.Context, in event.EntryPath) (out apiGuest, err error) {
	ctx := c.Request().Context()
	if err := s.Arbiter.Entries.NewSlip(ctx, page.Viewer(c), in.ID, in.Entry); err != nil {
		return out, err
	}
	t, err := s.Arbiter.Tournament(ctx, in.ID)
	if err != nil {
		return out, err
	}
	e, err := t.Entry(in.Entry)
	if err != nil {
		return out, err
	}
	guests, err := s.Arbiter.Entries.GuestsIn(ctx, t)
	return apiGuest{e.ID, e.Name, guests[e.Player].Code}, err
}

func (s api) screens(c echo.Context, in event.TournamentPath) (out apiScreens, err error) {
	if _, err := s.TournamentFor(c, tournament.ActScreen); err != nil {
		return out, err
	}
	list, err := store.Get(c.Request().Context(), s.Store, func(tx *store.Tx) ([]venue.Screen, error) { return tx.Screens(in.ID) })
	out.Screens = []apiScreen{}
	for _, x := range list {
		out.Screens = append(out.Screens, s.screenShown(c, x))
	}
	return out, err
}

func (s api) screenShown(c echo.Context, x venue.Screen) apiScreen {
	out := apiScreen{ID: x.ID, URL: s.Address(c, "/screens/"+x.Token), screen: screen{Name: x.Name, Shows: []string{},
		Each: form.MillisOf(time.Duration(x.Seconds) * time.Second), Message: x.Message, Lang: x.Lang, Zone: x.Zone}}
	for _, picture := range venue.Pictures {
		if x.Shows&picture != 0 {
			out.Shows = append(out.Shows, picture.String())
		}
	}
	return out
}

// save adds a screen, or changes the one with an id.
func (x screen) save(c echo.Context, s api, of tournament.ID, id string) (out apiScreen, err error) {
	language, _ := lang.Parse(x.Lang) // the enum admits no other
	saved, err := s.Arbiter.Events.SaveScreen(c.Request().Context(), page.Viewer(c), venue.Screen{ID: id, Tournament: of,
		Name: strings.TrimSpace(x.Name), Shows: picturesOf(x.Shows), Seconds: int(x.Each.Duration() / time.Second),
		Message: strings.TrimSpace(x.Message), Lang: string(language), Zone: x.Zone})
	return s.screenShown(c, saved), err
}

func (s api) addScreen(c echo.Context, in addScreenIn) (apiScreen, error) {
	return in.save(c, s, in.ID, "")
}

func (s api) changeScreen(c echo.Context, in changeScreenIn) (apiScreen, error) {
	return in.save(c, s, in.ID, in.Screen)
}

func (s api) dropScreen(ctx context.Context, by player.Viewer, in screenPath) error {
	return s.Arbiter.Events.DropScreen(ctx, by, in.ID, in.Screen)
}

type (
	apiPost struct {
		No      int             `json:"number" doc:"its number in the tournament" example:"12"`
		By      player.Handle   `json:"by" doc:"who"`
		At      time.Time       `json:"at" doc:"when"`
		Text    string          `json:"text" doc:"what; empty: deleted" example:"Tea is in the lobby"`
		Deleted bool            `json:"deleted,omitempty" doc:"by its author, or a moderator"`
		Reports []apiPostReport `json:"reports,omitempty" doc:"for moderators"`
	}
	apiPostReport struct {
		By     player.Handle `json:"by" doc:"who"`
		Reason string        `json:"reason" doc:"why" example:"Rude"`
	}
	apiMute struct {
		Player player.Handle `json:"player" doc:"who"`
		Until  *time.Time    `json:"until" doc:"null: for good"`
		Reason string        `json:"reason,omitempty" doc:"why" example:"Rude"`
	}
	apiChat struct {
		Open          bool      `json:"open" doc:"players may talk"`
		Announcements []apiPost `json:"announcements" doc:"on behalf of the staff"`
		Posts         []apiPost `json:"posts" doc:"what was said"`
		Reported      []apiPost `json:"reported,omitempty" doc:"for moderators: what nobody has looked at yet"`
		Mutes         []apiMute `json:"mutes,omitempty" doc:"for moderators: who must not talk"`
	}
	announceIn struct {
		event.TournamentPath
		Text string `json:"text" doc:"what" example:"Round 3 begins at 19:00"`
	}
	chatIn struct {
		event.TournamentPath
		Text string `json:"text" doc:"what" example:"Good luck!"`
	}
	setChatIn struct {
		event.TournamentPath
		Open bool `json:"open" doc:"false closes it"`
	}
	postPath struct {
		event.TournamentPath
		No int `path:"number" doc:"its number" example:"12"`
	}
	reportPostIn struct {
		postPath
		Reason string `json:"reason,omitempty" doc:"why" example:"Rude"`
	}
	muteIn struct {
		playerEntryPath
		For    form.Millis `json:"for,omitempty" doc:"how long; absent: for good" example:"3600000" min:"60000" max:"31536000000"`
		Reason string      `json:"reason,omitempty" doc:"why" example:"Rude" max:"300"`
	}
)

func (s api) chat(c echo.Context, _ event.TournamentPath) (out apiChat, err error) {
	t, err := s.SeenTournament(c)
	if err != nil {
		return out, err
	}
	x, err := chat(s).read(c, t)
	if err != nil {
		return out, err
	}
	moderates := t.May(page.Viewer(c), tournament.ActModerate)
	posts := func(list []venue.Post) []apiPost {
		shown := []apiPost{}
		for _, p := range list {
			one := apiPost{No: p.No, By: x.people[p.By].Handle, At: p.At, Text: p.Text, Deleted: p.DeletedBy != ""}
			if one.Deleted {
				one.Text = ""
			}
			for _, r := range p.Reports {
				if moderates && !one.Deleted {
					one.Reports = append(one.Reports, apiPostReport{x.people[r.By].Handle, r.Reason})
				}
			}
			shown = append(shown, one)
		}
		return shown
	}
	out = apiChat{Open: t.Chat, Announcements: posts(x.announcements), Posts: posts(x.posts)}
	if !moderates {
		return out, nil
	}
	out.Reported = posts(x.reported)
	for _, m := range x.mutes {
		if m.IsIn(s.Now()) {
			out.Mutes = append(out.Mutes, apiMute{x.people[m.Player].Handle, page.Optional(m.Until), m.Reason})
		}
	}
	return out, nil
}

func (s api) announce(ctx context.Context, by player.Viewer, in announceIn) error {
	return s.Arbiter.Events.Announce(ctx, by, in.ID, in.Text)
}

func (s api) say(c echo.Context, in chatIn) (page.None, error) {
	return page.None{}, chat(s).post(c, in.ID, in.Text)
}

func (s api) setChat(ctx context.Context, by player.Viewer, in setChatIn) error {
	return s.Arbiter.Events.SetChat(ctx, by, in.ID, in.Open)
}

func (s api) deletePost(ctx context.Context, by player.Viewer, in postPath) error {
	return s.Arbiter.Events.DeletePost(ctx, by, in.ID, in.No)
}

func (s api) reportPost(ctx context.Context, by player.Viewer, in reportPostIn) error {
	return s.Arbiter.Events.ReportPost(ctx, by, in.ID, in.No, in.Reason)
}

func (s api) settlePost(ctx context.Context, by player.Viewer, in postPath) error {
	return s.Arbiter.Events.SettlePost(ctx, by, in.ID, in.No)
}

func (s api) mute(ctx context.Context, by player.Viewer, in muteIn) error {
	return s.Arbiter.Events.Mute(ctx, kernel.For(by, strings.TrimSpace(in.Reason)), in.ID, in.Handle, in.For.Duration())
}

func (s api) unmute(ctx context.Context, by player.Viewer, in playerEntryPath) error {
	return s.Arbiter.Events.Unmute(ctx, by, in.ID, in.Handle)
}
