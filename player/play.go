package player

import (
	"net/url"
	"slices"
	"strconv"

	"chpok.org/chpok/refusal"
)

// Comfort is a board preference. The table below is the only place that lists them:
// storage, the controls on the match page and in the settings, and the attributes that
// styles and scripts use all follow it.
type Comfort struct {
	Name   string
	Usual  string
	Values []string // in the order of the controls
	Slides bool     // the values are steps of a scale
}

// IsSwitch reports whether the comfort is on or off.
func (c Comfort) IsSwitch() bool { return slices.Equal(c.Values, offOn) }

var offOn = []string{"off", "on"}

// steps are the numbers of a range as values.
func steps(from, to, by int) (out []string) {
	for n := from; n <= to; n += by {
		out = append(out, strconv.Itoa(n))
	}
	return out
}

// Comforts are all comforts.
var Comforts = []Comfort{
	{Name: "board", Usual: "sage", Values: []string{"sage", "walnut", "slate", "print"}},
	{Name: "pieces", Usual: "carved", Values: []string{"carved", "plain", "letters"}},
	{Name: "zoom", Usual: "100", Values: steps(60, 100, 5), Slides: true},
	{Name: "coords", Usual: "on", Values: offOn},
	{Name: "ranks", Usual: "off", Values: offOn},
	{Name: "premove", Usual: "on", Values: offOn},
	{Name: "confirm", Usual: "off", Values: offOn},
	{Name: "sound", Usual: "on", Values: offOn},
	{Name: "volume", Usual: "60", Values: steps(0, 100, 5), Slides: true},
	{Name: "haptics", Usual: "on", Values: offOn},
	{Name: "keys", Usual: "on", Values: offOn}, // single-key shortcuts
	// Whether a page goes to a match that opens by itself: usually only in tournaments,
	// whose players are present.
	{Name: "go", Usual: "tournaments", Values: []string{"never", "tournaments", "always"}},
}

// ErrComfort refuses an unknown comfort or value.
var ErrComfort = refusal.Invalid("account.error.comfort", "settings: no such setting of play")

// Play is an account's comforts as stored: those that differ from the usual value, as
// "board=walnut&zoom=80".
type Play string

// ParsePlay reads what was stored, here or by a browser; unknown comforts are ignored.
func ParsePlay(text string) Play {
	given, _ := url.ParseQuery(text) // what can be read counts
	return play(func(c Comfort) string { return given.Get(c.Name) })
}

// Of is the value of a comfort.
func (p Play) Of(name string) string {
	given, _ := url.ParseQuery(string(p)) // written by play
	if v := given.Get(name); v != "" {
		return v
	}
	for _, c := range Comforts {
		if c.Name == name {
			return c.Usual
		}
	}
	return ""
}

// With is Play with another value of one comfort.
func (p Play) With(name, value string) (Play, error) {
	i := slices.IndexFunc(Comforts, func(c Comfort) bool { return c.Name == name })
	if i < 0 || !slices.Contains(Comforts[i].Values, value) {
		return p, ErrComfort
	}
	return play(func(c Comfort) string {
		if c.Name == name {
			return value
		}
		return p.Of(c.Name)
	}), nil
}

func play(of func(Comfort) string) Play {
	kept := url.Values{}
	for _, c := range Comforts {
		if v := of(c); v != c.Usual && slices.Contains(c.Values, v) {
			kept.Set(c.Name, v)
		}
	}
	return Play(kept.Encode())
}
