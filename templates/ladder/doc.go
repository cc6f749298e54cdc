// Package ladder draws ladders and their challenges. It works out no place and no date.
package ladder
