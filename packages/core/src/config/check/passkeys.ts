import type { CredentialInput, WebAuthnConfig } from "../../model/credentials-provider.js"
import type { Problem } from "./problem.js"
import type { ReadProvider } from "../read-providers.js"

export function* webauthnProblems(
  path: string,
  { simpleWebAuthnBrowserVersion: version }: WebAuthnConfig,
): Generator<Problem> {
  if (!version || /^v\d+(?:\.\d+){0,2}$/.test(version)) return
  const problem = "The version of the browser library is not one"
  yield {
    path: `${path}.simpleWebAuthnBrowserVersion`,
    problem,
    fix: "Write it as v9.0.1, or false",
    type: "AuthError",
  }
}

/** The browser offers passkeys in one form, in a field that asks for them. */
export function* autofillProblems(providers: readonly ReadProvider[]): Generator<Problem> {
  let seen = false
  for (const { path, provider } of providers) {
    if (provider.type !== "webauthn" || provider.enableConditionalUI !== true) continue
    const option = `${path}.enableConditionalUI`
    if (seen) {
      const problem = "Two passkey providers want the browser's autofill"
      yield {
        path: option,
        problem,
        fix: "Set `enableConditionalUI: false` on one of them",
        type: "DuplicateConditionalUI",
      }
    }
    seen = true
    const fields = Object.values(provider.formFields ?? {})
    if (fields.some((field) => asksForPasskey(field))) continue
    const fix = 'Give one of `formFields` an `autocomplete` that contains "webauthn"'
    yield {
      path: option,
      problem: "No form field invites the autofill of passkeys",
      fix,
      type: "MissingWebAuthnAutocomplete",
    }
  }
}

function asksForPasskey({ autocomplete }: CredentialInput): boolean {
  return typeof autocomplete === "string" && autocomplete.includes("webauthn")
}
