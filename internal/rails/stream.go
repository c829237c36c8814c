package rails

// SignStream returns the name of a Turbo stream as pages carry it: without
// expiry, and not bound to a person.
func (k *Keys) SignStream(name string) string {
	return k.streams.sign(appendPlainJSON(nil, name))
}

// VerifyStream returns the stream name that a page sent back.
func (k *Keys) VerifyStream(signed string) (name string, err error) {
	payload, err := k.streams.verify(signed)
	if err != nil {
		return "", err
	}
	return jsonString(payload)
}
