package web

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"mime/multipart"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"unicode/utf8"
)

// maxForm bounds the body of a request.
const maxForm = 1 << 20

// maxParams bounds how many parameters a request may have.
const maxParams = 4096

// maxDepth bounds how deep JSON parameters may nest.
const maxDepth = 32

// maxName bounds the name of a JSON parameter, in bytes. What is inside an object
// repeats the object's name: without a bound, one body of maxForm bytes would
// become gigabytes.
const maxName = 1024

var (
	errBadParams = errors.New("malformed parameters")
	errTooLarge  = errors.New("the request is too large")
)

// params are a request's parameters under their bracketed names, such as
// "room[name]" or "user_ids[]"; JSON bodies are flattened to the same names.
type params struct {
	values url.Values
	files  map[string]bool // fields that hold a file
}

// get returns the last value of a name, as the last one wins.
func (p params) get(name string) (string, bool) {
	list := p.values[name]
	if len(list) == 0 {
		return "", false
	}
	return list[len(list)-1], true
}

// group reports whether any parameter is nested under a name.
func (p params) group(name string) bool {
	for key := range p.values {
		if strings.HasPrefix(key, name+"[") {
			return true
		}
	}
	for key := range p.files {
		if strings.HasPrefix(key, name+"[") {
			return true
		}
	}
	return false
}

func (p *params) add(name, value string) error {
	if len(p.values) >= maxParams || len(p.values[name]) >= maxParams {
		return fmt.Errorf("%w: more than %d of them", errBadParams, maxParams)
	}
	if !utf8.ValidString(name) || !utf8.ValidString(value) || strings.ContainsRune(name, 0) || strings.ContainsRune(value, 0) {
		return fmt.Errorf("%w: not UTF-8 text", errBadParams)
	}
	if p.values == nil {
		p.values = url.Values{}
	}
	p.values[name] = append(p.values[name], value)
	return nil
}

// addURLEncoded reads "a=1&b=2".
func (p *params) addURLEncoded(text string) error {
	for pair := range strings.SplitSeq(text, "&") {
		if pair == "" {
			continue
		}
		name, value, _ := strings.Cut(pair, "=")
		name, err := url.QueryUnescape(name)
		if err != nil {
			return fmt.Errorf("%w: %w", errBadParams, err)
		}
		if value, err = url.QueryUnescape(value); err != nil {
			return fmt.Errorf("%w: %w", errBadParams, err)
		}
		if err := p.add(name, value); err != nil {
			return err
		}
	}
	return nil
}

func (p *params) addMultipart(body []byte, boundary string) error {
	form, err := multipart.NewReader(bytes.NewReader(body), boundary).ReadForm(2 * maxForm)
	if err != nil {
		return fmt.Errorf("%w: %w", errBadParams, err)
	}
	defer form.RemoveAll()
	for name, list := range form.Value {
		for _, value := range list {
			if err := p.add(name, value); err != nil {
				return err
			}
		}
	}
	for name := range form.File {
		if p.files == nil {
			p.files = map[string]bool{}
		}
		p.files[name] = true
	}
	return nil
}

func (p *params) addJSON(body []byte) error {
	if len(bytes.TrimSpace(body)) == 0 {
		return nil
	}
	decoder := json.NewDecoder(bytes.NewReader(body))
	decoder.UseNumber()
	var root any
	if err := decoder.Decode(&root); err != nil {
		return fmt.Errorf("%w: %w", errBadParams, err)
	}
	if _, err := decoder.Token(); err != io.EOF {
		return fmt.Errorf("%w: something follows the JSON", errBadParams)
	}
	object, ok := root.(map[string]any)
	if !ok {
		return nil // a bare value names nothing
	}
	for key, value := range object {
		if err := p.flatten(key, value, 0); err != nil {
			return err
		}
	}
	return nil
}

// flatten names a JSON value the way a form would. A null is a parameter that
// isn't there.
func (p *params) flatten(name string, value any, depth int) error {
	if depth > maxDepth {
		return fmt.Errorf("%w: nested too deep", errBadParams)
	}
	if len(name) > maxName {
		return fmt.Errorf("%w: a name of more than %d bytes", errBadParams, maxName)
	}
	switch v := value.(type) {
	case nil:
		return nil
	case string:
		return p.add(name, v)
	case json.Number:
		return p.add(name, v.String())
	case bool:
		return p.add(name, strconv.FormatBool(v))
	case []any:
		for _, one := range v {
			if err := p.flatten(name+"[]", one, depth+1); err != nil {
				return err
			}
		}
	case map[string]any:
		for key, one := range v {
			if err := p.flatten(name+"["+key+"]", one, depth+1); err != nil {
				return err
			}
		}
	}
	return nil
}

// readBody takes a request's whole body into memory, at most maxForm of it.
func readBody(w http.ResponseWriter, r *http.Request) ([]byte, error) {
	if r.Body == nil || r.Body == http.NoBody {
		return nil, nil
	}
	if r.ContentLength > maxForm {
		return nil, errTooLarge
	}
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxForm))
	var tooLarge *http.MaxBytesError
	if errors.As(err, &tooLarge) {
		return nil, errTooLarge
	}
	if err != nil {
		return nil, fmt.Errorf("%w: read body: %w", errBadParams, err)
	}
	return body, nil
}

// parseBody reads the parameters of a body whose type says that it holds some.
func parseBody(contentType string, body []byte) (params, error) {
	var p params
	if len(body) == 0 {
		return p, nil
	}
	kind, parameters, err := mime.ParseMediaType(contentType)
	if err != nil {
		return p, nil // a body without a type holds no parameters
	}
	switch kind {
	case "application/x-www-form-urlencoded":
		err = p.addURLEncoded(string(body))
	case "multipart/form-data":
		err = p.addMultipart(body, parameters["boundary"])
	case "application/json", "text/x-json", "application/jsonrequest":
		err = p.addJSON(body)
	}
	return p, err
}
