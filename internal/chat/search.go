package chat

import "context"

// SearchWords returns query with a space for everything that is not part of a
// word: what is searched, remembered and shown.
func SearchWords(query string) string { return query }

// Search returns the newest 100 messages in the viewer's rooms that have all the
// words of query, ascending by time. A query without a word finds nothing.
func (r *Reader) Search(viewer UserID, query string) ([]*Message, error) { return nil, errLater }

// RecentSearches returns the viewer's remembered queries, newest first.
func (r *Reader) RecentSearches(viewer UserID) ([]string, error) { return nil, errLater }

// RecordSearch remembers a query, and of each user only the newest ten.
func (c *Chat) RecordSearch(ctx context.Context, user UserID, query string) error { return errLater }

// ClearSearches forgets all queries of a user.
func (c *Chat) ClearSearches(ctx context.Context, user UserID) error { return errLater }
