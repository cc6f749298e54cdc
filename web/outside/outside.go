// Package outside serves what other sites show of this one: pictures, embeds and oEmbed. It refuses
// to read cookies: everybody gets what the public sees, delayed where a policy demands it.
package outside

import (
	"context"
	"fmt"

	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/live"
	"chpok.org/chpok/player"
	"chpok.org/chpok/store"
	"chpok.org/chpok/templates/lang"
	"chpok.org/chpok/tournament"
	"chpok.org/chpok/web/page"
	"chpok.org/chpok/web/picture"
	"chpok.org/chpok/web/scene"
)

// Outside serves pictures and embeds.
type Outside struct {
	*page.Site
	studio *picture.Studio
	prints *prints
}

// New returns an Outside that draws with the pieces of the pages.
func New(s *page.Site) Outside {
	studio, err := picture.Open()
	if err != nil {
		panic(fmt.Errorf("outside: %w", err)) // a test draws with it
	}
	return Outside{s, studio, newPrints(thisBuild)}
}

// Routes returns the routes of the section.
func (s Outside) Routes() []page.Route {
	return []page.Route{
		page.Get("/picture.png", s.sitePicture, page.Anyone),
		page.Get("/matches/:id/picture.png", s.matchPicture, page.Anyone),
		page.Get("/matches/:id/position.png", s.positionPicture, page.Anyone),
		page.Get("/matches/:id/animation.gif", s.matchAnimation, page.Anyone),
		page.Get("/tournaments/:id/picture.png", s.tournamentPicture, page.Anyone),
		page.Get("/players/:handle/picture.png", s.playerPicture, page.Anyone),
		page.Get("/players/:handle/years/:year/picture.png", s.yearPicture, page.Anyone),
		page.Get("/clubs/:id/picture.png", s.clubPicture, page.Anyone),
		page.Get("/ladders/:id/picture.png", s.ladderPicture, page.Anyone),
		page.Get("/c/:id/picture.png", s.challengePicture, page.Anyone),
		page.Get("/embed/matches/:id", s.embedMatch, page.Anyone),
		page.Get("/embed/matches/:id/feed", s.embedMatchFeed, page.Anyone),
		page.Get("/embed/tournaments/:id/standings", s.embedStandings, page.Anyone),
		page.Get("/embed/tournaments/:id/standings/feed", s.embedStandings, page.Anyone),
		page.Get("/embed/tournaments/:id/round", s.embedRound, page.Anyone),
		page.Get("/embed/tournaments/:id/round/feed", s.embedRound, page.Anyone),
		page.Get("/embed/tournaments/:id/boards/:board", s.embedBoard, page.Anyone),
		page.Get("/embed/tournaments/:id/boards/:board/feed", s.embedBoard, page.Anyone),
		page.Get("/oembed", s.oEmbed, page.Anyone),
	}
}

// match returns a match as the public sees it now, with its players; store.ErrNotFound if only
// staff may see it.
func (s Outside) match(ctx context.Context, p lang.Printer, id match.ID) (v live.View, f scene.MatchFrame, err error) {
	if v, err = s.Live.View(ctx, id, nil); err != nil {
		return v, f, err
	}
	err = s.Store.Read(ctx, func(tx *store.Tx) error {
		a, err := scene.ReadAround(tx, []live.View{v})
		f = a.Frame(p, v)
		return err
	})
	if err == nil && f.Hidden {
		err = store.ErrNotFound
	}
	return v, f, err
}

// tournament returns a public tournament; store.ErrNotFound for any other.
func (s Outside) tournament(ctx context.Context, id tournament.ID) (*tournament.Tournament, error) {
	t, err := s.Arbiter.Tournament(ctx, id)
	if err == nil && !t.MaySee(player.Viewer{}) {
		err = store.ErrNotFound
	}
	return t, err
}
