package richtext

import "strings"

// sounds are the names that "/play" knows.
var sounds = map[string]bool{}

func init() {
	const names = `56k ballmer bell bezos bueller butts clowntown cottoneyejoe crickets curb
		dadgummit dangerzone danielsan deeper donotwant drama flawless glados gogogo greatjob
		greyjoy guarantee heygirl honk horn horror inconceivable letitgo live loggins makeitso
		noooo nyan ohmy ohyeah pushit rimshot rollout rumble sax secret sexyback story tada tmyk
		totes trololo trombone unix vuvuzela what whoomp wups yay yeah yodel`
	for _, name := range strings.Fields(names) {
		sounds[name] = true
	}
}

// Sound returns the sound that a message's whole plain text asks for.
func Sound(plain string) (name string, ok bool) {
	name, ok = strings.CutPrefix(plain, "/play ")
	if !ok || !sounds[name] {
		return "", false
	}
	return name, true
}
