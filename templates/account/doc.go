// Package account draws what people see of their own account, and what the operator sees of all.
package account
