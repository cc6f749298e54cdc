// Package desk draws what the staff of a tournament work with: forms, the desk and its steps, rounds in the making, dry runs and the log.
package desk
