// Package screening says how unusual somebody's choices on the board are among people of their
// strength. It knows no rules and no engine: a choice is what each possible action would have given
// away of the expected score, and which one was taken.
//
// What it returns is never a verdict. A small p says that few honest people of that strength choose so; why,
// it cannot say. It has no word on bids (few and searchable), on a hint or two in a match, on an assistant that
// plays like a person, nor on anybody with fewer than [LeastMoves] choices.
//
// # Method
//
// People are described by a strength s, in expected score, and a shape c that all share: they take an action that
// gives away d with a chance that falls as exp(-(d/s)^c), and now and then any action ([People]). Engines take what
// gives away least ([Engine]). Of somebody's choices two figures are made ([Figures]). Mixture asks whether an engine
// some of the time and a person of their strength otherwise explains them better than any one strength does. Steady
// asks whether they give away less than people who find the best move as often as they do. Both are compared with
// the same figures of people who are beyond doubt ([Calibration]), never with a normal distribution: their tails are
// not normal. Several people, or events, are judged together by the rules of Benjamini and Hochberg ([Adjust]).
package screening
