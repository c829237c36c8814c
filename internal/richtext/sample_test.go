package richtext

import (
	"encoding/json"
	"os"
	"testing"
)

// bodies are those of an existing installation.
func bodies(t testing.TB) (list []string) {
	t.Helper()
	raw, err := os.ReadFile("testdata/bodies.json")
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(raw, &list); err != nil {
		t.Fatal(err)
	}
	if len(list) < 700 {
		t.Fatalf("only %d bodies", len(list))
	}
	return list
}
