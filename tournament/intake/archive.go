package intake

import (
	"bufio"
	"bytes"
	"compress/flate"
	"encoding/binary"
	"io"
)

// archiveMark begins a ZIP archive, and a workbook, which is one.
var archiveMark = []byte("PK\x03\x04")

// Unpacked returns the first file of an archive while it arrives, so that neither has to be kept; what is no archive is
// returned as it is. Errors: ErrNotText.
func Unpacked(in io.Reader) (*bufio.Reader, error) {
	packed := bufio.NewReaderSize(in, 64<<10)
	if head, _ := packed.Peek(len(archiveMark)); !bytes.Equal(head, archiveMark) { // a broken reader fails again later
		return packed, nil
	}
	var head [30]byte // of a file in an archive: APPNOTE.TXT of PKWARE, 4.3.7
	if _, err := io.ReadFull(packed, head[:]); err != nil {
		return nil, ErrNotText
	}
	const isEncrypted, deflated = 1, 8
	if binary.LittleEndian.Uint16(head[6:])&isEncrypted != 0 || binary.LittleEndian.Uint16(head[8:]) != deflated {
		return nil, ErrNotText
	}
	rest := int(binary.LittleEndian.Uint16(head[26:])) + int(binary.LittleEndian.Uint16(head[28:])) // its name, and more about it
	if _, err := packed.Discard(rest); err != nil {
		return nil, ErrNotText
	}
	return bufio.NewReaderSize(flate.NewReader(packed), 64<<10), nil
}
