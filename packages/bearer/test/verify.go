// Verifies an access token as an API in Go does, with the standard library. Arguments: the keys, the token, the issuer, the audience.
package main

import (
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/elliptic"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"math/big"
	"os"
	"strings"
	"time"
)

type key struct{ Kty, Kid, Alg, X, Y string }

type header struct{ Alg, Typ, Kid string }

type claims struct {
	Iss string `json:"iss"`
	Sub string `json:"sub"`
	Aud string `json:"aud"`
	Exp int64  `json:"exp"`
}

func decode(text string) []byte {
	bytes, err := base64.RawURLEncoding.DecodeString(text)
	if err != nil {
		refuse(err.Error())
	}
	return bytes
}

func refuse(reason string) {
	fmt.Fprintln(os.Stderr, "refused:", reason)
	os.Exit(1)
}

func isSigned(k key, text string, signature []byte) bool {
	if k.Alg == "EdDSA" {
		return ed25519.Verify(ed25519.PublicKey(decode(k.X)), []byte(text), signature)
	}
	x, y := new(big.Int).SetBytes(decode(k.X)), new(big.Int).SetBytes(decode(k.Y))
	r, s := new(big.Int).SetBytes(signature[:32]), new(big.Int).SetBytes(signature[32:])
	hash := sha256.Sum256([]byte(text))
	return ecdsa.Verify(&ecdsa.PublicKey{Curve: elliptic.P256(), X: x, Y: y}, hash[:], r, s)
}

func main() {
	var set struct{ Keys []key }
	if json.Unmarshal([]byte(os.Args[1]), &set) != nil {
		refuse("the keys can't be read")
	}
	token, issuer, audience := os.Args[2], os.Args[3], os.Args[4]
	parts := strings.Split(token, ".")
	var head header
	var said claims
	if len(parts) != 3 || json.Unmarshal(decode(parts[0]), &head) != nil || json.Unmarshal(decode(parts[1]), &said) != nil {
		refuse("it isn't a JWT")
	}
	signature := decode(parts[2])
	for _, k := range set.Keys {
		if k.Kid != head.Kid || k.Alg != head.Alg || head.Typ != "at+jwt" || len(signature) != 64 {
			continue
		}
		if !isSigned(k, parts[0]+"."+parts[1], signature) {
			refuse("the signature is wrong")
		}
		if said.Iss != issuer || said.Aud != audience || said.Exp <= time.Now().Unix() {
			refuse("it's for someone else, or has expired")
		}
		json.NewEncoder(os.Stdout).Encode(said)
		return
	}
	refuse("the key is unknown")
}
