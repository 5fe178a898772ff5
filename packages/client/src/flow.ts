import type { ProviderType } from "@latchkey/core/types"
import { forgetPasskey, refusals } from "./ceremony.js"
import type { Flow, FlowFields, PasskeyStepOptions, SignInResult, StepOptions } from "./flow-model.js"
import { proofOfAutofill, proofOfButton } from "./flow-passkey.js"
import { type FlowClient, paramOf, requestsOf, targetOf, valuesOf } from "./flow-requests.js"
import { isBrowser } from "./transport.js"

export type * from "./flow-model.js"
export type { FlowClient }

/** What a step of a sign-in can lead to, besides an error. */
const signInSteps = ["signed-in", "redirect", "factor"] as const

/**
 * Creates the functions for a sign-in page of your own: one for each step.
 *
 * @example
 * ```ts
 * import { createAuthClient } from "@latchkey/client"
 * import { createFlow } from "@latchkey/client/flow"
 *
 * const flow = createFlow(createAuthClient())
 *
 * export async function signIn(form: HTMLFormElement): Promise<string | undefined> {
 *   const step = await flow.password(new FormData(form))
 *   if (step.status === "error") return step.error.message
 *   flow.follow(step)
 *   return undefined
 * }
 * ```
 */
export function createFlow(client: FlowClient): Flow {
  const { get, post, providerFor } = requestsOf(client)

  async function signIn(type: ProviderType, fields: FlowFields, options: StepOptions): Promise<SignInResult> {
    const provider = await providerFor(type, options)
    return post(`callback/${provider}`, { ...valuesOf(fields), callbackUrl: targetOf(options) }, signInSteps)
  }

  async function usePasskey(
    action: "authenticate" | "register",
    { autofill, signal, fields = {}, ...options }: PasskeyStepOptions,
  ): Promise<SignInResult> {
    const provider = await providerFor("webauthn", options)
    const values = valuesOf(fields)
    const getOptions = async () => get(`webauthn-options/${provider}`, { ...values, action }, ["passkey"])
    const proof = await (autofill === true ? proofOfAutofill : proofOfButton)(getOptions, signal)
    if ("status" in proof) return proof
    const { data } = proof
    const step = await signIn("webauthn", { ...values, action, data }, options)
    const isUnknown = action === "register" && step.status === "error" && refusals.has(step.error.code)
    if (isUnknown) forgetPasskey(proof.options, data)
    return step
  }

  return {
    methods: ({ callbackUrl = paramOf("callbackUrl"), error = paramOf("error") } = {}) =>
      get("signin", { callbackUrl, error }, ["methods"]),
    password: (fields, options = {}) => signIn("credentials", fields, options),
    async email(email, options = {}) {
      const provider = await providerFor("email", options)
      return post(`signin/${provider}`, { email, callbackUrl: targetOf(options) }, ["email-sent", "redirect"])
    },
    async emailSent(options = {}) {
      const provider = await providerFor("email", options)
      return get("verify-request", { provider, type: "email" }, ["email-sent"])
    },
    code: (code, options = {}) => signIn("email", { code }, options),
    passkey: (options = {}) => usePasskey("authenticate", options),
    createPasskey: (fields = {}, options = {}) => usePasskey("register", { ...options, fields }),
    factor: async () => get("factor", {}, ["factor"]),
    answerFactor: async (fields) => post("factor", valuesOf(fields), signInSteps),
    async factorPasskey({ passkey }, { signal, fields = {} } = {}) {
      const { options = {}, messages = {} } = passkey ?? {}
      const asked = async () => ({ status: "passkey", action: "authenticate", options, messages }) as const
      const proof = await proofOfButton(asked, signal)
      if ("status" in proof) return proof
      return post("factor", { ...valuesOf(fields), passkey: proof.data }, signInSteps)
    },
    oauth: (provider, options = {}) =>
      post(`signin/${encodeURIComponent(provider)}`, { callbackUrl: targetOf(options) }, ["redirect"]),
    signOut: ({ redirectTo = isBrowser() ? location.href : undefined } = {}) =>
      post("signout", { callbackUrl: redirectTo }, ["signed-out"]),
    error: async (code) => (await get("error", { error: code })).error,
    follow: ({ url }) => client.connection.navigate(url),
  }
}
