import { creationOptions, credentialJson, requestOptions } from "./credential.js"
import type { AuthClient, Ceremony, SignInAuthorizationParams, SignInOptions, SignInResponse } from "./model.js"
import { fieldOf, isRecord } from "./result.js"
import { formOf } from "./wire.js"

/** Signs in with a passkey, or registers one: which of the two, the server says. See {@link signIn}. */
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
 * Signs in with a passkey, or registers one: which of the two, the server says, unless `action` does. Call it from a click.
 *
 * @example
 * ```ts
 * import { createAuthClient } from "@latchkey/client"
 * import { signIn } from "@latchkey/client/webauthn"
 *
 * const client = createAuthClient()
 * export const register = (email: string) => signIn(client, "passkey", { action: "register", email })
 * ```
 * @throws TypeError if the provider is no passkey provider; DOMException when the person or the browser refuses
 */
// Which of the overloads holds is decided by `redirect`.
export const signIn: SignInWithPasskey = (async (
  client: Pick<AuthClient, "signIn">,
  provider: string | undefined,
  options: SignInOptions<boolean> = {},
  authorizationParams?: SignInAuthorizationParams,
) => client.signIn(provider, options, authorizationParams, ceremony)) as SignInWithPasskey

const ceremony: Ceremony = async ({ send, provider: { id, type }, fields }) => {
  if (type !== "webauthn") throw new TypeError(`"${id}" takes no passkeys: use the other \`signIn\``)
  const answer = await send(`webauthn-options/${encodeURIComponent(id)}?${formOf(fields)}`)
  const [action, options] = [fieldOf(answer.body, "action"), fieldOf(answer.body, "options")]
  if (!answer.ok || !isRecord(options)) return { refusal: { ...answer, ok: false } }
  const credential =
    action === "register"
      ? await navigator.credentials.create({ publicKey: creationOptions(options) })
      : await navigator.credentials.get({ publicKey: requestOptions(options) })
  // Both give this kind for `publicKey`; and `null` only for kinds that nobody asked for.
  return { shown: { action, data: JSON.stringify(credentialJson(credential as PublicKeyCredential)) } }
}
