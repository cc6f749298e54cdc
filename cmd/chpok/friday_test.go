package main

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"testing"

	"chpok.org/chpok/store/storetest"
)

// session is a shell in which somebody enters one block of a guide after the other.
type session struct {
	t   *testing.T
	in  io.Writer
	out *bufio.Reader
}

func (s shell) open() *session {
	s.t.Helper()
	cmd := s.command(s.t.Context(), "exec sh 2>&1")
	in, err := cmd.StdinPipe()
	if err != nil {
		s.t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		s.t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		s.t.Fatal(err)
	}
	s.t.Cleanup(func() {
		in.Close()
		_ = cmd.Wait()
	})
	return &session{s.t, in, bufio.NewReader(out)}
}

// enter runs a block and returns what it prints.
func (s *session) enter(block string) string {
	s.t.Helper()
	if _, err := io.WriteString(s.in, block+"\necho \"= $?\"\n"); err != nil {
		s.t.Fatal(err)
	}
	printed := ""
	for {
		line, err := s.out.ReadString('\n')
		if err != nil {
			s.t.Fatalf("%s\n%s%v", block, printed, err)
		}
		if code, is := strings.CutPrefix(line, "= "); is {
			if code != "0\n" {
				s.t.Fatalf("%s\n%sends with %s", block, printed, code)
			}
			return printed
		}
		printed += line
	}
}

// says enters a block and looks for texts in what it prints.
func (s *session) says(block string, texts ...string) string {
	s.t.Helper()
	printed := s.enter(block)
	for _, text := range texts {
		if !strings.Contains(printed, text) {
			s.t.Fatalf("%s\nprints no %q:\n%s", block, text, printed)
		}
	}
	return printed
}

// TestTheGuideToAFridaySeriesWorksAsItStands: a club's evening of three rounds is held by the blocks of docs/friday.md.
func TestTheGuideToAFridaySeriesWorksAsItStands(t *testing.T) {
	t.Parallel()
	for _, needed := range []string{"curl", "jq"} {
		if _, err := exec.LookPath(needed); err != nil {
			storetest.Missing(t, needed)
		}
	}
	text, err := os.ReadFile("../../docs/friday.md")
	if err != nil {
		t.Fatal(err)
	}
	var blocks []string
	for _, m := range regexp.MustCompile("(?s)```sh\n(.*?)```").FindAllStringSubmatch(string(text), -1) {
		blocks = append(blocks, m[1])
	}
	if len(blocks) != 11 {
		t.Fatalf("%d blocks", len(blocks))
	}
	dsn := storetest.SQLiteDSN(t)
	node := startNode(t, dsn)
	olena, anna := newPlayer(t, dsn, "olena", "organizer"), newPlayer(t, dsn, "anna", "player")
	olena.base, anna.base = node.base, node.base
	var club struct{ ID string }
	olena.must("POST", "/clubs", map[string]any{"name": "Chess school Lviv"}, &club)

	s := shell{t, []string{"SITE=" + node.base, "TOKEN=" + olena.token, "CLUB=" + club.ID}, "../.."}.open()
	s.says(blocks[0], "Chess school Lviv", "owner")
	s.says(blocks[1], node.base+"/tournaments/")
	s.says(blocks[2], "announced", "planned")
	s.enter(blocks[3])
	event := strings.TrimSpace(s.enter("echo $EVENT"))
	anna.must("POST", "/tournaments/"+event+"/entries", nil, nil)
	s.says(blocks[4], "Daria Tkach", "Maksym Bondar", "Oksana Lys", "anna", "active")
	s.says(blocks[5], "running")
	next, result, results, table := blocks[6], blocks[7], blocks[8], blocks[9]
	for round := range 3 {
		s.says(next, "1. ", "2. ", " – ")
		s.says(next, "The round isn’t over yet")
		if round == 0 {
			s.says(result, "1-0")
		} else {
			s.says(strings.Replace(result, `"round": 1`, fmt.Sprintf(`"round": %d`, round+1), 1), "1-0")
		}
		s.says(results, " 1-0 ", " plays ")
		olena.must("POST", "/tournaments/"+event+"/results", map[string]any{"round": round + 1, "board": 2, "result": "1/2-1/2"}, nil)
		s.says(results, " 1/2-1/2 ")
	}
	s.says(table, "rank,", "Daria Tkach", "anna")
	var held struct{ Status string }
	olena.must("GET", "/tournaments/"+event, nil, &held)
	if held.Status != "finished" {
		t.Errorf("after its last round it is %s", held.Status)
	}
	s.says(blocks[10], "whsec_")
}

// TestAClubsEveningIsHeldByTheExample of docs/friday.md, from a list with a fault in it to the signature, with a bye, somebody who
// comes late, somebody who goes home, and a result put right.
func TestAClubsEveningIsHeldByTheExample(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("python3"); err != nil {
		storetest.Missing(t, "python3")
	}
	dsn := storetest.SQLiteDSN(t)
	node := startNode(t, dsn)
	olena := newPlayer(t, dsn, "olena", "organizer")
	olena.base = node.base
	var club struct{ ID string }
	olena.must("POST", "/clubs", map[string]any{"name": "Chess school Lviv"}, &club)
	orders := "Daria Tkach; 1500\nMaksym Bondar; 1420\nOksana Lys; 1610\nPetro Hai; 1300\nNobody; strong\n\n" +
		"next\n1 1-0\nbye 1\n2 0-1\nlate Zoia Kit; 1200\nnext\n1 1/2-1/2\n2 1-0\ncorrect 1 1 0-1\ncastle\ngone 4\n" +
		"next\nnext\n1 1-0\n2 1-0\ntable\nend\n"
	cmd := exec.CommandContext(t.Context(), "python3", "../../examples/evening.py", node.base, olena.token, club.ID)
	cmd.Stdin = strings.NewReader(orders)
	said, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, said)
	}
	refused := regexp.MustCompile("(?m)^! .*").FindAllString(string(said), -1)
	if got := strings.Join(refused, "\n"); got != "! line 5: A rating is a number from 0 to 4000.\n! I read no order in: castle\n! The round isn’t over yet. Boards without a result: 1, 2." {
		t.Errorf("refused: %s", got)
	}
	for _, text := range []string{"Round 3", "Daria Tkach has a bye", "5,"} {
		if !strings.Contains(string(said), text) {
			t.Errorf("no %q in\n%s", text, said)
		}
	}
	_, event, _ := strings.Cut(strings.SplitN(string(said), "\n", 2)[0], "/tournaments/")
	var held struct {
		Status string
		Rounds []struct {
			Pairings []struct {
				Result string
				Ruled  *struct{ Before string }
			}
		}
	}
	olena.must("GET", "/tournaments/"+event, nil, &held)
	if first := held.Rounds[0].Pairings[0]; held.Status != "finalized" || first.Result != "0-1" || first.Ruled == nil || first.Ruled.Before != "1-0" {
		t.Errorf("held: %+v", held)
	}
}
