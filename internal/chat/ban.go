package chat

import "fmt"

// Banned reports whether writes from this address are refused.
func (r *Reader) Banned(ip string) (bool, error) {
	if ip == "" {
		return false, nil
	}
	banned, err := exists(r.q, `SELECT 1 FROM bans WHERE ip_address = ?1`, ip)
	if err != nil {
		return false, fmt.Errorf("look for ban of %s: %w", ip, err)
	}
	return banned, nil
}
