/**
 * Key of a provider property that replaces `fetch` for every request to that provider.
 *
 * @example
 * ```ts
 * import { customFetch } from "@latchkey/core"
 * const viaProxy: typeof fetch = (input, init) => fetch(input, init)
 * const provider = { id: "acme", name: "Acme", type: "oidc", issuer: "https://acme.example", [customFetch]: viaProxy }
 * ```
 */
export const customFetch: unique symbol = Symbol("custom-fetch")

/** Set `skipCSRFCheck: skipCSRFCheck` if your application checks the origin of requests itself. */
export const skipCSRFCheck: unique symbol = Symbol("skip-csrf-check")

/** Set `raw: raw` to make `Auth()` return data instead of a `Response`, and throw `AuthError`s. */
export const raw: unique symbol = Symbol("raw")

/**
 * Key of a function that loads the module whose functions a provider has. Registered, because a bundler may copy this module.
 */
export const installedLibrary: unique symbol = Symbol.for("@latchkey/core/installed-library")

/**
 * Key of a configuration whose integration disables the CSRF check because it checks the sender of each form itself.
 * Registered, because the integration is another package.
 */
export const checksSender: unique symbol = Symbol.for("@latchkey/core/checks-sender")

/** Marks a function that stands for an option that isn't set. Registered, because a bundler may copy this module. */
export const standsIn: unique symbol = Symbol.for("@latchkey/core/stands-in")

/** Key of the function that loads what core does with modules. Registered, because a bundler may copy this module. */
export const seamLoader: unique symbol = Symbol.for("@latchkey/core/seam")
