package page

import (
	"bytes"
	"compress/gzip"
	"hash/crc32"
	"io"
	"strings"
	"testing"
)

// TestPacketsInARowAreOneStream, whoever else was sent them and whatever came
// between: small ones, large ones, none.
func TestPacketsInARowAreOneStream(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("data: <p id=a>x</p>\n", 5000)
	texts := []string{"retry: 2000\n\n", long, ": \n\n", strings.Repeat("ж", smallPacket), long}
	var b bytes.Buffer
	b.Write(gzipHead)
	all := ""
	for _, text := range texts {
		p := &packet{text: []byte(text)}
		first, err := p.packed()
		if err != nil {
			t.Fatal(err)
		}
		if second, _ := p.packed(); &first[0] != &second[0] {
			t.Error("a packet is compressed twice")
		}
		b.Write(first)
		all += text
	}
	if b.Len() > len(all)/20 {
		t.Errorf("%d bytes of %d", b.Len(), len(all))
	}
	b.Write(gzipTail(crc32.ChecksumIEEE([]byte(all)), uint32(len(all))))
	r, err := gzip.NewReader(&b)
	if err != nil {
		t.Fatal(err)
	}
	got, err := io.ReadAll(r) // checks the sum and the size
	if err != nil || string(got) != all {
		t.Errorf("%d bytes of %d, %v", len(got), len(all), err)
	}
}
