// Package learn draws the rules, the questions and the worked example. It judges no answer.
package learn
