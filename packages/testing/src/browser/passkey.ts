import type { Authenticator } from "../authenticator/model.js"
import type { CreationOptions, RequestOptions } from "../authenticator/messages.js"
import type { Browser, BrowserOptions, PasskeyOptions } from "./model.js"
import { csrfField, pathTo } from "./sign-in.js"

type Issued =
  | { readonly action: "register"; readonly options: CreationOptions }
  | { readonly action: "authenticate"; readonly options: RequestOptions }

/** Asks for options, lets the authenticator answer them and posts the answer with the fields, as `signIn` does. */
export async function usePasskey(
  browser: Browser,
  app: BrowserOptions,
  authenticator: Authenticator,
  { provider = "passkey", action, fields = {} }: PasskeyOptions & { readonly action: Issued["action"] },
): Promise<Response> {
  const query = new URLSearchParams({ ...fields, action }).toString()
  const response = await browser.fetch(`${pathTo(app, "webauthn-options", provider)}?${query}`)
  if (!response.ok) return response
  // The server decides on the type, and the authenticator checks what it needs.
  const issued = (await response.json()) as Issued
  const origin = { origin: app.origin }
  const answer =
    issued.action === "register"
      ? await authenticator.create(issued.options, origin)
      : await authenticator.get(issued.options, origin)
  return await browser.post(pathTo(app, "callback", provider), {
    ...(await csrfField(browser)),
    ...fields,
    action: issued.action,
    data: JSON.stringify(answer),
  })
}
