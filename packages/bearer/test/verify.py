"""Verifies an access token as an API in Python does. Arguments: the keys, the token, the issuer, the audience."""

import base64
import json
import sys
import time

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric import ec, ed25519, utils
from cryptography.hazmat.primitives.hashes import SHA256


def decode(text):
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


def public_key(jwk):
    if jwk["kty"] == "OKP":
        return ed25519.Ed25519PublicKey.from_public_bytes(decode(jwk["x"]))
    x, y = (int.from_bytes(decode(jwk[name]), "big") for name in ("x", "y"))
    return ec.EllipticCurvePublicNumbers(x, y, ec.SECP256R1()).public_key()


def verify(keys, token, issuer, audience):
    head, body, signature = token.split(".")
    header, claims = json.loads(decode(head)), json.loads(decode(body))
    jwk = next(key for key in keys if key["kid"] == header["kid"])
    if header["typ"] != "at+jwt" or header["alg"] != jwk["alg"]:
        raise ValueError("It isn't an access token")
    key, signed, text = public_key(jwk), decode(signature), f"{head}.{body}".encode()
    if header["alg"] == "EdDSA":
        key.verify(signed, text)
    else:
        numbers = (int.from_bytes(signed[at : at + 32], "big") for at in (0, 32))
        key.verify(utils.encode_dss_signature(*numbers), text, ec.ECDSA(SHA256()))
    if claims["iss"] != issuer or claims["aud"] != audience or claims["exp"] <= time.time():
        raise ValueError("It's for someone else, or has expired")
    return claims


try:
    print(json.dumps(verify(json.loads(sys.argv[1])["keys"], *sys.argv[2:])))
except (InvalidSignature, ValueError, StopIteration) as error:
    sys.exit(f"refused: {error!r}")
