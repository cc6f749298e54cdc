package league

import (
	"cmp"
	"slices"
	"time"
)

// How a place is offered to alternates.
const (
	// OfferFor is how long an offer stands before the next alternate is asked as well.
	OfferFor = 8 * time.Hour
	// AllWithin is how long before its round a place is offered to everybody who is left at once.
	AllWithin = 12 * time.Hour
	// SilentAfter is how long an alternate may be silent, from the first offer that they did not answer, before they
	// go to the end of the list.
	SilentAfter = 24 * time.Hour
	// SearchFrom is how long before its round a place is offered for the first time.
	SearchFrom = 48 * time.Hour
)

// Alternate is somebody who waits for a place.
type Alternate struct {
	Member Member    `json:"member"`
	Rating int       `json:"rating,omitempty"`
	Since  time.Time `json:"since"` // their priority
	// Away is that they have crossed out all days of a round of the season: they are asked after all others.
	Away bool `json:"away,omitempty"`
	// Asked is when the first offer came that they have not answered; further offers do not move it.
	Asked time.Time `json:"asked,omitzero"`
}

// Answer is what an alternate said to an offer.
type Answer string

const (
	Unanswered Answer = ""
	Accepted   Answer = "accepted"
	Declined   Answer = "declined"
	Lapsed     Answer = "lapsed" // the place is taken or gone
)

// Offer asks one alternate.
type Offer struct {
	Member Member    `json:"member"`
	At     time.Time `json:"at"`
	Answer Answer    `json:"answer,omitempty"`
}

// Vacancy is a place in a division that somebody has left.
type Vacancy struct {
	Number   int       `json:"number"`   // from 1
	Division int       `json:"division"` // from 1
	Out      Member    `json:"out"`      // whose place it is
	Starts   time.Time `json:"starts"`   // the round for which it is to be taken
	// Low and High bound the ratings of those who are asked; both 0: everybody.
	Low    int     `json:"low,omitempty"`
	High   int     `json:"high,omitempty"`
	Offers []Offer `json:"offers,omitempty"`
	Taken  Member  `json:"taken,omitempty"`
	Closed bool    `json:"closed,omitempty"`
}

// IsOpen reports whether somebody is still looked for.
func (v Vacancy) IsOpen() bool { return v.Taken == "" && !v.Closed }

func (v Vacancy) fits(a Alternate) bool {
	return (v.Low == 0 || a.Rating >= v.Low) && (v.High == 0 || a.Rating <= v.High) &&
		!slices.ContainsFunc(v.Offers, func(o Offer) bool { return o.Member == a.Member })
}

// Bench is the alternates of a season and the places offered to them.
type Bench struct {
	Alternates []Alternate `json:"alternates,omitempty"`
	Vacancies  []Vacancy   `json:"vacancies,omitempty"`
}

// clone returns an independent copy.
func (b Bench) clone() Bench {
	b.Alternates, b.Vacancies = slices.Clone(b.Alternates), slices.Clone(b.Vacancies)
	for i := range b.Vacancies {
		b.Vacancies[i].Offers = slices.Clone(b.Vacancies[i].Offers)
	}
	return b
}

// queue returns the alternates by priority; first those who can play in each round.
func (b *Bench) queue() []Alternate {
	list := slices.Clone(b.Alternates)
	away := func(a Alternate) int {
		if a.Away {
			return 1
		}
		return 0
	}
	slices.SortStableFunc(list, func(x, y Alternate) int {
		return cmp.Or(away(x)-away(y), x.Since.Compare(y.Since), cmp.Compare(x.Member, y.Member))
	})
	return list
}

// Settle makes the offers that are due by now and moves the silent to the end of the list. It returns whom it asks,
// by vacancy. A vacancy whose round has begun is closed.
func (b *Bench) Settle(now time.Time) map[int][]Member {
	for i := range b.Alternates {
		if a := &b.Alternates[i]; !a.Asked.IsZero() && !now.Before(a.Asked.Add(SilentAfter)) {
			a.Since, a.Asked = a.Asked.Add(SilentAfter), time.Time{}
		}
	}
	asked := map[int][]Member{}
	for i := range b.Vacancies {
		v := &b.Vacancies[i]
		if v.IsOpen() && !now.Before(v.Starts) {
			b.close(v)
		}
		for v.IsOpen() {
			at, due := b.next(*v)
			if !due || at.After(now) {
				break
			}
			for _, a := range b.queue() {
				if v.fits(a) {
					v.Offers = append(v.Offers, Offer{Member: a.Member, At: now})
					b.ask(a.Member, now)
					asked[v.Number] = append(asked[v.Number], a.Member)
					break
				}
			}
		}
	}
	return asked
}

// next returns when the next alternate is asked about a vacancy; false: nobody is left.
func (b *Bench) next(v Vacancy) (time.Time, bool) {
	if !v.IsOpen() || !slices.ContainsFunc(b.Alternates, v.fits) {
		return time.Time{}, false
	}
	at, all := v.Starts.Add(-SearchFrom), v.Starts.Add(-AllWithin)
	if n := len(v.Offers); n > 0 && v.Offers[n-1].Answer == Unanswered {
		at = v.Offers[n-1].At.Add(OfferFor)
	}
	if at.After(all) {
		at = all
	}
	return at, true
}

// Due returns when Settle next does something; zero: never.
func (b *Bench) Due() (due time.Time) {
	earlier := func(at time.Time) {
		if due.IsZero() || at.Before(due) {
			due = at
		}
	}
	for _, v := range b.Vacancies {
		if v.IsOpen() {
			earlier(v.Starts)
		}
		if at, ok := b.next(v); ok {
			earlier(at)
		}
	}
	for _, a := range b.Alternates {
		if !a.Asked.IsZero() {
			earlier(a.Asked.Add(SilentAfter))
		}
	}
	return due
}

// AloneUntil returns until when a place is offered to somebody and to nobody who comes after them; zero: it is offered to all.
func (v Vacancy) AloneUntil(who Member) time.Time {
	i := slices.IndexFunc(v.Offers, func(o Offer) bool { return o.Member == who })
	all := v.Starts.Add(-AllWithin)
	if i < 0 || !v.Offers[i].At.Before(all) {
		return time.Time{}
	}
	if until := v.Offers[i].At.Add(OfferFor); until.Before(all) {
		return until
	}
	return all
}

// Asked returns who has been asked about a place and has not answered.
func (v Vacancy) Asked() (list []Member) {
	for _, o := range v.Offers {
		if o.Answer == Unanswered {
			list = append(list, o.Member)
		}
	}
	return list
}

// IsStuck reports whether an open place waits for nobody: all have declined, or there is no alternate.
func (b *Bench) IsStuck(v Vacancy) bool {
	return v.IsOpen() && len(v.Asked()) == 0 && !slices.ContainsFunc(b.Alternates, v.fits)
}

// News is what a change of the free places means to somebody.
type News struct {
	To      Member // empty: to the organizer
	What    NewsKind
	Vacancy int // 0: none in particular
}

// NewsKind is what News tells.
type NewsKind string

const (
	NewsOffered NewsKind = "offered" // a place, to them
	NewsGone    NewsKind = "gone"    // what was offered to them has gone to somebody else
	NewsNone    NewsKind = "none"    // the season has started without them
	NewsTaken   NewsKind = "taken"   // a free place, as the organizer hears
	NewsNobody  NewsKind = "nobody"  // is left to ask, as the organizer hears
)

// NewsOf returns what has changed in the free places of a season, so that nobody waits in silence.
func NewsOf(was, is *Season) (list []News) {
	if was.Number != is.Number {
		return nil
	}
	for i, v := range is.Bench.Vacancies {
		old, isNew := Vacancy{}, i >= len(was.Bench.Vacancies)
		if !isNew {
			old = was.Bench.Vacancies[i]
		}
		for k, o := range v.Offers {
			switch {
			case k >= len(old.Offers) && o.Answer == Unanswered:
				list = append(list, News{o.Member, NewsOffered, v.Number})
			case k < len(old.Offers) && old.Offers[k].Answer == Unanswered && o.Answer == Lapsed && v.Taken != "" && is.Bench.index(o.Member) >= 0:
				list = append(list, News{o.Member, NewsGone, v.Number})
			}
		}
		switch {
		case v.Taken != "" && old.Taken == "":
			list = append(list, News{What: NewsTaken, Vacancy: v.Number})
		case is.Bench.IsStuck(v) && (isNew || !was.Bench.IsStuck(old)):
			list = append(list, News{What: NewsNobody, Vacancy: v.Number})
		}
	}
	if was.State == Placed && is.State == Running {
		for _, a := range was.Bench.Alternates {
			list = append(list, News{To: a.Member, What: NewsNone})
		}
	}
	return list
}

func (b *Bench) ask(who Member, now time.Time) {
	if i := b.index(who); i >= 0 && b.Alternates[i].Asked.IsZero() {
		b.Alternates[i].Asked = now
	}
}

func (b *Bench) index(who Member) int {
	return slices.IndexFunc(b.Alternates, func(a Alternate) bool { return a.Member == who })
}

// offer returns the offer of an open vacancy to a member that waits for an answer.
func (b *Bench) offer(number int, who Member) (*Vacancy, *Offer, error) {
	i := slices.IndexFunc(b.Vacancies, func(v Vacancy) bool { return v.Number == number })
	if i < 0 || !b.Vacancies[i].IsOpen() {
		return nil, nil, ErrNoOffer
	}
	v := &b.Vacancies[i]
	k := slices.IndexFunc(v.Offers, func(o Offer) bool { return o.Member == who && o.Answer == Unanswered })
	if k < 0 {
		return nil, nil, ErrNoOffer
	}
	return v, &v.Offers[k], nil
}

// Answer accepts or declines an offer. Any answer stops the clock of silence. Whoever accepts is no alternate any
// more: other offers to them lapse.
func (b *Bench) Answer(number int, who Member, accept bool) error {
	v, o, err := b.offer(number, who)
	if err != nil {
		return err
	}
	i := b.index(who)
	if !accept {
		o.Answer = Declined
		if i >= 0 {
			b.Alternates[i].Asked = time.Time{}
		}
		return nil
	}
	o.Answer, v.Taken = Accepted, who
	b.close(v)
	if i >= 0 {
		b.Alternates = slices.Delete(b.Alternates, i, i+1)
	}
	for k := range b.Vacancies {
		b.lapse(&b.Vacancies[k], who)
	}
	return nil
}

// close ends a search. The clock of those who have not answered goes on: only an answer, or Stay, stops it.
func (b *Bench) close(v *Vacancy) {
	v.Closed = true
	for i := range v.Offers {
		if o := &v.Offers[i]; o.Answer == Unanswered {
			o.Answer = Lapsed
		}
	}
}

// Stay says that an alternate is still there, which stops the clock of their silence.
func (b *Bench) Stay(who Member) error {
	i := b.index(who)
	if i < 0 {
		return ErrNotIn
	}
	b.Alternates[i].Asked = time.Time{}
	return nil
}

// lapse withdraws what is offered to somebody about a vacancy.
func (b *Bench) lapse(v *Vacancy, who Member) {
	for i := range v.Offers {
		if o := &v.Offers[i]; o.Member == who && o.Answer == Unanswered {
			o.Answer = Lapsed
		}
	}
}
