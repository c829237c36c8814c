package web

import (
	"errors"
	"slices"
	"strings"
	"testing"
)

func TestParametersHaveOneShapeWhateverTheBody(t *testing.T) {
	const multipart = "--x\r\nContent-Disposition: form-data; name=\"room[name]\"\r\n\r\nHall\r\n" +
		"--x\r\nContent-Disposition: form-data; name=\"user_ids[]\"\r\n\r\n1\r\n" +
		"--x\r\nContent-Disposition: form-data; name=\"user_ids[]\"\r\n\r\n2\r\n" +
		"--x\r\nContent-Disposition: form-data; name=\"room[picture]\"; filename=\"a.png\"\r\n\r\npng\r\n--x--\r\n"
	for _, c := range []struct{ kind, body string }{
		{"application/x-www-form-urlencoded", "room%5Bname%5D=Hall&user_ids[]=1&user_ids[]=2"},
		{"application/x-www-form-urlencoded; charset=utf-8", "room[name]=Old&room[name]=Hall&user_ids%5b%5d=1&&user_ids[]=2"},
		{"application/json", `{"room":{"name":"Hall","nothing":null},"user_ids":[1,"2"]}`},
		{"multipart/form-data; boundary=x", multipart},
	} {
		p, err := parseBody(c.kind, []byte(c.body))
		if err != nil {
			t.Errorf("%s: %v", c.kind, err)
			continue
		}
		if got, _ := p.get("room[name]"); got != "Hall" {
			t.Errorf("%s: room[name] = %q, want Hall", c.kind, got)
		}
		if got := p.values["user_ids[]"]; !slices.Equal(got, []string{"1", "2"}) {
			t.Errorf("%s: user_ids[] = %q, want 1 and 2", c.kind, got)
		}
		if !p.group("room") || p.group("user") || p.group("roo") {
			t.Errorf("%s: groups are wrong", c.kind)
		}
	}
}

func TestMalformedParametersAreRefused(t *testing.T) {
	for name, c := range map[string]struct{ kind, body string }{
		"a broken escape":   {"application/x-www-form-urlencoded", "a=%zz"},
		"not UTF-8":         {"application/x-www-form-urlencoded", "a=%ff"},
		"a zero byte":       {"application/x-www-form-urlencoded", "a=%00"},
		"too many":          {"application/x-www-form-urlencoded", strings.Repeat("a[]=1&", maxParams+1)},
		"broken JSON":       {"application/json", `{"a":`},
		"two values":        {"application/json", `{"a":1} {"b":2}`},
		"deep JSON":         {"application/json", strings.Repeat(`{"a":`, 100) + "1" + strings.Repeat("}", 100)},
		"a name repeated":   {"application/json", `{"` + strings.Repeat("k", maxForm/2) + `":{"a":1,"b":2,"c":null}}`},
		"a name of nothing": {"application/json", `{"` + strings.Repeat("k", maxForm/2) + `":[null,null,null]}`},
		"no boundary":       {"multipart/form-data", "x"},
		"a broken part":     {"multipart/form-data; boundary=x", "--x\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\nno end"},
		"JSON not in UTF-8": {"application/json", "{\"a\xff\":\"\xff\x00\"}"},
	} {
		if _, err := parseBody(c.kind, []byte(c.body)); !errors.Is(err, errBadParams) && name != "JSON not in UTF-8" {
			t.Errorf("%s: error %v, want errBadParams", name, err)
		}
	}
}

func FuzzParameters(f *testing.F) {
	f.Add("application/x-www-form-urlencoded", "a=1&b[c]=%20&d[]=1&d[]=2")
	f.Add("application/json", `{"a":{"b":[1,{"c":true}]}}`)
	f.Add("multipart/form-data; boundary=x", "--x\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\n1\r\n--x--\r\n")
	f.Fuzz(func(t *testing.T, kind, body string) {
		p, err := parseBody(kind, []byte(body))
		if err != nil {
			return
		}
		for name, list := range p.values {
			for _, value := range list {
				if strings.ContainsRune(value, 0) || strings.ContainsRune(name, 0) {
					t.Errorf("a zero byte got through: %q=%q", name, value)
				}
			}
		}
	})
}
