package richtext

import "strings"

// Canonical returns a form's body as it is stored.
func Canonical(body string) string { return strings.TrimSpace(body) }
