package search

import (
	"bytes"
	"encoding/json"
	"math"
	"reflect"

	"chpok.org/chpok/engine/board"
)

// Lesson is a calm position of which is known what share of the point the side
// to move can expect.
type Lesson struct {
	Root  Root
	Share float64
}

// IsCalm tells whether a position may be judged without looking ahead: nothing
// ends the game at once, and its best action takes nothing.
func IsCalm(r Root, best board.Action) bool {
	p := &r.Position
	_, taken := p.Look(best)
	return best.Kind() == board.Move && taken.IsEmpty() && best.Promotion() == board.NoKind &&
		!isExposed(p, board.White) && !isExposed(p, board.Black)
}

// Tuner learns weights of the evaluation from lessons: what a calm position
// promises shall be what came of it. The weights in force are where it begins,
// and what little is known of stays near them.
type Tuner struct {
	s       *searcher
	lessons []Lesson
	numbers []*int // of the weights
	ground  []int  // what they were
}

// Of the fit.
const (
	probe  = 8    // by how much a weight is moved to see what it does
	loyal  = 1000 // positions that each weight's former value counts for
	scaled = perLogit * 4
)

// NewTuner begins with the weights in force.
func NewTuner(lessons []Lesson) *Tuner {
	w := *standard()
	t := &Tuner{s: &searcher{knows: &w}, lessons: lessons}
	t.numbers = numbersOf(reflect.ValueOf(&w).Elem(), nil)
	for _, n := range t.numbers {
		t.ground = append(t.ground, *n)
	}
	return t
}

func numbersOf(v reflect.Value, list []*int) []*int {
	switch v.Kind() {
	case reflect.Int:
		return append(list, v.Addr().Interface().(*int))
	case reflect.Array:
		for i := range v.Len() {
			list = numbersOf(v.Index(i), list)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			list = numbersOf(v.Field(i), list)
		}
	}
	return list
}

// scores are the evaluations of all lessons with the weights as they are.
func (t *Tuner) scores(to []int) {
	s := t.s
	s.features = board.Features{}
	for i := range t.lessons {
		root := &t.lessons[i].Root
		if f := root.Position.Features(); f != s.features {
			s.features, s.moveLimit = f, f.MoveLimit
			s.weigh(f)
		}
		n := &s.line[0]
		n.position, n.claims, n.tally = root.Position, root.claims, s.count(&root.Position)
		n.placement = n.position.Key()
		to[i] = s.evaluate(n)
	}
}

// Miss is the mean square of what the evaluation is off the lessons.
func (t *Tuner) Miss() float64 {
	scores := make([]int, len(t.lessons))
	t.scores(scores)
	sum := 0.0
	for i, l := range t.lessons {
		off := Expected(scores[i]) - l.Share
		sum += off * off
	}
	return sum / float64(max(1, len(t.lessons)))
}

// Step moves all weights to where the lessons would be missed least if each did
// by itself what a small change of it does (Gauss and Newton's way).
func (t *Tuner) Step() {
	count := len(t.numbers)
	now, moved := make([]int, len(t.lessons)), make([]int, len(t.lessons))
	t.scores(now)
	rows := make([]float32, len(t.lessons)*count)
	for j, number := range t.numbers {
		*number += probe
		t.scores(moved)
		*number -= probe
		for i := range t.lessons {
			share := Expected(now[i])
			rows[i*count+j] = float32(float64(moved[i]-now[i]) / probe * share * (1 - share) / perLogit)
		}
	}
	square, side := make([][]float64, count), make([]float64, count)
	for j := range square {
		square[j] = make([]float64, count)
		// The former value pulls as so many even positions would.
		pull := loyal / float64(scaled*scaled)
		square[j][j] = pull
		side[j] = pull * float64(t.ground[j]-*t.numbers[j])
	}
	matter := make([]int, 0, count) // of a lesson: most weights do not
	for i, l := range t.lessons {
		row := rows[i*count : (i+1)*count]
		off := l.Share - Expected(now[i])
		matter = matter[:0]
		for j, a := range row {
			if a == 0 {
				continue
			}
			matter = append(matter, j)
			side[j] += float64(a) * off
			for _, k := range matter {
				square[j][k] += float64(a) * float64(row[k])
			}
		}
	}
	for j, by := range solve(square, side) {
		*t.numbers[j] += int(math.Round(by))
	}
}

// solve gives x where the symmetric positive square, its lower half, times x is
// the side (Cholesky). Both are used up.
func solve(square [][]float64, side []float64) []float64 {
	for j := range square {
		for k := range j + 1 {
			sum := square[j][k]
			for i := range k {
				sum -= square[j][i] * square[k][i]
			}
			if j == k {
				square[j][j] = math.Sqrt(sum)
			} else {
				square[j][k] = sum / square[k][k]
			}
		}
	}
	for j := range side {
		for k := range j {
			side[j] -= square[j][k] * side[k]
		}
		side[j] /= square[j][j]
	}
	for j := len(side) - 1; j >= 0; j-- {
		for k := j + 1; k < len(side); k++ {
			side[j] -= square[k][j] * side[k]
		}
		side[j] /= square[j][j]
	}
	return side
}

// Weights is the text of the weights, as weights.json has them.
func (t *Tuner) Weights() ([]byte, error) {
	text, err := json.Marshal(t.s.knows)
	return bytes.ReplaceAll(text, []byte(`,"`), []byte(",\n\"")), err
}

// Take lets a tuner have the weights of another.
func (t *Tuner) Take(o *Tuner) {
	for j := range t.numbers {
		*t.numbers[j] = *o.numbers[j]
	}
}
