// Package learn draws the rules, the questions and the worked example.
package learn
