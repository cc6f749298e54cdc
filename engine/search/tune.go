package search

import (
	"bytes"
	"encoding/json"
	"math"
	"reflect"

	"chpok.org/chpok/engine/board"
)

// Lesson is a calm position, and the share of the point its side to move can expect.
type Lesson struct {
	Root  Root
	Share float64
}

// IsCalm reports whether a position can be judged without looking ahead: no last king is
// attacked, and its best action takes nothing.
func IsCalm(r Root, best board.Action) bool {
	p := &r.Position
	_, taken := p.Look(best)
	return best.Kind() == board.Move && taken.IsEmpty() && best.Promotion() == board.NoKind &&
		!isExposed(p, board.White) && !isExposed(p, board.Black)
}

// Tuner learns the evaluation's weights from lessons: a calm position should promise what
// came of it. It starts with the weights in force, and stays near them where the lessons
// say little.
type Tuner struct {
	s       *searcher
	lessons []Lesson
	numbers []*int // the weights
	ground  []int  // where they started
}

// Constants of the fit.
const (
	probe  = 8    // how far a weight is moved to see its effect
	loyal  = 1000 // how many positions a weight's former value counts for
	scaled = perLogit * 4
)

// NewTuner starts with the weights in force.
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

// scores evaluates all lessons with the current weights.
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

// Miss returns the mean square error of the evaluation on the lessons.
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

// Step moves all weights to where the error on the lessons would be least if each weight's
// effect were linear (the Gauss–Newton method).
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
		// Its former value pulls on a weight like so many even positions.
		pull := loyal / float64(scaled*scaled)
		square[j][j] = pull
		side[j] = pull * float64(t.ground[j]-*t.numbers[j])
	}
	matter := make([]int, 0, count) // the weights that affect a lesson: most do not
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

// solve returns x such that square·x = side, for a symmetric positive definite matrix given
// by its lower half (Cholesky). It overwrites both.
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

// Weights returns the weights as JSON, in the form of weights.json.
func (t *Tuner) Weights() ([]byte, error) {
	text, err := json.Marshal(t.s.knows)
	return bytes.ReplaceAll(text, []byte(`,"`), []byte(",\n\"")), err
}

// Take copies the weights of another tuner.
func (t *Tuner) Take(o *Tuner) {
	for j := range t.numbers {
		*t.numbers[j] = *o.numbers[j]
	}
}
