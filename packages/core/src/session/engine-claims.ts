/**
 * The claims that say whose session a token is and how long it lasts. Add a claim here if the engine writes it into tokens:
 * then browsers can't send it with an update, and the `jwt` callback can't change it.
 */

/** Claims of the engine that Auth.js v5 doesn't have. */
export const sessionClaims: readonly string[] = ["sid", "auth_time", "auth_time_assumed", "checked_at"]

/** When a token is valid, and which token it is (RFC 7519 §4.1). Sealing writes most of them anew. */
export const tokenClaims: readonly string[] = ["exp", "iat", "nbf", "jti"]

/** Who issued a token to whom (RFC 7519 §4.1). */
export const issuerClaims: readonly string[] = ["iss", "aud"]

/** The email of the user, and whether it's verified. The last is the name of the column. */
export const emailClaims: readonly string[] = ["email", "email_verified", "emailVerified"]

/** How a user authenticated at a provider (OpenID Connect Core §2, RFC 7800 §3.1). */
export const proofClaims: readonly string[] = ["acr", "amr", "azp", "cnf", "nonce"]
