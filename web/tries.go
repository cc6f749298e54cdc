package web

import (
	"bytes"
	"compress/gzip"
	"context"
	"crypto/aes"
	"crypto/cipher"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io"
	"maps"
	"mime/multipart"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/labstack/echo/v4"

	"chpok.org/chpok/refusal"
	"chpok.org/chpok/store"
	"chpok.org/chpok/web/page"
)

// Refusals of repeats that cannot be answered like the first.
var (
	errTryOther = refusal.Conflict("error.try-other", "web: the key of a try was used for something else")
	errTryLost  = refusal.Conflict("error.try-lost", "web: carried out, but the answer was lost")
	errTryKey   = refusal.Malformed("error.bad-request", "web: no key of a try")
)

const (
	tryHeader    = "Idempotency-Key" // of programs
	outboxHeader = "X-Outbox"        // of forms sent by outbox.js
	tryWithin    = 30 * time.Second  // for a request that goes on when its browser has gone
	repeatWithin = 10 * time.Second  // how long a repeat waits for the first
	lostAfter    = time.Minute       // when nobody works at an answer any more
	lookEvery    = 40 * time.Millisecond
)

var goodKey = regexp.MustCompile(`^[!-~]{8,100}$`)

// tries answers repeated requests like the first one.
type tries struct {
	answers batcher[map[string]string] // to keep, by key
	refused keptAnswers
}

func newTries(to *store.Store) *tries {
	t := &tries{}
	t.answers.do = func(b *map[string]string) error {
		ctx, cancel := context.WithTimeout(context.Background(), useWithin)
		defer cancel()
		return to.Write(ctx, func(tx *store.Tx) error {
			for _, key := range slices.Sorted(maps.Keys(*b)) {
				if err := tx.AnswerTry(key, (*b)[key]); err != nil {
					return err
				}
			}
			return nil
		})
	}
	return t
}

// once carries out what has the key of a try once, and answers a repeat like the first. A form sent by outbox.js gets
// in place of a page an address to go to, or leave to send the form again as browsers do, which shows the page, or only
// words, if the page would have no more.
func (s *Server) once(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		key, err := keyOfTry(c)
		if err != nil {
			return err
		}
		if key == "" {
			return next(c)
		}
		t, seal, err := s.newTry(c, key)
		if err != nil {
			return err
		}
		c.Set(page.TryKey, t.Key)
		if kept, isKept := s.tries.refused.take(t, isByOutbox(c)); isKept {
			return kept.send(c)
		}
		switch kept, err := s.keptTry(c, t); {
		case err == nil:
			return s.repeat(c, t, kept, seal)
		case !errors.Is(err, store.ErrNotFound):
			return err
		}
		return s.first(c, t, seal, next)
	}
}

// keyOfTry takes the key out of a request; empty if it has none.
func keyOfTry(c echo.Context) (string, error) {
	r := c.Request()
	if r.Method == http.MethodGet || r.Method == http.MethodHead || page.IsLongList(c) {
		return "", nil
	}
	key := r.Header.Get(tryHeader)
	if key == "" && !strings.HasPrefix(r.URL.Path, "/api/") &&
		!strings.HasPrefix(r.Header.Get(echo.HeaderContentType), echo.MIMEApplicationJSON) {
		key = c.FormValue(page.TryField)
		delete(r.Form, page.TryField)
		delete(r.PostForm, page.TryField)
		if r.MultipartForm != nil {
			delete(r.MultipartForm.Value, page.TryField)
		}
	}
	if key != "" && !goodKey.MatchString(key) {
		return "", errTryKey
	}
	return key, nil
}

func isByOutbox(c echo.Context) bool { return c.Request().Header.Get(outboxHeader) != "" }

// newTry returns the try of a request, and the seal of its answer. A key is worth nothing in another browser or with
// another token.
func (s *Server) newTry(c echo.Context, key string) (*store.Try, cipher.AEAD, error) {
	owner := s.TryOwner(c)
	if t, isProgram := page.Token(c); isProgram {
		owner = "token " + t.ID
	}
	sum := func(of ...string) []byte {
		mac := hmac.New(sha256.New, []byte(key))
		for _, part := range append(of, owner) {
			mac.Write([]byte(strconv.Itoa(len(part)) + ":" + part))
		}
		return mac.Sum(nil)
	}
	content, err := contentOf(c)
	if err != nil {
		return nil, nil, err
	}
	t := &store.Try{Key: hex.EncodeToString(sum("try")), Content: hex.EncodeToString(sum("content", content)), At: s.Now()}
	if v := page.Viewer(c); v.IsSignedIn() {
		t.Who = hex.EncodeToString(sum("who", string(v.ID)))
	}
	block, err := aes.NewCipher(sum("seal"))
	if err != nil {
		return nil, nil, err
	}
	seal, err := cipher.NewGCMWithRandomNonce(block)
	return t, seal, err
}

// contentOf returns all that a request asks for, as text.
func contentOf(c echo.Context) (string, error) {
	r := c.Request()
	out := []string{r.Method, r.URL.RequestURI(), r.PostForm.Encode()}
	if r.MultipartForm != nil {
		for _, name := range slices.Sorted(maps.Keys(r.MultipartForm.File)) {
			for _, file := range r.MultipartForm.File[name] {
				sum, err := sumOfFile(file)
				if err != nil {
					return "", err
				}
				out = append(out, name, file.Filename, sum)
			}
		}
	}
	if r.PostForm == nil { // a program's
		body, err := io.ReadAll(r.Body)
		if err != nil {
			return "", err
		}
		r.Body = io.NopCloser(bytes.NewReader(body))
		out = append(out, string(body))
	}
	return strings.Join(out, "\n"), nil
}

func sumOfFile(header *multipart.FileHeader) (string, error) {
	file, err := header.Open()
	if err != nil {
		return "", err
	}
	defer file.Close()
	sum := sha256.New()
	_, err = io.Copy(sum, file)
	return hex.EncodeToString(sum.Sum(nil)), err
}

func (s *Server) keptTry(c echo.Context, t *store.Try) (store.KeptTry, error) {
	return store.Get(c.Request().Context(), s.Store, func(tx *store.Tx) (store.KeptTry, error) { return tx.KeptTry(t.Key) })
}

// repeat answers a request whose try has acted.
func (s *Server) repeat(c echo.Context, t *store.Try, kept store.KeptTry, seal cipher.AEAD) error {
	if kept.Content != t.Content || kept.Who != "" && t.Who != "" && kept.Who != t.Who {
		return errTryOther
	}
	for end := time.Now().Add(repeatWithin); kept.Answer == nil; {
		if s.Now().Sub(kept.At) > lostAfter {
			return errTryLost
		}
		if time.Now().After(end) {
			return page.ErrBusy
		}
		select {
		case <-c.Request().Context().Done():
			return c.Request().Context().Err()
		case <-time.After(lookEvery):
		}
		var err error
		if kept, err = s.keptTry(c, t); err != nil {
			return err
		}
	}
	if *kept.Answer == "" {
		return errTryLost
	}
	a, err := unsealed(seal, *kept.Answer)
	if err != nil {
		return err
	}
	return a.send(c)
}

// first carries out a request whose try has not acted. It goes on when the browser has gone: half of a chain of writes
// is no answer.
func (s *Server) first(c echo.Context, t *store.Try, seal cipher.AEAD, next echo.HandlerFunc) error {
	asked, out, before := c.Request(), c.Response().Writer, maps.Clone(c.Response().Header())
	ctx, cancel := context.WithTimeout(context.WithoutCancel(asked.Context()), tryWithin)
	defer cancel()
	c.SetRequest(asked.WithContext(store.WithTry(ctx, t)))
	taken := &takenAnswer{ResponseWriter: out}
	c.Response().Writer = taken
	isAnswered := false
	defer func() { // a handler that panicked, too
		c.Response().Writer = out
		if !isAnswered && t.HasActed() {
			s.keepAnswer(c, t, "")
		}
	}()
	err := next(c)
	if err != nil {
		s.Fail(err, c)
	}
	c.SetRequest(asked)
	c.Response().Writer = out
	if !t.HasActed() {
		kept, found := s.keptTry(c, t)
		if t.IsRepeat() || found == nil { // it was refused for what another has done under its key
			restoreHeader(c, before)
			if found != nil {
				return found
			}
			isAnswered = true
			return s.repeat(c, t, kept, seal)
		}
	}
	a := taken.answer(c.Response().Header(), before)
	if err != nil {
		a.Message, a.OnlySaid = page.TextOf(s.Printer(c), err), page.IsOnlySaid(c)
	}
	isAnswered = true
	switch {
	case t.HasActed() && a.Status < http.StatusInternalServerError:
		text, err := a.sealed(seal)
		if err != nil {
			return err
		}
		s.keepAnswer(c, t, text)
	case t.HasActed():
		s.keepAnswer(c, t, "")
	case isByOutbox(c) && !a.isRedirect() && !a.OnlySaid && a.Status < http.StatusInternalServerError:
		s.tries.refused.keep(t, a, s.Now())
	}
	restoreHeader(c, before)
	return a.send(c)
}

// restoreHeader makes the answer of a request one that has not begun.
func restoreHeader(c echo.Context, before http.Header) {
	c.Response().Committed, c.Response().Size = false, 0
	clear(c.Response().Header())
	maps.Copy(c.Response().Header(), before)
}

// keepAnswer keeps the answer to a try that has acted; empty: there will be none. If that fails, repeats are told that
// it was lost.
func (s *Server) keepAnswer(c echo.Context, t *store.Try, sealed string) {
	err := s.tries.answers.join(func(b *map[string]string) {
		if *b == nil {
			*b = map[string]string{}
		}
		(*b)[t.Key] = sealed
	}).wait()
	if err != nil {
		s.Log.Warn("answer not kept", "request", page.RequestID(c), "err", err)
	}
}

// tryAnswer is the answer to a try. The header holds what its handler has set.
type tryAnswer struct {
	Status   int
	Header   http.Header
	Body     []byte
	Message  string // of a refusal
	OnlySaid bool   // see page.IsOnlySaid
}

func (a tryAnswer) isRedirect() bool { return a.Header.Get(echo.HeaderLocation) != "" }

// outboxAnswer tells outbox.js what to do.
type outboxAnswer struct {
	Go      string `json:"go,omitempty"`    // an address to go to
	Again   bool   `json:"again,omitempty"` // send the form as browsers do
	Message string `json:"message,omitempty"`
}

func (a tryAnswer) send(c echo.Context) error {
	h := c.Response().Header()
	for name, values := range a.Header {
		if name == echo.HeaderSetCookie {
			values = slices.Concat(h[name], values)
		}
		h[name] = values
	}
	switch {
	case !isByOutbox(c):
		c.Response().WriteHeader(a.Status)
		_, err := c.Response().Write(a.Body)
		return err
	case a.isRedirect():
		h.Del(echo.HeaderLocation)
		return c.JSON(http.StatusOK, outboxAnswer{Go: a.Header.Get(echo.HeaderLocation)})
	}
	h.Del(echo.HeaderContentType)
	return c.JSON(a.Status, outboxAnswer{Again: !a.OnlySaid, Message: a.Message})
}

// sealed writes an answer so that nobody can read it without the key of its try: it may sign somebody in.
func (a tryAnswer) sealed(seal cipher.AEAD) (string, error) {
	var text bytes.Buffer
	w := gzip.NewWriter(&text)
	if err := errors.Join(json.NewEncoder(w).Encode(a), w.Close()); err != nil {
		return "", err
	}
	return base64.StdEncoding.EncodeToString(seal.Seal(nil, nil, text.Bytes(), nil)), nil
}

func unsealed(seal cipher.AEAD, kept string) (a tryAnswer, err error) {
	raw, err := base64.StdEncoding.DecodeString(kept)
	if err != nil {
		return a, err
	}
	text, err := seal.Open(nil, nil, raw, nil)
	if err != nil {
		return a, err
	}
	r, err := gzip.NewReader(bytes.NewReader(text))
	if err != nil {
		return a, err
	}
	return a, json.NewDecoder(r).Decode(&a)
}

// takenAnswer buffers an answer.
type takenAnswer struct {
	http.ResponseWriter
	status int
	body   bytes.Buffer
}

func (t *takenAnswer) WriteHeader(status int) { t.status = status }

func (t *takenAnswer) Write(b []byte) (int, error) { return t.body.Write(b) }

func (t *takenAnswer) answer(now, before http.Header) tryAnswer {
	a := tryAnswer{Status: t.status, Header: http.Header{}, Body: t.body.Bytes()}
	for name, values := range now {
		if name == echo.HeaderSetCookie {
			values = values[len(before[name]):]
		}
		if len(values) > 0 && (name == echo.HeaderSetCookie || !slices.Equal(values, before[name])) {
			a.Header[name] = slices.Clone(values)
		}
	}
	return a
}

// keptAnswers are refusals that outbox.js has been told of, for the moment until the browser asks for their pages. They
// have changed nothing, so what is lost here is only done again.
type keptAnswers struct {
	mu    sync.Mutex
	kept  map[string]keptAnswer
	bytes int
}

type keptAnswer struct {
	tryAnswer
	content string
	at      time.Time
}

const (
	keptFor  = time.Minute
	mostKept = 8 << 20 // bytes
)

func (k *keptAnswers) keep(t *store.Try, a tryAnswer, now time.Time) {
	k.mu.Lock()
	defer k.mu.Unlock()
	for key, old := range k.kept {
		if now.Sub(old.at) > keptFor {
			k.drop(key)
		}
	}
	if k.kept == nil || k.bytes+len(a.Body) > mostKept {
		k.kept, k.bytes = map[string]keptAnswer{}, 0
	}
	k.drop(t.Key)
	k.kept[t.Key] = keptAnswer{a, t.Content, now}
	k.bytes += len(a.Body)
}

func (k *keptAnswers) drop(key string) {
	k.bytes -= len(k.kept[key].Body)
	delete(k.kept, key)
}

// take returns a refusal, for the last time unless it is to be told of only.
func (k *keptAnswers) take(t *store.Try, isTold bool) (tryAnswer, bool) {
	k.mu.Lock()
	defer k.mu.Unlock()
	kept, found := k.kept[t.Key]
	if !found || kept.content != t.Content {
		return tryAnswer{}, false
	}
	if !isTold {
		k.drop(t.Key)
	}
	return kept.tryAnswer, true
}
