package chat

// Banned reports whether writes from this address are refused.
func (r *Reader) Banned(ip string) (bool, error) { return false, errLater }
