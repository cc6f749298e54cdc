//go:build race

package web_test

const raced = true
