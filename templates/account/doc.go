// Package account draws what people see of their own account, and what the operator sees of all.
// Whose they are was decided before: it knows no session and no right.
package account
