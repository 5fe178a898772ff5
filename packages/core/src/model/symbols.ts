/**
 * Key of a provider (or configuration) property that replaces `fetch` for every request made on its behalf.
 *
 * @example
 * ```ts
 * import { customFetch } from "@latchkey/core"
 * const viaProxy: typeof fetch = (input, init) => fetch(input, init)
 * const provider = { id: "acme", name: "Acme", type: "oidc", issuer: "https://acme.example", [customFetch]: viaProxy }
 * ```
 */
export const customFetch: unique symbol = Symbol("custom-fetch")

/** `skipCSRFCheck: skipCSRFCheck` says that the caller has checked the origin itself. Compared by identity. */
export const skipCSRFCheck: unique symbol = Symbol("skip-csrf-check")

/** `raw: raw` makes `Auth()` return data instead of a `Response`, and throw `AuthError`s. Compared by identity. */
export const raw: unique symbol = Symbol("raw")
