package web

import (
	"strings"

	"chpok.org/chpok/arbiter"
	fairplayview "chpok.org/chpok/templates/fairplay"
	"chpok.org/chpok/templates/lang"
	"chpok.org/chpok/tournament"
)

// lastRoundView is what the last round had to do with the first places; nil
// before it is over.
func lastRoundView(p lang.Printer, t *tournament.Tournament) (*fairplayview.LastRoundView, error) {
	top, list, err := arbiter.LastRound(t)
	if err != nil || len(top) == 0 {
		return nil, err
	}
	places := func(lines []arbiter.Standing) string {
		out := make([]string, len(lines))
		for i, l := range lines {
			out[i] = itoa(l.Rank) + ".\u00a0" + l.Entry.Name
		}
		return strings.Join(out, ", ")
	}
	view := &fairplayview.LastRoundView{Now: p.T("fairplay.last-round.now", "Places", places(top))}
	for _, r := range list {
		first, _ := t.Entry(r.Pairing.First)
		second, _ := t.Entry(r.Pairing.Second)
		line := fairplayview.LastRoundResult{Match: first.Name + " – " + second.Name}
		line.Result, _ = resultText(p, r.Pairing.Result.Kind)
		if r.Pairing.Match != "" {
			line.URL = matchURL(r.Pairing.Match)
		}
		for _, o := range r.Others {
			text, _ := resultText(p, o.Kind)
			line.Otherwise = append(line.Otherwise, p.T("fairplay.last-round.with", "Result", text, "Places", places(o.Top)))
		}
		view.Results = append(view.Results, line)
	}
	return view, nil
}
