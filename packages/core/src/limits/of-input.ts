/*
 * Every value that comes from outside has its maximum here. The code compares the length before it does anything with the
 * value whose cost grows faster than the length. `docs/security/limits.md` prints this file (`npm run check -- limits`), and
 * `test/limits/of-input.test.ts` has tests at each maximum. "Characters" are UTF-16 code units.
 */

/** Characters of the path after the base path. Beyond: 404, as for any path that is no route. */
export const maxPath = 2048
/** Characters of the query, with its `?`. The longest useful one is the response of a provider. Beyond: 400. */
export const maxQuery = 7168
/** Parameters in the query. Beyond: 400. */
export const maxQueryParams = 100
/** Characters of `Host`: a name (RFC 1035 §2.3.4) with a port. Beyond: 400. */
export const maxHost = 260
/** Characters of `X-Forwarded-Host`, to which each proxy may append. Beyond: 400. */
export const maxForwardedHost = 1024
/** Characters of `X-Forwarded-Proto`. Beyond: 400. */
export const maxForwardedProto = 128
/** Characters of `X-Forwarded-For`, from the right, since a client can forge what is left of them. Beyond: ignored. */
export const maxForwardedFor = 2048
/** Characters of `Origin`: a scheme and a host. Beyond: the request counts as sent from another site. */
export const maxOrigin = 268
/** Characters of `Referer`, more than any browser sends (Referrer Policy §8.3). Beyond: ignored. */
export const maxReferer = 4096
/** Characters of `User-Agent` and similar headers that tell two visitors apart. Beyond: the rest is ignored. */
export const maxUserAgent = 200
/** Characters of a bearer token in `Authorization`, for `getToken`. Beyond: no token. */
export const maxBearerToken = 65_536

/** Characters of the `Cookie` header. Beyond: 431, and a session is only read from the cookies before the limit. */
export const maxCookieHeader = 32_768
/** Cookies in one request, as many as Chrome keeps for a site. Beyond: 431, as above. */
export const maxCookies = 180
/** Characters of one cookie, name and value. Browsers store at most 4096 bytes. Beyond: 431, and the cookie isn't read. */
export const maxCookie = 8192
/** Cookies that hold one session. Beyond: an error when the session is sealed, which names the largest claim. */
export const maxSessionParts = 5
/** Characters of a session token that is looked up in a database. Beyond: no session. */
export const maxSessionToken = 4096
/** Sealed cookies of email links that one request opens. Beyond: the others are ignored. */
export const maxLinkCookies = 10

/** Bytes of a body, counted as they arrive. Beyond: 413. */
export const maxBodyBytes = 65_536
/** Fields of a form, or members of one object or array in JSON. Beyond: 413 for a form, 400 for JSON. */
export const maxBodyFields = 1000
/** Levels of JSON in a body. Code that walks the data is recursive, ours and the application's. Beyond: 400. */
export const maxBodyNesting = 32

/** Characters of one field of credentials under `"compatible"`. Beyond: `CredentialsSignin`, and `authorize` isn't called. */
export const maxCredential = 16_384
/** Characters of one field of credentials under `"strict"`. Beyond: `CredentialsSignin`. */
export const maxStrictCredential = 4096
/** Fields of credentials. Beyond: `CredentialsSignin`. */
export const maxCredentials = 100
/** Fields of credentials that may name the user, for the rate limits. Beyond: `CredentialsSignin`. */
export const maxIdentifiers = 10

/** Characters of an email before it's normalized. Beyond: `EmailSignin`, or a profile without email. */
export const maxEmailInput = 512
/** Characters of a normalized email (RFC 3696, erratum 1690). Beyond: `EmailSignin`. */
export const maxEmail = 254
/** Characters of an email before the `@` (RFC 5321 §4.5.3.1.1). Beyond: `EmailSignin`. */
export const maxEmailLocal = 64
/** Characters of the token in an email link. Beyond: `Verification`. */
export const maxLinkToken = 1024
/** Characters of the email in an email link. Beyond: `Verification`. */
export const maxLinkEmail = 1024
/** Characters of a typed code, with spaces and dashes. Beyond: the code is wrong. */
export const maxTypedCode = 64

/** Characters of a field that a sign-in page keeps after a failed attempt. Beyond: the field is empty. */
export const maxAttemptField = 254
/** Bytes of all these fields, with their names. Beyond: the others are empty. */
export const maxAttemptBytes = 1500

/** Characters of a callback URL. Beyond: the home page. */
export const maxCallbackUrl = 4096
/** Characters of a part of a callback URL between slashes, if it isn't ASCII. Punycode takes quadratic time. Beyond: the home page. */
export const maxUrlPart = 253

/** Characters of the token of a CAPTCHA. Beyond: as without one. */
export const maxCaptchaToken = 8192

/** Bytes of the `state` that the application passes through an OAuth sign-in, as JSON. Beyond: the sign-in doesn't start. */
export const maxPassedState = 1024
/** Levels of it. Beyond: the sign-in doesn't start. */
export const maxPassedStateNesting = 8

/** Characters of the `code` of a provider's response. Beyond: `InvalidCheck`. */
export const maxAuthorizationCode = 4096
/** Characters of the `state` of a provider's response. Beyond: `InvalidCheck`. */
export const maxState = 1024
/** Characters of the `error` of a provider's response. Beyond: `InvalidCheck`. */
export const maxProviderError = 1024
/** Characters of the `iss` of a provider's response. Beyond: `InvalidCheck`. */
export const maxIssuer = 1024
/** Characters of any other parameter of a provider's response. Beyond: `InvalidCheck`. */
export const maxCallbackParam = 16_384
/** Characters of a parameter that a browser adds to the authorization request. Beyond: dropped. */
export const maxRequestedParam = 1024
/** Characters of the name of such a parameter. Beyond: dropped. */
export const maxRequestedParamName = 100

/** Bytes of a provider's response, after decompression. Beyond: the sign-in fails. */
export const maxProviderResponse = 1_048_576
/** Characters of a token that is kept. Two of them, sealed, have to fit into a record. Beyond: it isn't kept, or its renewal counts as failed. */
export const maxProviderToken = 65_536
/** Bytes of a provider's keys. Beyond: the sign-in fails. */
export const maxKeySet = 65_536
/** Characters of an endpoint in a discovery document. Beyond: the endpoint counts as missing. */
export const maxEndpoint = 2048
/** Names in a list of a discovery document. Beyond: the rest is ignored. */
export const maxMetadataList = 100
/** Levels of a profile. Beyond: the sign-in fails. */
export const maxProfileNesting = 32
/** Characters of the subject of an ID token (OpenID Connect Core §2). Beyond: the sign-in fails. */
export const maxSubject = 255
/** Characters of the id that `profile()` returns. Beyond: `OAuthProfileParseError`. */
export const maxAccountId = 1024
/** Characters of the name that `profile()` returns. Beyond: cut off. */
export const maxProfileName = 1024
/** Characters of the image that `profile()` returns, such as a `data:` URL for the database. Beyond: no image. */
export const maxProfileImage = 262_144
/** Characters of an image in the cookie of a session. Beyond: a session without image. */
export const maxClaimImage = 8192

/** Characters of a name that a user types on the account page. Beyond: cut off. */
export const maxTypedName = 100
/** Characters of the URL of an image that a user types. Beyond: `InvalidProfile`. */
export const maxTypedImage = 2048

/** Characters of the response of a passkey, as JSON. Beyond: `WebAuthnVerificationError`. */
export const maxPasskeyResponse = 32_768
/** Characters of the client data in it. Beyond: `WebAuthnVerificationError`. */
export const maxClientData = 4096
/** Characters of the email or user name that a passkey is for. Beyond: as without one. */
export const maxPasskeyName = 254
