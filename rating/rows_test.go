package rating_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"chpok.org/chpok/rating"
)

func TestAListIsReadAndEveryBadLineNamed(t *testing.T) {
	t.Parallel()
	text := "\ufeffRank;Handle;Rating;Games;Deviation\r\n1;anna;1712,5;3;\r\n1;bob;1650.5;40;80\n\n2;;1500;;\n3;cyn;none;2;\n4;BOB;1400;1;\n5;dan;1500\n"
	rows, problems, err := rating.ReadRows(strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	want := []rating.Row{{Line: 2, Handle: "anna", Rating: 1713, Games: 3}, {Line: 3, Handle: "bob", Rating: 1651, Games: 40, Deviation: 80}, {Line: 8, Handle: "dan", Rating: 1500}}
	if diff := cmp.Diff(want, rows); diff != "" {
		t.Error(diff)
	}
	faults := []rating.RowProblem{{5, "handle", ""}, {6, "rating", "none"}, {7, "handle", "BOB"}}
	if diff := cmp.Diff(faults, problems); diff != "" {
		t.Error(diff)
	}
	for _, text := range []string{"", "name,points\na,1\n", "handle\nanna\n"} {
		if _, _, err := rating.ReadRows(strings.NewReader(text)); !errors.Is(err, rating.ErrNoHeader) {
			t.Errorf("%q: %v", text, err)
		}
	}
	if _, _, err := rating.ReadRows(strings.NewReader("handle,rating\n" + strings.Repeat("a,1\n", rating.MaxRows+1))); !errors.Is(err, rating.ErrTooMany) {
		t.Errorf("too long a list: %v", err)
	}
}

// Excel says the separator in a line of its own, and writes empty rows down to where somebody once clicked.
func TestAListFromExcelIsReadWithoutWhatItAdds(t *testing.T) {
	t.Parallel()
	rows, problems, err := rating.ReadRows(strings.NewReader("sep=;\r\nhandle;rating\r\nana;1500\r\n;\r\nbob;much\r\n;;\r\n"))
	if err != nil || len(rows) != 1 || rows[0].Handle != "ana" || rows[0].Line != 3 {
		t.Errorf("%+v, %v", rows, err)
	}
	if len(problems) != 1 || problems[0].Line != 5 || problems[0].Column != "rating" {
		t.Errorf("%+v, want only the rating of line 5", problems)
	}
}

func FuzzReadRowsNeverPanics(f *testing.F) {
	f.Add("handle,rating\nanna,1500\n")
	f.Add("handle;rating;games\n\"an\"na;1e3;\n")
	f.Fuzz(func(t *testing.T, text string) {
		rows, _, err := rating.ReadRows(strings.NewReader(text))
		seen := map[string]bool{}
		for _, r := range rows {
			if err != nil || r.Handle == "" || r.Rating < 1 || r.Games < 0 || seen[strings.ToLower(r.Handle)] {
				t.Fatalf("%q gave %+v, %v", text, r, err)
			}
			seen[strings.ToLower(r.Handle)] = true
		}
	})
}
