import type { CredentialInput, WebAuthnConfig } from "../../model/credentials-provider.js"
import type { AuthConfig } from "../../model/config.js"
import { securityMode } from "../defaults.js"
import type { ReadProvider } from "../read-providers.js"
import { invalid, type Problem, type Warning } from "./problem.js"

/** Says why a sign-in with a passkey provider fails, and what to do. */
export function passkeysUnavailable(id: string): string {
  return `Passkeys aren't available yet, so the provider "${id}" can't sign users in. ${removeIt}`
}

const removeIt = "Remove it from `providers`"

function isUnavailable({ provider }: ReadProvider): boolean {
  return provider.type === "webauthn" && provider.method === undefined
}

/** Under "compatible", the other providers work, and a warning names this one. */
export function* unavailablePasskeys(providers: readonly ReadProvider[], config: AuthConfig): Generator<Problem> {
  if (securityMode(config) !== "strict") return
  for (const { path } of providers.filter(isUnavailable)) {
    yield invalid(path, "Passkeys aren't available yet, so this provider can't sign users in", removeIt)
  }
}

export function* passkeyWarnings(providers: readonly ReadProvider[], config: AuthConfig): Generator<Warning> {
  const [first] = providers.filter(({ provider }) => provider.type === "webauthn")
  if (config.experimental?.enableWebAuthn !== true || first === undefined) return
  const detail = isUnavailable(first)
    ? passkeysUnavailable(first.provider.id)
    : "Passkeys are experimental. Their options may change"
  yield { code: "experimental-webauthn", detail }
}

export function* webauthnProblems(
  path: string,
  { simpleWebAuthnBrowserVersion: version }: WebAuthnConfig,
): Generator<Problem> {
  if (!version || /^v\d+(?:\.\d+){0,2}$/.test(version)) return
  yield {
    path: `${path}.simpleWebAuthnBrowserVersion`,
    problem: "The value isn't a version of the browser library",
    fix: "Use a version such as v9.0.1, or false",
    type: "AuthError",
  }
}

/** Browsers offer passkeys in one form, and only in a field whose `autocomplete` asks for them. */
export function* autofillProblems(providers: readonly ReadProvider[]): Generator<Problem> {
  let seen = false
  for (const { path, provider } of providers) {
    if (provider.type !== "webauthn" || provider.enableConditionalUI !== true) continue
    if (seen) {
      yield {
        path: `${path}.enableConditionalUI`,
        problem: "Two passkey providers use the browser's autofill",
        fix: "Set `enableConditionalUI: false` on one of them",
        type: "DuplicateConditionalUI",
      }
    }
    seen = true
    if (Object.values(provider.formFields ?? {}).some(isPasskeyField)) continue
    yield {
      path: `${path}.enableConditionalUI`,
      problem: "No form field allows the autofill of passkeys",
      fix: 'Give one of `formFields` an `autocomplete` that contains "webauthn"',
      type: "MissingWebAuthnAutocomplete",
    }
  }
}

function isPasskeyField({ autocomplete }: CredentialInput): boolean {
  return typeof autocomplete === "string" && autocomplete.includes("webauthn")
}
