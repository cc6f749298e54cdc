// Package bundle packs a whole tournament into one file that another site can check,
// import and continue: its log, the reports from which its rounds were paired, and the
// records of its matches. It contains no account ids: people are named handle@site.
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
	"chpok.org/chpok/refusal"
	"chpok.org/chpok/tournament"
	"chpok.org/chpok/tournament/intake"
	"chpok.org/chpok/tournament/ledger"
)

// Format identifies the format that this package reads and writes.
const Format = "chpok-tournament/1"

// MaxSize is the maximum unpacked size of a bundle in bytes.
const MaxSize = 256 << 20

// Errors of reading.
var (
	ErrFormat    = refusal.Invalid("files.error.format", "bundle: not a bundle of a tournament")
	ErrDamaged   = refusal.Invalid("files.error.damaged", "bundle: damaged")
	ErrSignature = refusal.Invalid("files.error.signature", "bundle: the signature does not match the key")
	ErrTooLarge  = refusal.Invalid("files.error.too-large", "bundle: too large")
)

// Person is somebody named in the log.
type Person struct {
	Handle string `json:"handle"`
	Bot    bool   `json:"bot,omitempty"`
}

// Board is one board of a round, both from 1.
type Board struct{ Round, Board int }

// Bundle is the content of a file.
type Bundle struct {
	Site       string // address of the site it comes from
	ExportedAt time.Time
	People     map[player.ID]Person
	Deeds      []ledger.Deed
	Inputs     map[int]string    // reports from which rounds were paired, by round
	Records    map[Board][]byte  // records of matches (rules, section 11)
	Extra      map[string][]byte // files for people, such as standings; ignored by Read
	// SignedBy is the key of the site that signed a bundle that was read
	// (fairplay.KeyText); empty if unsigned.
	SignedBy string
}

// Boards returns the boards with records, in order.
func (b Bundle) Boards() []Board {
	return slices.SortedFunc(maps.Keys(b.Records), func(a, b Board) int {
		return cmp.Or(cmp.Compare(a.Round, b.Round), cmp.Compare(a.Board, b.Board))
	})
}

// Doubtful returns the boards whose record is not what was signed.
func (b Bundle) Doubtful() (boards []Board) {
	for _, at := range b.Boards() {
		if _, err := fairplay.CheckRecord(b.Records[at], nil); err != nil && !errors.Is(err, fairplay.ErrNoStatement) {
			boards = append(boards, at)
		}
	}
	return boards
}

// manifest is bundle.json. It lists every other file with its hash, so that one signature
// covers all.
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

// Foreign returns the name of a person in a bundle: handle@host.
func Foreign(handle, site string) player.ID {
	host := strings.TrimPrefix(strings.TrimPrefix(site, "https://"), "http://")
	return player.ID(handle + "@" + strings.TrimSuffix(host, "/"))
}

// Tournament returns the tournament as it stood at the export.
func (b Bundle) Tournament() (*tournament.Tournament, error) { return ledger.Fold(b.Deeds) }

const (
	manifestName  = "bundle.json"
	signatureName = "signature.json"
	deedsName     = "deeds.jsonl"
)

// Write writes a bundle, signed if there is a key.
func Write(w io.Writer, b Bundle, key ed25519.PrivateKey) error {
	files, err := b.files()
	if err != nil {
		return err
	}
	t, err := b.Tournament()
	if err != nil {
		return err
	}
	m := manifest{Format: Format, Site: b.Site, Tournament: t.Name, ExportedAt: b.ExportedAt, Deeds: len(b.Deeds), People: b.People,
		Files: map[string]string{}}
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
	maps.Copy(files, b.Extra)
	return files, nil
}

func writeZip(w io.Writer, files map[string][]byte, at time.Time) error {
	z := zip.NewWriter(w)
	for _, name := range slices.Sorted(maps.Keys(files)) {
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

// Read reads a bundle and checks that every file has the hash in the manifest, that the
// log is consistent, and that a signature, if any, is valid. It reads the manifest first,
// never unpacks what the manifest does not list, and refuses files of implausible size or
// compression before unpacking them. Files for people are checked and dropped.
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
	t, err := b.Tournament()
	if err != nil {
		return Bundle{}, err
	}
	if err := ledger.CheckSeats(t); err != nil {
		return Bundle{}, fmt.Errorf("%w: %w", ErrDamaged, err)
	}
	if !t.IsFollowable() {
		return Bundle{}, fmt.Errorf("%w: its seeds name sources or entries that do not exist", ErrDamaged)
	}
	return b, nil
}

// contents are the packed files of a bundle by name.
type contents map[string]*zip.File

func contentsOf(z *zip.Reader) (contents, error) {
	packed, left := contents{}, uint64(MaxSize)
	for _, f := range z.File {
		if _, twice := packed[f.Name]; twice {
			return nil, fmt.Errorf("%w: duplicate %s", ErrDamaged, f.Name)
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

// Limits of size and compression: logs of a thousand boards shrink to a fortieth. In
// memory, parts of a log take up to fifty times their text, so their number is limited,
// too.
const (
	smallFile = 1 << 20
	mostRatio = 200
	mostParts = 2 << 20
	mostDeeds = 1 << 18
)

// counted limits the number of parts in a log, each of which ends with a comma or a
// brace.
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

// mostOf returns the maximum size of a file.
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

// open reads one file; the size in the zip directory is not trusted.
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
	if err := read(intake.Strict(io.LimitReader(r, int64(mostOf(name))))); err != nil {
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

// signedBy returns the key that signed the manifest; empty if unsigned.
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

// scanned reports whether name is exactly what format would produce, and scans its
// numbers.
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
