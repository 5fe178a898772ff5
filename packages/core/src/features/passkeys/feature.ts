import { commonOf } from "../../config/common-provider.js"
import type { Problem, Warning } from "../../config/check/problem.js"
import { securityOf } from "../../config/presets.js"
import type { ReadProvider, Feature, ProviderFeature } from "../../config/feature.js"
import type { AuthContext } from "../../model/auth.js"
import type { AuthConfig } from "../../model/config.js"
import type { CredentialInput } from "../../model/credentials-provider.js"
import type { Route } from "../../model/features.js"
import { standsIn } from "../../model/symbols.js"
import type { WebAuthnConfig, WebAuthnProvider } from "../../model/webauthn-provider.js"
import { loadOnce, onFirstUse } from "../../primitives/awaitable.js"
import { passkeyMethods } from "./passkey-methods.js"

const providers: ProviderFeature<WebAuthnConfig> = {
  types: ["webauthn"],
  needsAdapter: { name: "passkeys", methods: passkeyMethods },
  resolve: resolveWebAuthn,
  problems: webauthnProblems,
  problemsTogether: problemsOfAll,
  warningsTogether: passkeyWarnings,
  view: loadOnce(async () => (await import("./view.js")).view),
  load: loadOnce(async () => (await import("./webauthn.js")).webauthn),
}

/** Sign-in with passkeys. */
export const passkeys: Feature = {
  providers,
  routes: new Map<string, Route<AuthContext>>([
    [
      "GET webauthn-options",
      {
        provider: "required",
        serves: ({ type }) => type === "webauthn",
        isForScripts: true,
        handle: onFirstUse(async () => (await import("./options.js")).passkeyOptions),
      },
    ],
  ]),
  accountPart: loadOnce(async () => (await import("./account.js")).passkeysPart),
  accountSection: loadOnce(async () => (await import("./account-section.js")).passkeysSection),
  // The cookie with the challenge of a new passkey counts only beside a session of its user.
  credentialKinds: [{ name: "passkey-registration", end: async () => {} }],
}

function resolveWebAuthn(provider: WebAuthnConfig): WebAuthnProvider {
  return Object.freeze({
    ...commonOf(provider),
    type: "webauthn",
    formFields: provider.formFields,
    config: provider,
  })
}

function* problemsOfAll(providers: readonly ReadProvider[], config: AuthConfig): Generator<Problem> {
  yield* autofillProblems(providers)
  if (config.experimental?.enableWebAuthn || !providers.some(({ provider }) => provider.type === "webauthn")) return
  yield {
    path: "experimental.enableWebAuthn",
    problem: "A passkey provider is configured, but passkeys aren't enabled",
    fix: "Set `experimental.enableWebAuthn: true`",
    type: "ExperimentalFeatureNotEnabled",
  }
}

function* passkeyWarnings(providers: readonly ReadProvider[], config: AuthConfig): Generator<Warning> {
  if (!config.experimental?.enableWebAuthn) return
  yield { code: "experimental-webauthn", detail: "Passkeys are experimental. Their options may change" }
  if (keepsPasskeysOfOthers(providers, config)) yield { code: "passkey-unproven-email", detail: keptPasskey }
}

const keptPasskey =
  "A visitor can sign up with a passkey and the email of another user, and the passkey still works after that user first signs in by email. Set `security.reclaimMailbox: true`, or `security.passkeySignUp: false`"

/** A `getUserInfo` of the application can ask for a proof. */
function keepsPasskeysOfOthers(providers: readonly ReadProvider[], config: AuthConfig): boolean {
  const { passkeySignUp, reclaimMailbox } = securityOf(config)
  if (!passkeySignUp || reclaimMailbox) return false
  const asksForEmail = ({ provider }: ReadProvider) =>
    provider.type === "webauthn" && (provider.getUserInfo === undefined || standsIn in provider.getUserInfo)
  return providers.some(asksForEmail) && providers.some(({ provider }) => provider.type === "email")
}

function* webauthnProblems(
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
function* autofillProblems(providers: readonly ReadProvider[]): Generator<Problem> {
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
