package match

import (
	"strconv"

	"github.com/labstack/echo/v4"

	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/engine/notation"
	"chpok.org/chpok/templates"
	"chpok.org/chpok/templates/lang"
	matchview "chpok.org/chpok/templates/match"
	"chpok.org/chpok/web/scene"
	"chpok.org/chpok/web/words"
)

// linkMatch adds the card of links to a match; place is the query of a moment, such as "ply=12". A hidden match has no
// card.
func (s pages) linkMatch(c echo.Context, sh *templates.Shell, p lang.Printer, f scene.MatchFrame, state match.State, place string) {
	sh.NoIndex = f.Hidden
	if f.Hidden {
		return
	}
	m := scene.MatchViewer{Printer: p, Frame: f, State: state, Game: state.Game(), Us: match.First}
	text := m.Headline()
	if m.Game.OnBoard() {
		points := m.Game.Points()
		text += " · " + p.Int(points[0]) + " : " + p.Int(points[1])
	}
	at := words.MatchURL(match.ID(f.ID))
	if f.Event.Name != "" {
		text += " · " + f.Event.Name
	}
	path, image := at, at+"/picture.png?v="+strconv.FormatInt(state.Seq(), 10)
	if place != "" {
		path, image = at+"/replay?"+place, at+"/picture.png?"+place
	}
	title := p.T("match.title", "First", f.Players[0].Name, "Second", f.Players[1].Name)
	sh.Card = s.EmbedCard(c, p, templates.Card{Title: title, Text: text, URL: path, Picture: image})
}

// shareLive returns what a running match offers to share, as watchers see it: the address, a picture and an animation.
func (s pages) shareLive(c echo.Context, p lang.Printer, f scene.MatchFrame) (v matchview.ShareView) {
	if f.Hidden {
		return v
	}
	at := words.MatchURL(match.ID(f.ID))
	frame := s.Address(c, words.EmbedMatchURL(match.ID(f.ID))+"?lang="+string(p.Lang))
	title := p.T("match.title", "First", f.Players[0].Name, "Second", f.Players[1].Name)
	return matchview.ShareView{
		Link: s.Address(c, at), Name: fileName(match.ID(f.ID)), Live: true,
		Picture: at + "/position.png?lang=" + string(p.Lang), Animation: at + "/animation.gif?lang=" + string(p.Lang),
		Embed: words.EmbedCode(frame, title, words.EmbedWidth, words.EmbedMatchHeight),
	}
}

// shareView returns what a replay offers to share at a place.
func (s pages) shareView(c echo.Context, p lang.Printer, f scene.MatchFrame, state match.State, place string) matchview.ShareView {
	at := words.MatchURL(match.ID(f.ID))
	v := matchview.ShareView{
		Link: s.Address(c, at+"/replay"), Name: fileName(match.ID(f.ID)), Place: place, Picture: at + "/position.png?lang=" + string(p.Lang),
		JSON: at + "/record.json", Text: at + "/record.txt",
	}
	if f.Hidden {
		v.Picture = ""
		return v
	}
	if state.Status() == match.Over && !state.StartedAt().IsZero() {
		v.Animation = at + "/animation.gif?lang=" + string(p.Lang)
	}
	title := p.T("match.title", "First", f.Players[0].Name, "Second", f.Players[1].Name)
	frame := s.Address(c, words.EmbedMatchURL(match.ID(f.ID))+"?lang="+string(p.Lang))
	v.Embed = words.EmbedCode(frame, title, words.EmbedWidth, words.EmbedMatchHeight)
	if g := state.Game(); g.PlyCount() > 0 {
		terms, _ := g.Terms()
		v.Notation = title + "\n" + terms.Time.String() + ", " + string(terms.Row) + "\n" + notation.Short(g)
		if state.Status() == match.Over {
			r := state.Result()
			v.Notation += "\n" + p.Int(r.Points[0]) + " : " + p.Int(r.Points[1])
		}
	}
	return v
}
