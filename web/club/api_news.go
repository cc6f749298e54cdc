package club

import (
	"context"
	"time"

	"github.com/labstack/echo/v4"

	"chpok.org/chpok/player"
	"chpok.org/chpok/player/club"
	"chpok.org/chpok/store"
	"chpok.org/chpok/web/page"
)

func (s api) newsOperations() []*page.Operation {
	return []*page.Operation{
		page.Op("GET /clubs/{id}/news", page.Everyone, s.news, "The news of a club", "The newest first."),
		page.Op("POST /clubs/{id}/news", player.ScopeOrganize, s.post, "Post news", "For its organizers and arbiters.").Creates(),
		page.Op("PUT /clubs/{id}/news/{post}", player.ScopeOrganize, s.repost, "Change a post", "Its readers see when."),
		page.Act("DELETE /clubs/{id}/news/{post}", player.ScopeOrganize, s.dropPost, "Delete a post", "It is gone for good."),
	}
}

type (
	news struct {
		Title string `json:"title" doc:"on one line: at most 120 characters" example:"We move"`
		Text  string `json:"text" doc:"in paragraphs: at most 8000 characters" example:"From next Friday we meet in the library."`
	}
	newsIn struct {
		clubPath
		page.Paged
	}
	postIn struct {
		clubPath
		news
	}
	postPath struct {
		clubPath
		Post club.PostID `path:"post" doc:"the post" example:"2s8v5cxk9n1q"`
	}
	repostIn struct {
		postPath
		news
	}
	apiNewsPost struct {
		ID club.PostID `json:"id" doc:"address of the post" example:"2s8v5cxk9n1q"`
		news
		By     player.Handle `json:"by" doc:"who wrote it"`
		At     time.Time     `json:"at" doc:"when"`
		Edited *time.Time    `json:"edited" doc:"when it was changed last; null: never"`
	}
	apiNews struct {
		Posts []apiNewsPost `json:"posts" doc:"the newest first"`
		Next  *string       `json:"next" doc:"after of the rest; null at the end" example:"50"`
	}
)

func (s api) news(c echo.Context, in newsIn) (out apiNews, err error) {
	from, err := in.Offset()
	if err != nil {
		return out, err
	}
	out.Posts = []apiNewsPost{}
	err = s.Store.Read(c.Request().Context(), func(tx *store.Tx) error {
		if _, err := tx.Club(in.ID); err != nil {
			return err
		}
		posts, total, err := tx.ClubPosts(in.ID, in.Most(50), from)
		if err != nil {
			return err
		}
		for _, x := range posts {
			shown, err := postShown(tx, x)
			if err != nil {
				return err
			}
			out.Posts = append(out.Posts, shown)
		}
		out.Next = in.Next(from+len(posts), total)
		return nil
	})
	return out, err
}

func postShown(tx *store.Tx, x club.Post) (apiNewsPost, error) {
	who, err := tx.Players(x.Author)
	return apiNewsPost{x.ID, news{x.Title, x.Text}, who[x.Author].Handle, x.At, page.Optional(x.Edited)}, err
}

// save adds a post, or changes the one with an id.
func (x news) save(c echo.Context, s api, of club.ID, id club.PostID) (apiNewsPost, error) {
	ctx := c.Request().Context()
	id, err := s.Arbiter.Clubs.PostNews(ctx, page.Viewer(c), club.Post{Club: of, ID: id, Title: x.Title, Text: x.Text})
	if err != nil {
		return apiNewsPost{}, err
	}
	return store.Get(ctx, s.Store, func(tx *store.Tx) (apiNewsPost, error) {
		saved, err := tx.ClubPost(of, id)
		if err != nil {
			return apiNewsPost{}, err
		}
		return postShown(tx, saved)
	})
}

func (s api) post(c echo.Context, in postIn) (apiNewsPost, error) { return in.save(c, s, in.ID, "") }

func (s api) repost(c echo.Context, in repostIn) (apiNewsPost, error) {
	return in.save(c, s, in.ID, in.Post)
}

func (s api) dropPost(ctx context.Context, by player.Viewer, in postPath) error {
	return s.Arbiter.Clubs.DropNews(ctx, by, in.ID, in.Post)
}
