// Package bundle is a whole tournament as one file, which another site can
// check, import and go on with: its log, the reports its rounds were paired
// from, and the records of its matches. It refuses to keep anybody's account
// number: people are named handle@site.
package bundle

import (
	"archive/zip"
	"bytes"
	"cmp"
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"time"

	"chpok.org/chpok/fairplay"
	"chpok.org/chpok/player"
	"chpok.org/chpok/tournament"
	"chpok.org/chpok/tournament/ledger"
)

// Format names what this package writes; a reader refuses others.
const Format = "chpok-tournament/1"

// MaxSize is how large a bundle may be unpacked, in bytes.
const MaxSize = 256 << 20

// Errors of reading.
var (
	ErrFormat    = errors.New("bundle: not a bundle of a tournament")
	ErrDamaged   = errors.New("bundle: damaged")
	ErrSignature = errors.New("bundle: the signature does not match the key")
	ErrTooLarge  = errors.New("bundle: too large")
)

// Person is somebody the log names.
type Person struct {
	Handle string `json:"handle"`
	Bot    bool   `json:"bot,omitempty"`
}

// Board is one board of a round, both from 1.
type Board struct{ Round, Board int }

// Bundle is what a file holds.
type Bundle struct {
	Site       string // where it comes from, as an address
	ExportedAt time.Time
	People     map[player.ID]Person
	Deeds      []ledger.Deed
	Inputs     map[int]string    // the report each round was paired from, by round
	Records    map[Board][]byte  // the records of matches (rules 11)
	Extra      map[string][]byte // files for people: standings, report; written, and not read
	// SignedBy is the key of the site that signed it, as it was read (fairplay.KeyText);
	// empty: nobody signed.
	SignedBy string
}

// Boards are those with a record, in their order.
func (b Bundle) Boards() []Board {
	return slices.SortedFunc(maps.Keys(b.Records), func(a, b Board) int {
		return cmp.Or(cmp.Compare(a.Round, b.Round), cmp.Compare(a.Board, b.Board))
	})
}

// Doubtful are the boards whose record is not what was signed.
func (b Bundle) Doubtful() (boards []Board) {
	for _, at := range b.Boards() {
		if _, err := fairplay.CheckRecord(b.Records[at], nil); err != nil && !errors.Is(err, fairplay.ErrNoStatement) {
			boards = append(boards, at)
		}
	}
	return boards
}

// manifest is bundle.json: it names every other file with its hash, so that
// one signature covers all.
type manifest struct {
	Format     string               `json:"format"`
	Site       string               `json:"site"`
	Tournament string               `json:"tournament"`
	ExportedAt time.Time            `json:"exportedAt"`
	Deeds      int                  `json:"deeds"`
	People     map[player.ID]Person `json:"people"`
	Files      map[string]string    `json:"files"` // SHA-256, hexadecimal
}

// signature is signature.json: Ed25519 over the SHA-256 of bundle.json.
type signature struct {
	Key       string `json:"key"`
	Signature string `json:"signature"`
}

// Foreign is how a bundle names somebody: handle@host.
func Foreign(handle, site string) player.ID {
	host := strings.TrimPrefix(strings.TrimPrefix(site, "https://"), "http://")
	return player.ID(handle + "@" + strings.TrimSuffix(host, "/"))
}

// AccountKeys are the keys under which the parts of a tournament name accounts.
var AccountKeys = []string{"player", "by"}

// Renamed are deeds with every account named otherwise, before and after alike,
// so that they still follow from one another.
func Renamed(deeds []ledger.Deed, names map[player.ID]player.ID) []ledger.Deed {
	var keyed, bare []string
	for from, to := range names {
		a, b := quoted(string(from)), quoted(string(to))
		bare = append(bare, a, b)
		for _, key := range AccountKeys {
			keyed = append(keyed, quoted(key)+":"+a, quoted(key)+":"+b)
		}
	}
	inside, whole := strings.NewReplacer(keyed...), strings.NewReplacer(bare...)
	rename := func(path string, raw json.RawMessage) json.RawMessage {
		switch {
		case len(raw) == 0:
			return nil
		case path == "organizer":
			return json.RawMessage(whole.Replace(string(raw)))
		}
		return json.RawMessage(inside.Replace(string(raw)))
	}
	out := slices.Clone(deeds)
	for i := range out {
		if to, known := names[out[i].By]; known {
			out[i].By = to
		}
		out[i].Changes = slices.Clone(out[i].Changes)
		for j, c := range out[i].Changes {
			out[i].Changes[j] = ledger.Change{Path: c.Path, Before: rename(c.Path, c.Before), After: rename(c.Path, c.After)}
		}
	}
	return out
}

func quoted(s string) string {
	raw, _ := json.Marshal(s) // a string is always JSON
	return string(raw)
}

// Tournament is the tournament of a bundle, as it stood at the export.
func (b Bundle) Tournament() (*tournament.Tournament, error) { return ledger.Fold(b.Deeds) }

const (
	manifestName  = "bundle.json"
	signatureName = "signature.json"
	deedsName     = "deeds.jsonl"
)

// Write writes a bundle, signed when there is a key.
func Write(w io.Writer, b Bundle, key ed25519.PrivateKey) error {
	files, err := b.files()
	if err != nil {
		return err
	}
	m := manifest{Format: Format, Site: b.Site, ExportedAt: b.ExportedAt, Deeds: len(b.Deeds), People: b.People, Files: map[string]string{}}
	if t, err := b.Tournament(); err != nil {
		return err
	} else {
		m.Tournament = t.Name
	}
	for name, content := range files {
		m.Files[name] = hashOf(content)
	}
	head, err := json.MarshalIndent(m, "", "  ")
	if err != nil {
		return err
	}
	files[manifestName] = head
	if key != nil {
		sum := sha256.Sum256(head)
		text, err := json.Marshal(signature{
			Key: fairplay.KeyText(key.Public().(ed25519.PublicKey)), Signature: base64.StdEncoding.EncodeToString(ed25519.Sign(key, sum[:])),
		})
		if err != nil {
			return err
		}
		files[signatureName] = text
	}
	return writeZip(w, files, b.ExportedAt)
}

func (b Bundle) files() (map[string][]byte, error) {
	files := map[string][]byte{}
	var lines bytes.Buffer
	enc := json.NewEncoder(&lines)
	enc.SetEscapeHTML(false)
	for _, d := range b.Deeds {
		if err := enc.Encode(d); err != nil {
			return nil, err
		}
	}
	files[deedsName] = lines.Bytes()
	for round, report := range b.Inputs {
		files[fmt.Sprintf("rounds/%d/input.trf", round)] = []byte(report)
	}
	for at, record := range b.Records {
		files[fmt.Sprintf("rounds/%d/board-%d.json", at.Round, at.Board)] = record
	}
	for name, content := range b.Extra {
		files[name] = content
	}
	return files, nil
}

func writeZip(w io.Writer, files map[string][]byte, at time.Time) error {
	names := make([]string, 0, len(files))
	for name := range files {
		names = append(names, name)
	}
	slices.Sort(names)
	z := zip.NewWriter(w)
	for _, name := range names {
		f, err := z.CreateHeader(&zip.FileHeader{Name: name, Method: zip.Deflate, Modified: at})
		if err != nil {
			return err
		}
		if _, err := f.Write(files[name]); err != nil {
			return err
		}
	}
	return z.Close()
}

func hashOf(content []byte) string {
	sum := sha256.Sum256(content)
	return hex.EncodeToString(sum[:])
}

// Read reads a bundle and checks that every file is the one its manifest names,
// that the log follows, and that a signature, if there is one, holds. The manifest
// comes first: what it does not name is not unpacked, and what cannot be that large,
// or that small in the file, is refused before it is. Files for people are checked
// and not kept.
func Read(r io.ReaderAt, size int64) (Bundle, error) {
	z, err := zip.NewReader(r, size)
	if err != nil {
		return Bundle{}, fmt.Errorf("%w: %w", ErrFormat, err)
	}
	packed, err := contentsOf(z)
	if err != nil {
		return Bundle{}, err
	}
	head, err := packed.whole(manifestName)
	if err != nil {
		return Bundle{}, err
	}
	var m manifest
	if err := json.Unmarshal(head, &m); err != nil || m.Format != Format {
		return Bundle{}, ErrFormat
	}
	b := Bundle{
		Site: m.Site, ExportedAt: m.ExportedAt, People: m.People, Inputs: map[int]string{}, Records: map[Board][]byte{},
	}
	if b.SignedBy, err = packed.signedBy(head); err != nil {
		return Bundle{}, err
	}
	for name, want := range m.Files {
		sum := sha256.New()
		if err := packed.open(name, func(file io.Reader) error { return b.take(name, io.TeeReader(file, sum)) }); err != nil {
			return Bundle{}, err
		}
		if hex.EncodeToString(sum.Sum(nil)) != want {
			return Bundle{}, fmt.Errorf("%w: %s", ErrDamaged, name)
		}
	}
	if len(b.Deeds) != m.Deeds {
		return Bundle{}, fmt.Errorf("%w: %d deeds, not %d", ErrDamaged, len(b.Deeds), m.Deeds)
	}
	if t, err := b.Tournament(); err != nil {
		return Bundle{}, err
	} else if err := ledger.CheckSeats(t); err != nil {
		return Bundle{}, fmt.Errorf("%w: %w", ErrDamaged, err)
	} else if !t.IsFollowable() {
		return Bundle{}, fmt.Errorf("%w: its players come from where nobody is", ErrDamaged)
	}
	return b, nil
}

// contents are the files of a bundle by name, none of them unpacked.
type contents map[string]*zip.File

func contentsOf(z *zip.Reader) (contents, error) {
	packed, left := contents{}, uint64(MaxSize)
	for _, f := range z.File {
		if _, twice := packed[f.Name]; twice {
			return nil, fmt.Errorf("%w: %s stands in it twice", ErrDamaged, f.Name)
		}
		packed[f.Name] = f
		if f.UncompressedSize64 > mostOf(f.Name) || f.UncompressedSize64 > left ||
			f.UncompressedSize64 > smallFile && f.UncompressedSize64/mostRatio > f.CompressedSize64 {
			return nil, fmt.Errorf("%w: %s", ErrTooLarge, f.Name)
		}
		left -= f.UncompressedSize64
	}
	return packed, nil
}

// How large a file may be, and how much smaller in the bundle: logs of a thousand
// boards shrink to a fortieth. In memory a part of a log takes up to fifty times its
// text, so their number is bounded as well.
const (
	smallFile = 1 << 20
	mostRatio = 200
	mostParts = 2 << 20
	mostDeeds = 1 << 18
)

// counted lets a log through that has no more parts than it may. Every part ends with
// one of two signs.
type counted struct {
	io.Reader
	left int
}

func (c *counted) Read(p []byte) (n int, err error) {
	n, err = c.Reader.Read(p)
	if c.left -= bytes.Count(p[:n], []byte(",")) + bytes.Count(p[:n], []byte("}")); c.left < 0 {
		return 0, ErrTooLarge
	}
	return n, err
}

// mostOf bounds a file by what it is for.
func mostOf(name string) uint64 {
	switch {
	case name == deedsName:
		return 64 << 20
	case name == manifestName:
		return 8 << 20
	case name == signatureName:
		return 4 << 10
	case strings.HasPrefix(name, "rounds/"):
		return 2 << 20
	}
	return 8 << 20
}

// open reads one file; the directory does not decide how much that is.
func (c contents) open(name string, read func(io.Reader) error) error {
	f, there := c[name]
	if !there {
		return fmt.Errorf("%w: %s", ErrDamaged, name)
	}
	r, err := f.Open()
	if err != nil {
		return fmt.Errorf("%w: %s: %w", ErrDamaged, name, err)
	}
	defer r.Close()
	if err := read(io.LimitReader(r, int64(mostOf(name)))); err != nil {
		return fmt.Errorf("%w: %s: %w", ErrDamaged, name, err)
	}
	return nil
}

func (c contents) whole(name string) (content []byte, err error) {
	if _, there := c[name]; !there {
		return nil, ErrFormat
	}
	err = c.open(name, func(r io.Reader) error {
		content, err = io.ReadAll(r)
		return err
	})
	return content, err
}

// signedBy is the key that signed the manifest; empty: none.
func (c contents) signedBy(head []byte) (key string, err error) {
	if _, signed := c[signatureName]; !signed {
		return "", nil
	}
	raw, err := c.whole(signatureName)
	if err != nil {
		return "", err
	}
	var s signature
	if err := json.Unmarshal(raw, &s); err != nil {
		return "", fmt.Errorf("%w: %s", ErrDamaged, signatureName)
	}
	public, err1 := fairplay.ParseKey(s.Key)
	sig, err2 := base64.StdEncoding.DecodeString(s.Signature)
	sum := sha256.Sum256(head)
	if err1 != nil || err2 != nil || !ed25519.Verify(public, sum[:], sig) {
		return "", ErrSignature
	}
	return s.Key, nil
}

// take reads one file to its end.
func (b *Bundle) take(name string, file io.Reader) error {
	var round, board int
	switch {
	case name == deedsName:
		dec := json.NewDecoder(&counted{file, mostParts})
		for {
			var d ledger.Deed
			if err := dec.Decode(&d); err == io.EOF {
				return nil
			} else if err != nil {
				return err
			}
			if len(b.Deeds) == mostDeeds {
				return ErrTooLarge
			}
			b.Deeds = append(b.Deeds, d)
		}
	case scanned(name, "rounds/%d/input.trf", &round):
		content, err := io.ReadAll(file)
		b.Inputs[round] = string(content)
		return err
	case scanned(name, "rounds/%d/board-%d.json", &round, &board):
		content, err := io.ReadAll(file)
		b.Records[Board{round, board}] = content
		return err
	}
	_, err := io.Copy(io.Discard, file)
	return err
}

// scanned tells whether a name is just what the format would write.
func scanned(name, format string, into ...any) bool {
	if _, err := fmt.Sscanf(name, format, into...); err != nil {
		return false
	}
	values := make([]any, len(into))
	for i, v := range into {
		values[i] = *v.(*int)
	}
	return fmt.Sprintf(format, values...) == name
}
