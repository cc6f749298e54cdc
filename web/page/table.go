package page

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/labstack/echo/v4"
)

// tableField is the parameter that asks for a list of an answer as CSV.
const tableField = "csv"

// TablesOf returns the lists of an answer that can be had as CSV, by their keys: with a dot, those within the lines of
// another, whose columns stand before theirs.
func TablesOf(t reflect.Type) (names []string) {
	eachKey(t, func(key string, of reflect.Type, _ []int) {
		if line, is := lineOf(of); is {
			names = append(names, key)
			for _, inner := range TablesOf(line) {
				names = append(names, key+"."+inner)
			}
		}
	})
	return names
}

// eachKey shows the keys of an object in the order in which they are written.
func eachKey(t reflect.Type, show func(key string, of reflect.Type, index []int)) {
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if t.Kind() != reflect.Struct || isWhole(t) {
		return
	}
	for _, f := range reflect.VisibleFields(t) {
		text, has := f.Tag.Lookup("json")
		if key, _, _ := strings.Cut(text, ","); has && key != "-" && !f.Anonymous && f.Tag.Get("csv") != "-" {
			show(key, f.Type, f.Index)
		}
	}
}

// lineOf returns the lines of a list of objects.
func lineOf(t reflect.Type) (line reflect.Type, is bool) {
	if t.Kind() != reflect.Slice {
		return nil, false
	}
	line = t.Elem()
	return line, line.Kind() == reflect.Struct && !isWhole(line)
}

// isWhole reports whether a type is described as a whole, so that it is one cell.
func isWhole(t reflect.Type) bool {
	_, isKnown := known[t]
	return isKnown || t.Implements(reflect.TypeFor[Describer]())
}

// Spread is a line that tells the names and texts of some of its cells itself: which there are depends on what the whole
// list is of. All lines of a list have the same names. Fields tagged csv:"-" say the same in JSON alone.
type Spread interface {
	Spread() (names, texts []string)
}

// spread returns the cells that a line tells itself.
func spread(v reflect.Value) (names, texts []string) {
	if v.IsValid() && v.CanInterface() {
		if line, is := v.Interface().(Spread); is {
			return line.Spread()
		}
	}
	return nil, nil
}

// columns are the heads of an object's cells: keys, with dots for those of objects within. Lists of objects have tables of
// their own.
func columns(t reflect.Type, before string) (heads []string) {
	eachKey(t, func(key string, of reflect.Type, _ []int) {
		if inner := columns(of, before+key+"."); len(inner) > 0 {
			heads = append(heads, inner...)
		} else if _, isTable := lineOf(of); !isTable {
			heads = append(heads, before+key)
		}
	})
	return heads
}

// cells are an object's values below its columns.
func cells(v reflect.Value, t reflect.Type) (list []string) {
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
		if v.IsValid() {
			v = v.Elem()
		}
	}
	eachKey(t, func(_ string, of reflect.Type, index []int) {
		var at reflect.Value
		if v.IsValid() {
			at, _ = v.FieldByIndexErr(index) // invalid below an object that is absent
		}
		if len(columns(of, "")) > 0 {
			list = append(list, cells(at, of)...)
		} else if _, isTable := lineOf(of); !isTable {
			list = append(list, cell(at))
		}
	})
	return list
}

// cell writes a value as its JSON says it, texts without quotes, and lists of values with spaces between.
func cell(v reflect.Value) string {
	if !v.IsValid() {
		return ""
	}
	if v.Kind() == reflect.Slice && !isWhole(v.Type()) {
		parts := make([]string, v.Len())
		for i := range parts {
			parts[i] = cell(v.Index(i))
		}
		return strings.Join(parts, " ")
	}
	raw, err := json.Marshal(v.Interface())
	var text string
	switch {
	case err != nil || string(raw) == "null":
		return ""
	case json.Unmarshal(raw, &text) == nil:
		return text
	}
	return string(raw)
}

// tableRows writes one of TablesOf an answer, its heads first.
func tableRows(out reflect.Value, name string) [][]string {
	rows := [][]string{nil}
	var walk func(v reflect.Value, t reflect.Type, path []string, before []string)
	walk = func(v reflect.Value, t reflect.Type, path []string, before []string) {
		if t.Kind() == reflect.Pointer {
			v, t = v.Elem(), t.Elem()
		}
		eachKey(t, func(key string, of reflect.Type, index []int) {
			if key != path[0] {
				return
			}
			line, _ := lineOf(of)
			for i := range v.FieldByIndex(index).Len() {
				at := v.FieldByIndex(index).Index(i)
				row := slices.Concat(before, cells(at, line))
				if names, texts := spread(at); len(path) == 1 {
					if row = append(row, texts...); len(rows) == 1 {
						rows[0] = append(rows[0], names...)
					}
				}
				if len(path) > 1 {
					walk(at, line, path[1:], row)
				} else {
					rows = append(rows, row)
				}
			}
		})
	}
	path := strings.Split(name, ".")
	for t, at := out.Type(), 0; at < len(path); at++ {
		eachKey(t, func(key string, of reflect.Type, _ []int) {
			if line, is := lineOf(of); is && key == path[at] {
				t, rows[0] = line, append(rows[0], columns(line, strings.Join(path[:at+1], ".")+".")...)
			}
		})
	}
	for i, head := range rows[0] {
		rows[0][i] = strings.TrimPrefix(head, name+".") // keys of its own lines stand alone
	}
	walk(out, out.Type(), path, nil)
	return rows
}

// takeTable returns the table that a request asks for; empty: none.
func (o *Operation) takeTable(c echo.Context) (string, error) {
	query := c.QueryParams()
	if !query.Has(tableField) || len(o.Tables) == 0 {
		return "", nil
	}
	name := query.Get(tableField)
	query.Del(tableField)
	if !slices.Contains(o.Tables, name) {
		return "", BadValue(tableField, fmt.Sprintf("%s is one of %s", tableField, strings.Join(o.Tables, ",")))
	}
	return name, nil
}
