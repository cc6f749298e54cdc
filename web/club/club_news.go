package club

import (
	"errors"
	"net/http"

	"github.com/labstack/echo/v4"

	"chpok.org/chpok/player"
	"chpok.org/chpok/player/club"
	"chpok.org/chpok/store"
	"chpok.org/chpok/templates"
	clubview "chpok.org/chpok/templates/club"
	"chpok.org/chpok/templates/lang"
	"chpok.org/chpok/web/page"
	"chpok.org/chpok/web/words"
)

func (s pages) clubNews(c echo.Context) error {
	p, v := s.Printer(c), page.Viewer(c)
	var r club.Roster
	var posts []club.Post
	var total int
	var who map[player.ID]player.Player
	err := s.Store.Read(c.Request().Context(), func(tx *store.Tx) (err error) {
		if r, err = tx.Roster(club.ID(c.Param("id"))); err != nil {
			return err
		}
		if posts, total, err = tx.ClubPosts(r.ID, page.Size, (page.Number(c)-1)*page.Size); err != nil {
			return err
		}
		who, _, err = clubAccounts(tx, r, posts)
		return err
	})
	if err != nil {
		return err
	}
	view := clubview.ClubNewsView{Club: templates.Link{Text: r.Name, URL: words.ClubURL(r.ID)}, Paging: page.Paging(c, total)}
	for _, post := range posts {
		view.Posts = append(view.Posts, clubPost(p, post, who, r.May(v, club.ActNews)))
	}
	sh := s.Shell(c, p.T("club.news")+" · "+r.Name)
	sh.Section, sh.Styles = "clubs", []string{"club.css"}
	return s.Render(c, http.StatusOK, clubview.ClubNewsPage(sh, view))
}

func clubPost(p lang.Printer, post club.Post, who map[player.ID]player.Player, mayEdit bool) clubview.ClubPost {
	author := who[post.Author].Handle
	view := clubview.ClubPost{
		ID: string(post.ID), Title: post.Title, Author: string(author), AuthorURL: words.PlayerURL(author),
		At: p.When(post.At), Stamp: p.Stamp(post.At), Text: page.Linked(post.Text), MayEdit: mayEdit,
	}
	if !post.Edited.IsZero() {
		view.Edited = p.On(post.Edited)
	}
	return view
}

func (s pages) newPostForm(c echo.Context) error {
	r, err := s.rosterFor(c, club.ActNews)
	if err != nil {
		return err
	}
	return s.showPostForm(c, r.Club, club.Post{}, nil)
}

func (s pages) editPostForm(c echo.Context) error {
	r, err := s.rosterFor(c, club.ActNews)
	if err != nil {
		return err
	}
	post, err := store.Get(c.Request().Context(), s.Store, func(tx *store.Tx) (club.Post, error) {
		return tx.ClubPost(r.ID, club.PostID(c.Param("post")))
	})
	if err != nil {
		return err
	}
	return s.showPostForm(c, r.Club, post, nil)
}

func (s pages) showPostForm(c echo.Context, of club.Club, post club.Post, refused error) error {
	p := s.Printer(c)
	view := clubview.ClubPostForm{
		Club: templates.Link{Text: of.Name, URL: words.ClubURL(of.ID)}, Action: words.ClubURL(of.ID) + "/news", Heading: p.T("club.news.new"),
		Title: templates.Field{Name: "title", Label: p.T("club.news.title"), Value: post.Title, Max: club.MaxTitle, Required: true,
			Autocomplete: "off", Error: s.FormError(c, refused, club.ErrTitle)},
		Text: post.Text, TextError: s.FormError(c, refused, club.ErrPost),
	}
	if post.ID != "" {
		view.Action += "/" + string(post.ID)
		view.Heading, view.Delete = p.T("club.news.edit"), view.Action+"/delete"
	}
	sh := s.Shell(c, view.Heading+" · "+of.Name)
	sh.Section, sh.Styles = "clubs", []string{"club.css"}
	return s.Render(c, page.StatusOf(refused), clubview.ClubPostPage(sh, view))
}

// postNews adds a post, or changes the one in the address.
func (s pages) postNews(c echo.Context) error {
	id := club.ID(c.Param("id"))
	post := club.Post{Club: id, ID: club.PostID(c.Param("post")), Title: c.FormValue("title"), Text: c.FormValue("text")}
	_, err := s.Arbiter.Clubs.PostNews(c.Request().Context(), page.Viewer(c), post)
	if errors.Is(err, club.ErrTitle) || errors.Is(err, club.ErrPost) {
		r, readErr := s.rosterFor(c, club.ActNews)
		if readErr != nil {
			return readErr
		}
		post.Title = words.Shorten(post.Title, 400)
		return s.showPostForm(c, r.Club, post, err)
	}
	if err != nil {
		return err
	}
	return s.Redirect(c, words.ClubURL(id), "flash.saved")
}

func (s pages) deletePost(c echo.Context) error {
	id := club.ID(c.Param("id"))
	if err := s.Arbiter.Clubs.DropNews(c.Request().Context(), page.Viewer(c), id, club.PostID(c.Param("post"))); err != nil {
		return err
	}
	return s.Redirect(c, words.ClubURL(id), "flash.club-post-deleted")
}
