import { commonOf, fetchOf } from "../../config/common-provider.js"
import { type Problem, type Warning, isPositive, tolerable } from "../../config/check/problem.js"
import { securityOf } from "../../config/presets.js"
import { type Feature, type ProviderFeature, nameOf } from "../../config/feature.js"
import { numberOf } from "../../compat/repair.js"
import type { AdapterUser } from "../../model/adapter.js"
import type { AuthContext } from "../../model/auth.js"
import type { AuthConfig } from "../../model/config.js"
import type { MessageOptions } from "../../model/email-message.js"
import type { AccountEmail, EmailConfig, EmailProvider, VerificationRequest } from "../../model/email-provider.js"
import type { Route } from "../../model/features.js"
import { loadOnce, onFirstUse } from "../../primitives/awaitable.js"
import type { Runtime } from "../../primitives/runtime.js"

const providers: ProviderFeature<EmailConfig> = {
  types: ["email"],
  needsAdapter: {
    name: "email sign-in",
    methods: ["createVerificationToken", "useVerificationToken", "getUserByEmail"],
    hidesSessions: true,
  },
  resolve: resolveEmail,
  problems: emailProblems,
  warningsOnceCompiled: missingMethods,
  view: loadOnce(async () => (await import("./view.js")).view),
  load: loadOnce(async () => (await import("./email.js")).email),
}

/** Sign-in with a link or code that is sent by email. */
export const email: Feature = {
  providers,
  routes: new Map<string, Route<AuthContext>>([
    ["GET verify-request", { handle: onFirstUse(async () => (await import("./verify-request.js")).verifyRequest) }],
  ]),
  pages: [
    { name: "verify-request", load: async () => (await import("./verify-request-page.js")).verifyRequestView },
    { name: "confirm-email", load: async () => (await import("./confirm-email-page.js")).confirmEmailView },
  ],
  credentialKinds: [
    {
      name: "email-links",
      startsSessions: true,
      end: onFirstUse(async () => (await import("./end-links.js")).endEmailLinks),
    },
  ],
}

function resolveEmail(provider: EmailConfig, config: AuthConfig, runtime: Runtime): EmailProvider {
  return Object.freeze({
    ...commonOf(provider),
    type: "email",
    from: provider.from,
    maxAge: numberOf(provider.maxAge) ?? securityOf(config).emailLinkMaxAge,
    secret: provider.secret,
    apiKey: provider.apiKey,
    server: provider.server,
    code: provider.code !== false,
    fetch: fetchOf(provider, runtime),
    sendVerificationRequest: provider.sendVerificationRequest,
    sendAccountEmail: provider.sendAccountEmail,
    compose: async (message: VerificationRequest | AccountEmail, options?: MessageOptions) =>
      (await import("../../mail/account-letter.js")).compose(message, options),
    generateVerificationToken: provider.generateVerificationToken,
    normalizeIdentifier: provider.normalizeIdentifier,
    canSignIn: ({ email, emailVerified }: AdapterUser) => Boolean(email && emailVerified),
  })
}

function* emailProblems(path: string, { maxAge, ...provider }: EmailConfig): Generator<Problem> {
  if (typeof provider.sendVerificationRequest !== "function") {
    const problem = `${nameOf(provider)} has no \`sendVerificationRequest\` function`
    const found = tolerable(`${path}.sendVerificationRequest`, problem, "Add one that sends the message")
    yield { ...found, disables: path }
  }
  if (maxAge !== undefined && maxAge !== null && !isPositive(maxAge)) {
    const fix = "Set a number of seconds, or omit it"
    const found = tolerable(`${path}.maxAge`, "The lifetime isn't a positive number", fix)
    yield isPositive(numberOf(maxAge)) ? found : { ...found, disables: path }
  }
  if (provider.code !== undefined && provider.code !== null && typeof provider.code !== "boolean")
    yield tolerable(`${path}.code`, "The value isn't a boolean", "Set `true` or `false`")
}

const methodsFor = [
  ["newestEmailLinkOnly", "deleteVerificationTokens"],
  ["reclaimMailbox", "deleteSessions"],
  ["reclaimMailbox", "listAccounts"],
] as const

/** Without these methods the options still work in part, so this isn't an error. */
function* missingMethods({ security, adapter, providers }: AuthContext): Generator<Warning> {
  if (![...providers.values()].some(({ type }) => type === "email")) return
  const missing = methodsFor.filter(([option, method]) => security[option] && adapter?.[method] === undefined)
  if (missing.length === 0) return
  const methods = missing.map(([, method]) => method).join(", ")
  const options = [...new Set(missing.map(([option]) => `\`security.${option}\``))].join(" and ")
  const detail = `The adapter lacks ${methods}, which ${options} needs. Add the methods, or turn the option off`
  yield { code: "store-capability-missing", detail }
}
