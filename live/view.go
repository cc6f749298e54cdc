package live

import (
	"context"
	"time"

	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/store"
)

// Insider reports whether the asker sees a match as it stands: its players, arbiters and
// stewards do. It is asked only where watchers see the match later. nil: a watcher.
type Insider func(context.Context, store.Head) (bool, error)

// View is a match as the asker may see it now.
type View struct {
	State match.State
	// Head is the head of State.
	Head store.Head
	// Delayed says that State may be behind the match: clocks are shown as they were
	// then, and do not run.
	Delayed bool
	// Until is when watchers will see the end of a finished match; else zero.
	Until time.Time
}

// View is a match as the asker may see it: insiders as the log has it now, watchers with
// the delay of its policy. Whatever shows a match goes through here or through Feed.
func (r *Runner) View(ctx context.Context, id match.ID, who Insider) (View, error) {
	now, err := r.load(ctx, id)
	if err != nil {
		return View{}, err
	}
	b, delayed, err := r.cut(ctx, id, now, who)
	if err != nil {
		return View{}, err
	}
	v := View{State: b.state, Head: r.head(id, b, b.state.LastAt()), Delayed: delayed}
	if delayed && now.state.Status() == match.Over {
		v.Until = b.feed.Until(now.state.LastAt())
	}
	return v, nil
}

// cut is a match as the asker may see it now. It is the one place that holds anything
// back.
func (r *Runner) cut(ctx context.Context, id match.ID, b *snapshot, who Insider) (_ *snapshot, delayed bool, err error) {
	if b.feed.IsZero() {
		return b, false, nil
	}
	if who != nil {
		if inside, err := who(ctx, r.head(id, b, b.state.LastAt())); err != nil || inside {
			return b, false, err
		}
	}
	log := make([]match.Recorded, 0, b.state.Seq())
	for _, e := range b.state.History() {
		log = append(log, e.Recorded)
	}
	over := b.state.Status() == match.Over
	upTo := b.feed.Cut(log, over, r.Now())
	if over && upTo == b.state.Seq() {
		return b, false, nil
	}
	shown, known := r.shown.get(id)
	if !known || shown.state.Seq() > upTo { // the machine's clock was set back
		shown = &snapshot{players: b.players, bots: b.bots, house: b.house, level: b.level, feed: b.feed}
	}
	if from := shown.state.Seq(); from < upTo {
		shown = shown.after(log[from:upTo])
		r.shown.update(id, func(*snapshot, bool) *snapshot { return shown })
	}
	return shown, true, nil
}
