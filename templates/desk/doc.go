// Package desk draws what the staff of a tournament work with: forms, the desk and its steps,
// rounds in the making, dry runs and the log. It refuses to know duties: an act that the viewer may
// not do is not handed to it.
package desk
