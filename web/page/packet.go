package page

import (
	"bytes"
	"compress/flate"
	"encoding/binary"
	"io"
	"sync"
)

// packet is a piece of a stream, compressed once for all who get it: a run of whole deflate blocks that ends on a byte
// boundary and refers to nothing before it. So any sequence of packets is a valid compressed stream, and a stream
// needs no compressor of its own, which would take most of its memory.
type packet struct {
	text []byte
	once sync.Once
	raw  []byte
	err  error
}

// smallPacket is the size below which compressing saves nothing.
const smallPacket = 200

// packed returns the compressed packet.
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

// flushMark is an empty block, which makes readers pass on what they have.
var flushMark = []byte{0, 0, 0, 0xff, 0xff}

// storedBlock returns a deflate block without compression (RFC 1951, 3.2.4).
func storedBlock(text []byte) []byte {
	b := make([]byte, 0, len(text)+10)
	b = append(b, 0) // not the last one, stored
	b = binary.LittleEndian.AppendUint16(b, uint16(len(text)))
	b = binary.LittleEndian.AppendUint16(b, ^uint16(len(text)))
	return append(append(b, text...), flushMark...)
}

// squeezers pools compressors, which are large and used only for a moment.
var squeezers = sync.Pool{New: func() any {
	w, err := flate.NewWriter(io.Discard, 5)
	if err != nil {
		panic(err) // the level is valid
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
	if err := w.Flush(); err != nil { // ends on a byte boundary without ending the stream
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
