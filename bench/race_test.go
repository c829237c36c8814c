//go:build race

package bench

// buildFlags make the server of the smoke run one with the race detector, like
// this test: its packages are compiled already.
var buildFlags = []string{"-race"}
