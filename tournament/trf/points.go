package trf

import (
	"strconv"
	"strings"

	"chpok.org/chpok/tournament"
)

// maxValue is the largest value of a round that fits four columns.
const maxValue = 999

// parseScore reads "1", "1.0", ".5" or "0,5" in tenths.
func parseScore(text string) (tournament.Score, bool) {
	whole, tenth, dotted := strings.Cut(strings.ReplaceAll(text, ",", "."), ".")
	if whole == "" && dotted && tenth != "" {
		whole = "0"
	}
	w, ok := digits(whole, 4)
	if !ok {
		return 0, false
	}
	t := 0
	if tenth != "" {
		if t, ok = digits(tenth, 1); !ok {
			return 0, false
		}
	}
	return tournament.Score(10*w + t), true
}

// digits parses an unsigned number of at most that many digits.
func digits(text string, most int) (int, bool) {
	n, err := strconv.ParseUint(text, 10, 16)
	return int(n), err == nil && len(text) <= most
}

func formatScore(s tournament.Score) string {
	return strconv.Itoa(int(s)/10) + "." + strconv.Itoa(int(s)%10)
}

// worth reads a value of a point system and records that its key was given.
func (r *reader) worth(key, text string, into ...*tournament.Score) {
	s, ok := parseScore(strings.TrimSpace(text))
	if !ok || s > maxValue {
		r.problem("points %q of %s are not a score below 100", strings.TrimSpace(text), key)
		return
	}
	r.pointed[key] = true
	for _, p := range into {
		*p = s
	}
}

// points162 reads a 162 record: a letter in column 6, its value in 7–10, and so on every
// 9 columns.
func (r *reader) points162(body string) {
	ps := &r.report.Points
	for at := 6; at-4 < len(body); at += 9 {
		letter, value := column(body, at, at), column(body, at+1, at+4)
		switch strings.ToUpper(letter) {
		case "W":
			r.worth("W", value, &ps.Win)
		case "D":
			r.worth("D", value, &ps.Draw)
		case "L":
			r.worth("L", value, &ps.Loss)
		case "P":
			r.worth("P", value, &ps.PairBye)
		case "A", "Z":
			r.worth("A", value, &ps.ZeroBye, &ps.ForfeitLoss)
		case "X", "":
			if value != "" {
				if s, ok := parseScore(value); !ok || s != 0 {
					r.problem("points %q of an open result", value)
				}
			}
		default:
			r.problem("points of %q, which is none of W D L P A X", letter)
		}
	}
}

// pointsBB reads a record of bbpPairings: one value in columns 5–8.
func (r *reader) pointsBB(code, body string) {
	ps := &r.report.Points
	into := map[string]*tournament.Score{
		"BBW": &ps.Win, "BBD": &ps.Draw, "BBL": &ps.Loss,
		"BBZ": &ps.ZeroBye, "BBF": &ps.ForfeitLoss, "BBU": &ps.PairBye,
	}[code]
	r.worth(code, body, into)
	if code == "BBU" {
		r.pointed["P"] = r.pointed["BBU"]
	}
}

// pointsXXS reads a record of JaVaFo: CODE=value, of which the last wins. Values by color
// are refused unless they are equal for both colors.
func (r *reader) pointsXXS(body string) {
	ps := &r.report.Points
	for _, word := range strings.Fields(body) {
		key, value, found := strings.Cut(word, "=")
		if !found {
			r.problem("%q is not CODE=value", word)
			continue
		}
		switch strings.ToUpper(key) {
		case "W":
			r.worth("W", value, &ps.Win, &ps.ForfeitWin, &ps.FullBye)
			r.pointed["FW"], r.pointed["FPB"], r.pointed["XXS"] = true, true, true
		case "D":
			r.worth("D", value, &ps.Draw, &ps.HalfBye)
			r.pointed["HPB"] = true
		case "WW", "BW":
			r.byColor(strings.ToUpper(key), value, &ps.Win)
			r.pointed["XXS"] = true
		case "WD", "BD":
			r.byColor(strings.ToUpper(key), value, &ps.Draw)
		case "WL", "BL":
			r.byColor(strings.ToUpper(key), value, &ps.Loss)
		case "ZPB":
			r.worth("ZPB", value, &ps.ZeroBye)
		case "HPB":
			r.worth("HPB", value, &ps.HalfBye)
		case "FPB":
			r.worth("FPB", value, &ps.FullBye)
		case "PAB":
			r.worth("P", value, &ps.PairBye)
		case "FW":
			r.worth("FW", value, &ps.ForfeitWin)
		case "FL":
			r.worth("FL", value, &ps.ForfeitLoss)
		default:
			r.problem("unknown point code %q", key)
		}
	}
}

func (r *reader) byColor(key, value string, into *tournament.Score) {
	other := map[byte]string{'W': "B", 'B': "W"}[key[0]] + key[1:]
	before := *into
	r.worth(key, value, into)
	if r.pointed[other] && *into != before {
		r.problem("%s and %s differ: points by color are not supported", key, other)
	}
}

// defaultPoints sets what the point records left out: byes and forfeits worth a win
// default to the win, half-point byes to the draw. JaVaFo's bye stays 1.
func (r *reader) defaultPoints() {
	ps := &r.report.Points
	if !r.pointed["FW"] {
		ps.ForfeitWin = ps.Win
	}
	if !r.pointed["FPB"] {
		ps.FullBye = ps.Win
	}
	if !r.pointed["HPB"] {
		ps.HalfBye = ps.Draw
	}
	if !r.pointed["P"] && !r.pointed["XXS"] {
		ps.PairBye = ps.Win
	}
}
