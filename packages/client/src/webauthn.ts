import { creationOptions, credentialJson, requestOptions } from "./credential.js"
import type { AuthClient, Ceremony, SignInAuthorizationParams, SignInOptions, SignInResponse } from "./model.js"
import { fieldOf, isRecord } from "./result.js"
import { formBody } from "./transport.js"

/** The type of {@link signIn}. */
export interface SignInWithPasskey {
  (
    client: Pick<AuthClient, "signIn">,
    provider?: string,
    options?: SignInOptions,
    authorizationParams?: SignInAuthorizationParams,
  ): Promise<void>
  (
    client: Pick<AuthClient, "signIn">,
    provider: string | undefined,
    options: SignInOptions<false>,
    authorizationParams?: SignInAuthorizationParams,
  ): Promise<SignInResponse>
  (
    client: Pick<AuthClient, "signIn">,
    provider: string | undefined,
    options: SignInOptions<boolean>,
    authorizationParams?: SignInAuthorizationParams,
  ): Promise<SignInResponse | undefined>
}

/**
 * Signs in with a passkey or registers one. The server chooses, unless you set the `action` field to `"authenticate"` or
 * `"register"`. Call it from a click handler, because browsers require a user gesture.
 *
 * @example
 * ```ts
 * import { createAuthClient } from "@latchkey/client"
 * import { signIn } from "@latchkey/client/webauthn"
 *
 * const client = createAuthClient()
 * export const register = (email: string) => signIn(client, "passkey", { action: "register", email })
 * ```
 * @throws TypeError if `provider` isn't a passkey provider; DOMException if the user cancels or the browser refuses
 */
// `redirect` decides which overload applies.
export const signIn: SignInWithPasskey = (async (
  client: Pick<AuthClient, "signIn">,
  provider: string | undefined,
  options: SignInOptions<boolean> = {},
  authorizationParams?: SignInAuthorizationParams,
) => client.signIn(provider, options, authorizationParams, ceremony)) as SignInWithPasskey

const ceremony: Ceremony = async ({ send, provider: { id, type }, fields }) => {
  if (type !== "webauthn") {
    throw new TypeError(`"${id}" isn't a passkey provider. Import \`signIn\` from the main entry point instead.`)
  }
  const answer = await send(`webauthn-options/${encodeURIComponent(id)}?${formBody(fields)}`)
  const [action, options] = [fieldOf(answer.body, "action"), fieldOf(answer.body, "options")]
  if (!answer.ok || !isRecord(options)) return { refusal: { ...answer, ok: false } }
  const credential =
    action === "register"
      ? await navigator.credentials.create({ publicKey: creationOptions(options) })
      : await navigator.credentials.get({ publicKey: requestOptions(options) })
  // With `publicKey`, both methods return a `PublicKeyCredential` or throw.
  return { shown: { action, data: JSON.stringify(credentialJson(credential as PublicKeyCredential)) } }
}
