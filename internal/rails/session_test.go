package rails

import (
	"testing"
)

func TestASessionKeepsWhatItDoesNotKnow(t *testing.T) {
	const text = `{"session_id":"ab","_csrf_token":"cd","return_to_after_authenticating":"https://chat.test/rooms/1?a=1\u0026b=2","flash":{"discard":["alert"],"flashes":{"notice":"Saved","alert":"old"}},"theme":{"dark":true},"a":[1]}`
	s, err := ParseSession([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	if s.ID != "ab" || s.CSRFToken != "cd" || s.ReturnTo != "https://chat.test/rooms/1?a=1&b=2" || s.Flash != (Flash{Notice: "Saved"}) {
		t.Errorf("session is read as %+v", s)
	}
	s.ReturnTo = ""
	s.Next.Alert = "No <such> room"
	want := `{"session_id":"ab","_csrf_token":"cd","flash":{"discard":[],"flashes":{"alert":"No \u003csuch\u003e room"}},"a":[1],"theme":{"dark":true}}`
	if got := string(s.JSON()); got != want {
		t.Errorf("session is written as\n%s, want\n%s", got, want)
	}
	if got := string((&Session{}).JSON()); got != "{}" {
		t.Errorf("an empty session is written as %s", got)
	}
	for _, wrong := range []string{"", "null", "[]", "1", `{"a":`} {
		if s, err := ParseSession([]byte(wrong)); err == nil {
			t.Errorf("%q is read as session %+v", wrong, s)
		}
	}
	s, err = ParseSession([]byte(`{"session_id":1,"_csrf_token":null,"flash":"x"}`))
	if err != nil || s.ID != "" || s.CSRFToken != "" || s.Flash != (Flash{}) {
		t.Errorf("keys of wrong types are read as %+v, %v", s, err)
	}
}
