package ledger

import (
	"encoding/json"
	"reflect"
	"slices"

	"chpok.org/chpok/player"
)

// People returns the accounts that deeds name: who acted, and whoever stands in a part before or after.
func People(deeds []Deed) []player.ID {
	var list []player.ID
	renamed(deeds, func(id player.ID) player.ID {
		list = append(list, id)
		return id
	})
	slices.Sort(list)
	return slices.Compact(list)
}

// Renamed returns deeds with all accounts renamed, in the values before and after alike, so that the log stays
// consistent. Whoever has no new name keeps the old one: somebody of another site, from whom an import came.
func Renamed(deeds []Deed, names map[player.ID]player.ID) []Deed {
	return renamed(deeds, func(id player.ID) player.ID {
		if to, known := names[id]; known {
			return to
		}
		return id
	})
}

func renamed(deeds []Deed, name func(player.ID) player.ID) []Deed {
	part := func(path string, raw json.RawMessage) json.RawMessage {
		x := partAt(path)
		if x == nil || len(raw) == 0 || !holdsAccounts(reflect.TypeOf(x)) || json.Unmarshal(raw, x) != nil {
			return raw // of another site's log; what this site writes can be read
		}
		rename(reflect.ValueOf(x), name)
		return text(x)
	}
	out := slices.Clone(deeds)
	for i, d := range deeds {
		if d.By != "" {
			out[i].By = name(d.By)
		}
		out[i].Changes = slices.Clone(d.Changes)
		for j, c := range d.Changes {
			out[i].Changes[j] = Change{Path: c.Path, Before: part(c.Path, c.Before), After: part(c.Path, c.After)}
		}
	}
	return out
}

var account = reflect.TypeFor[player.ID]()

// holdsAccounts reports whether values of a type can name accounts, which are told from other texts by their type.
func holdsAccounts(t reflect.Type) bool {
	if t == account {
		return true
	}
	switch t.Kind() {
	case reflect.Pointer, reflect.Slice, reflect.Array:
		return holdsAccounts(t.Elem())
	case reflect.Struct:
		for f := range t.Fields() {
			if f.IsExported() && holdsAccounts(f.Type) {
				return true
			}
		}
	}
	return false
}

// rename renames the accounts in what a pointer points to.
func rename(v reflect.Value, name func(player.ID) player.ID) {
	switch {
	case !holdsAccounts(v.Type()):
	case v.Type() == account:
		if id := player.ID(v.String()); id != "" {
			v.SetString(string(name(id)))
		}
	case v.Kind() == reflect.Pointer:
		if !v.IsNil() {
			rename(v.Elem(), name)
		}
	case v.Kind() == reflect.Struct:
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				rename(v.Field(i), name)
			}
		}
	default:
		for i := range v.Len() {
			rename(v.Index(i), name)
		}
	}
}
