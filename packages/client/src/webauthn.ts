import { offerAutofill, supportsAutofill } from "./autofill.js"
import { forgetPasskey, replacePending } from "./ceremony.js"
import { runCeremony, supportsPasskeys } from "./credential.js"
import type { Answer, AuthClient, Ceremony, SignInAuthorizationParams, SignInOptions, SignInResponse } from "./model.js"
import { fieldOf, isRecord } from "./result.js"
import { formBody } from "./transport.js"

/** The options of {@link signIn}. All other fields, such as `email`, go to the server. */
export interface PasskeySignInOptions<Redirect extends boolean = true> extends SignInOptions<Redirect> {
  /**
   * `"authenticate"` signs in with a passkey. `"register"` creates one: for the signed-in user, or for a new user.
   * Without it, a visitor signs in, and the server refuses the request of a signed-in user.
   */
  action?: "authenticate" | "register" | (string & Record<never, never>) | undefined
  /**
   * Offers passkeys in the browser's autofill, and signs in when the user selects one. Call `signIn` once when the page
   * loads. The page needs an `<input autocomplete="username webauthn">`. @default false
   */
  useBrowserAutofill?: boolean | undefined
  /** Cancels the request to the browser. Another call of `signIn` cancels it too. */
  signal?: AbortSignal | undefined
}

/** The type of {@link signIn}. */
export interface SignInWithPasskey {
  (
    client: Pick<AuthClient, "signIn">,
    provider?: string,
    options?: PasskeySignInOptions,
    authorizationParams?: SignInAuthorizationParams,
  ): Promise<void>
  (
    client: Pick<AuthClient, "signIn">,
    provider: string | undefined,
    options: PasskeySignInOptions<false>,
    authorizationParams?: SignInAuthorizationParams,
  ): Promise<SignInResponse>
  (
    client: Pick<AuthClient, "signIn">,
    provider: string | undefined,
    options: PasskeySignInOptions<boolean>,
    authorizationParams?: SignInAuthorizationParams,
  ): Promise<SignInResponse | undefined>
}

/**
 * Signs in with a passkey or creates one. Call it from a click handler, because browsers require a user gesture.
 *
 * If the server refuses before the browser asks the user, it stays on the page. With `redirect: false`, the result then
 * has `error: "RateLimited"` for too many requests, or the `status` 400 for a request that the server doesn't allow.
 *
 * With `useBrowserAutofill`, it doesn't throw an error of the browser. It resolves to `undefined`, or with
 * `redirect: false` to a result whose `error` is the name of the DOMException, such as `AbortError` after another call
 * or `NotSupportedError` in a browser without autofill of passkeys.
 *
 * @example
 * ```ts
 * import { createAuthClient } from "@latchkey/client"
 * import { signIn } from "@latchkey/client/webauthn"
 *
 * const client = createAuthClient()
 * void signIn(client, "passkey", { useBrowserAutofill: true })
 * export const register = (email: string) => signIn(client, "passkey", { action: "register", email })
 * ```
 * @throws TypeError if `provider` isn't a passkey provider; DOMException `NotAllowedError` if the user cancels or no
 * passkey was found, `InvalidStateError` if the device already has a passkey of this user, `AbortError` after another
 * call, `NotSupportedError` if the browser has no WebAuthn
 */
// `redirect` decides which overload applies.
export const signIn: SignInWithPasskey = (async (
  client: Pick<AuthClient, "signIn">,
  provider: string | undefined,
  { useBrowserAutofill, signal, ...options }: PasskeySignInOptions<boolean> = {},
  authorizationParams?: SignInAuthorizationParams,
) => {
  const ceremony = useBrowserAutofill === true ? autofillCeremony(signal) : buttonCeremony(signal)
  return client.signIn(provider, options, authorizationParams, ceremony)
}) as SignInWithPasskey

type Ways = Parameters<Ceremony>[0]
type Options = { readonly action: unknown; readonly options: object } | { readonly refusal: Answer }

function buttonCeremony(outer: AbortSignal | undefined): Ceremony {
  return async (ways) => {
    requirePasskeys(ways)
    if (!supportsPasskeys()) throw notSupported()
    const signal = replacePending(outer)
    const answer = await optionsOf(ways)
    if ("refusal" in answer) return answer
    const { action, options } = answer
    const data = await runCeremony(action, options, { signal })
    return { shown: { action, data }, ...(action === "register" && { onRefused: () => forgetPasskey(options, data) }) }
  }
}

function autofillCeremony(outer: AbortSignal | undefined): Ceremony {
  return async (ways) => {
    requirePasskeys(ways)
    const action = "authenticate"
    let refusal: Answer | undefined
    try {
      if (!(await supportsAutofill())) throw notSupported()
      const getOptions = async () => {
        const answer = await optionsOf({ ...ways, fields: { ...ways.fields, action } })
        if ("options" in answer) return answer.options
        refusal = answer.refusal
        throw new Error("The server refused")
      }
      return { shown: { action, data: await offerAutofill(getOptions, replacePending(outer)) } }
    } catch (error) {
      return refusal ? { refusal } : { canceled: error instanceof Error ? error.name : "AbortError" }
    }
  }
}

function requirePasskeys({ provider: { id, type } }: Ways): void {
  if (type === "webauthn") return
  throw new TypeError(`"${id}" isn't a passkey provider. Import \`signIn\` from the main entry point instead.`)
}

async function optionsOf({ send, provider, fields }: Ways): Promise<Options> {
  const answer = await send(`webauthn-options/${encodeURIComponent(provider.id)}?${formBody(fields)}`)
  const [action, options] = [fieldOf(answer.body, "action"), fieldOf(answer.body, "options")]
  return answer.ok && isRecord(options) ? { action, options } : { refusal: { ...answer, ok: false } }
}

function notSupported(): DOMException {
  const problem = "This browser doesn't support passkeys here. Use HTTPS or localhost, and a current browser."
  return new DOMException(problem, "NotSupportedError")
}
