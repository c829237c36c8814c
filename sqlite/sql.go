package sqlite

import "strings"

// firstWord returns the first word of a statement in capitals, past what SQLite
// skips: white space, comments, empty statements. "" means that nothing else is
// there.
func firstWord(sql string) string {
	sql = skipBlank(sql)
	end := 0
	for end < len(sql) && (sql[end]|0x20 >= 'a' && sql[end]|0x20 <= 'z') {
		end++
	}
	if end == 0 && sql != "" {
		return sql[:1]
	}
	return strings.ToUpper(sql[:end])
}

func skipBlank(sql string) string {
	sql, _, _ = strings.Cut(sql, "\x00") // where SQLite stops reading
	for {
		sql = strings.TrimLeft(sql, " \t\r\n\f\v;\ufeff")
		switch {
		case strings.HasPrefix(sql, "--"):
			_, sql, _ = strings.Cut(sql, "\n")
		case strings.HasPrefix(sql, "/*"):
			_, sql, _ = strings.Cut(sql[2:], "*/")
		default:
			return sql
		}
	}
}

// controlsTransaction reports whether the word begins a statement that would
// begin or end a transaction, which is this package's part.
func controlsTransaction(word string) bool {
	switch word {
	case "BEGIN", "COMMIT", "END", "ROLLBACK", "SAVEPOINT", "RELEASE":
		return true
	}
	return false
}
