// Package hearth is the root of Hearth: a team chat server in one process that
// replaces ONCE Campfire in place, and the libraries under it.
//
// The folders are the architecture; layers_test.go says who may import whom.
// Start with README.md, then docs/.
package hearth
