package intake_test

import (
	"archive/zip"
	"bytes"
	"errors"
	"io"
	"strings"
	"testing"

	"chpok.org/chpok/tournament/intake"
)

func packed(t *testing.T, method uint16, text string) []byte {
	t.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	w, err := z.CreateHeader(&zip.FileHeader{Name: "list.txt", Method: method})
	if err == nil {
		_, err = io.WriteString(w, text)
	}
	if err == nil {
		err = z.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func TestAnArchiveIsReadWhileItArrives(t *testing.T) {
	t.Parallel()
	text := strings.Repeat("Іван Франко;1500\n", 5000)
	for name, raw := range map[string][]byte{"packed": packed(t, zip.Deflate, text), "plain": []byte(text)} {
		in, err := intake.Unpacked(io.MultiReader(bytes.NewReader(raw[:10]), bytes.NewReader(raw[10:])))
		if err != nil {
			t.Fatal(name, err)
		}
		if got, err := io.ReadAll(in); err != nil || string(got) != text {
			t.Errorf("%s: %d bytes, %v", name, len(got), err)
		}
	}
	if _, err := intake.Unpacked(bytes.NewReader(packed(t, zip.Store, text))); !errors.Is(err, intake.ErrNotText) {
		t.Errorf("stored: %v", err)
	}
	whole := packed(t, zip.Deflate, text)
	if _, err := intake.Unpacked(bytes.NewReader(whole[:20])); !errors.Is(err, intake.ErrNotText) {
		t.Errorf("broken off in the head: %v", err)
	}
	in, err := intake.Unpacked(bytes.NewReader(whole[:100]))
	if err == nil {
		_, err = io.ReadAll(in)
	}
	if err == nil {
		t.Error("broken off in the text: no error")
	}
}
