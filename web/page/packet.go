package page

import (
	"bytes"
	"compress/flate"
	"encoding/binary"
	"io"
	"sync"
)

// packet is a piece of a stream, compressed once for all who are sent it: a run
// of whole deflate blocks that ends on a byte and looks back at nothing before
// it. So any packets in a row are one valid compressed stream, and a stream
// needs no compressor of its own, which would be the most of its memory.
type packet struct {
	text []byte
	once sync.Once
	raw  []byte
	err  error
}

// smallPacket is below what compressing would save.
const smallPacket = 200

// packed is the packet as it stands in a compressed stream.
func (p *packet) packed() ([]byte, error) {
	p.once.Do(func() {
		if len(p.text) < smallPacket {
			p.raw = storedBlock(p.text)
			return
		}
		p.raw, p.err = deflate(p.text)
	})
	return p.raw, p.err
}

// flushMark is an empty block, at which readers give out what they hold back.
var flushMark = []byte{0, 0, 0, 0xff, 0xff}

// storedBlock is a block of deflate that is not compressed (RFC 1951, 3.2.4).
func storedBlock(text []byte) []byte {
	b := make([]byte, 0, len(text)+10)
	b = append(b, 0) // not the last one, stored
	b = binary.LittleEndian.AppendUint16(b, uint16(len(text)))
	b = binary.LittleEndian.AppendUint16(b, ^uint16(len(text)))
	return append(append(b, text...), flushMark...)
}

// squeezers are compressors at rest: one is large, and used for a moment.
var squeezers = sync.Pool{New: func() any {
	w, err := flate.NewWriter(io.Discard, 5)
	if err != nil {
		panic(err) // the level is one that there is
	}
	return w
}}

func deflate(text []byte) ([]byte, error) {
	w := squeezers.Get().(*flate.Writer)
	defer squeezers.Put(w)
	var b bytes.Buffer
	w.Reset(&b)
	if _, err := w.Write(text); err != nil {
		return nil, err
	}
	if err := w.Flush(); err != nil { // ends on a byte, and the stream goes on
		return nil, err
	}
	return b.Bytes(), nil
}

// gzipHead begins a compressed stream (RFC 1952): deflate, no name, no time.
var gzipHead = []byte{0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255}

// gzipTail ends one: an empty last block, then the checksum and size of the text.
func gzipTail(sum, size uint32) []byte {
	b := []byte{3, 0}
	b = binary.LittleEndian.AppendUint32(b, sum)
	return binary.LittleEndian.AppendUint32(b, size)
}
