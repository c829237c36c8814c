package bench

import "strings"

// vocabulary is what people talk about; the first words come most often. None of
// its words shares a stem with the words that are searched for.
var vocabulary = strings.Fields(`
the to a of and we it is in that for on i you with this be at are have not can
but as so if do will just from or an my they was about there what when all one
out up then now get like more think know time see go need should would could
some new here how good work today back after make only look them other which
first page test server change still right want thing way day try week build run
since before morning maybe really same also done open team next write read old
room message list button color font line file name link list line point number
answer question idea plan draft note report meeting lunch coffee train weather
garden window door kitchen table lamp river bridge road map ticket customer
order invoice price budget design sketch screen phone laptop keyboard cable
battery cache query index table column row backup deploy release branch commit
merge review issue error crash log metric graph latency memory thread queue
worker schedule retry timeout socket frame token cookie session header footer
sidebar avatar emoji upload picture video sound music guitar piano violin drum
concert ticket movie book chapter story letter paper pencil desk chair office
floor lift stairs roof garden tree leaf flower bird fox rabbit horse sheep
mountain valley beach island boat ferry harbor airport station platform signal
winter spring summer autumn monday tuesday wednesday thursday friday weekend
holiday birthday party cake bread butter cheese tomato pepper onion garlic soup
salad pasta rice noodle sauce salt sugar honey lemon orange apple cherry plum
green blue yellow purple silver golden bright dark quiet loud quick slow early
late warm cold heavy light simple clear strange useful broken fixed ready
exactly almost probably together instead already usually sometimes nearly
between without through around against during inside outside behind below
remember forget explain wonder suggest decide finish start continue remove
replace rename collect compare measure count divide share borrow return carry
`)

// The words that are searched for, and where they stand.
const (
	frequentWord  = "harvest"     // in about one of fifteen messages of the open rooms
	rareWord      = "heliotrope"  // in exactly three messages of the busy room
	forbiddenWord = "quicksilver" // in every message of a room that no reader is in
)

var firstNames = strings.Fields(`
Ada Bela Chidi Dora Emil Freja Goran Hana Igor Jonna Kofi Lena Marek Nadia Olek
Priya Quentin Rosa Samir Tove Umar Vera Wanda Xenia Yusuf Zora Anton Bruna Ciro
Dilan Elif Farid Greta Hugo Ines Jakub Katya Lior Mila Noor Otis Paula Ravi Silke
Timo Ulla Viktor Wim Yara Zeno`)

var lastNames = strings.Fields(`
Reyes Lindqvist Okafor Novak Brandt Moreau Ferreira Tanaka Haddad Kowalski
Petrov Nielsen Costa Bauer Mensah Silva Varga`)

var openRoomNames = []string{
	"All Talk", "Loading Dock", "Broadcast Tower", "Elsewhere", "Design Desk",
	"Garden Club", "Kitchen Table", "On Call", "Reading Group", "Travel Plans",
}

var closedRoomNames = []string{"Back Office", "Archive Keepers"}

var emojiBodies = []string{"👍", "🎉", "🔥🔥", "😂", "❤️", "👏👏👏", "☕", "🚀"}

var boostContents = []string{"👍", "👏", "❤️", "😂", "🎉", "🔥", "nice", "+1", "thank you"}

var codeLines = []string{
	"func total(items []item) int {",
	"\tsum := 0",
	"\tfor _, it := range items { sum += it.price }",
	"\tif sum < 0 && len(items) > 0 { return 0 }",
	"\treturn sum",
	"}",
	"SELECT id, body FROM messages WHERE room_id = 7 ORDER BY created_at DESC LIMIT 40;",
	"$ curl -s http://localhost:3000/up | grep -c green",
	"<p class=\"lead\">It's here</p>",
	"x = {\"name\": \"Ada\", \"tags\": [\"a\", \"b\"]}",
	"git log --oneline --since=yesterday",
	"panic: runtime error: index out of range [3] with length 3",
}
