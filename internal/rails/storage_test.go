package rails

import (
	"fmt"
	"strings"
	"testing"
)

func TestStorageTokensRoundTrip(t *testing.T) {
	file := DiskFile{"abc", `inline; filename="a&b.jpg"; filename*=UTF-8''a%26b.jpg`, "image/jpeg", "local"}
	if got, err := keys.VerifyDiskKey(keys.DiskKey(file, expiry), now); err != nil || got != file {
		t.Errorf("disk key is read as %+v, %v", got, err)
	}
	if _, err := keys.VerifyDiskKey(keys.DiskKey(file, now), now); err != ErrExpired {
		t.Errorf("disk key at its expiry: %v", err)
	}
	upload := DiskUpload{"abc", "image/jpeg", 12, "XrY7u+Ae7tCTyyK7j1rNww==", "local"}
	if got, err := keys.VerifyDiskToken(keys.DiskToken(upload, expiry), now); err != nil || got != upload {
		t.Errorf("upload token is read as %+v, %v", got, err)
	}
	if _, err := keys.VerifyDiskToken(keys.DiskKey(file, expiry), now); err != ErrInvalid {
		t.Errorf("a link to a file as permission to upload: %v", err)
	}
	payload, err := decode64(strings.Split(keys.DiskKey(file, expiry), "--")[0])
	if err != nil {
		t.Fatal(err)
	}
	want := `{"_rails":{"data":{"key":"abc","disposition":"inline; filename=\"a\u0026b.jpg\"; filename*=UTF-8''a%26b.jpg","content_type":"image/jpeg","service_name":"local"},"exp":"2044-01-16T09:55:09.004Z","pur":"blob_key"}}`
	if string(payload) != want {
		t.Errorf("disk key holds\n%s, want\n%s", payload, want)
	}
	for n := range 130 {
		v := Variation{Format: "png", Width: n + 1, Height: 2*n + 1}
		if got, err := keys.VerifyVariationKey(keys.VariationKey(v)); err != nil || got != v {
			t.Fatalf("%+v is read as %+v, %v", v, got, err)
		}
	}
}

func TestRubyIntegersAreWrittenAsMarshalDoes(t *testing.T) {
	for n, want := range map[int]string{0: "00", 1: "06", 122: "7f", 123: "017b", 255: "01ff", 256: "020001", 1200: "02b004", 65536: "03000001"} {
		if got := fmt.Sprintf("%x", appendRubyInt(nil, n)); got != want {
			t.Errorf("%d is written as %s, want %s", n, got, want)
		}
	}
}
