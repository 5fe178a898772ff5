import { AuthError } from "../errors.js"
import type { EmailConfig } from "../model/email-provider.js"
import { bearerJson, type KeyedMail, keyedSender, type SenderConfig } from "../provider-kit/email/sender.js"

/** Options of the Loops provider. The message is a template in Loops, so `from`, `message` and `texts` do nothing. */
export interface LoopsConfig extends SenderConfig {
  /** Required. The id of the published transactional email. */
  readonly transactionalId?: string | undefined
  /** Returns the data variables for the email. @default `({ url }) => ({ url })` */
  readonly dataVariables?: ((mail: Pick<KeyedMail, "url" | "code">) => Readonly<Record<string, string>>) | undefined
}

/**
 * Sign in with a link sent by email through Loops.
 *
 * 1. Publish a transactional email in Loops with a button that links to the data variable `url`.
 * 2. Set `transactionalId` to its id.
 * 3. Create an API key and set `AUTH_LOOPS_KEY`.
 *
 * To send the six-digit code too, add a data variable to the email and return it from `dataVariables`.
 * Requires an adapter. There is no callback URL to register.
 *
 * @example
 * ```ts
 * import Loops from "@latchkey/core/providers/loops"
 * export const provider = Loops({
 *   transactionalId: "clfq6dinn000yl70fgwwyp82l",
 *   dataVariables: ({ url, code = "" }) => ({ url, code }),
 * })
 * ```
 * @see https://loops.so/docs/api-reference/send-transactional-email
 */
export default function Loops<const Id extends string = "loops">(
  config: LoopsConfig & { readonly id?: Id | undefined } = {},
): EmailConfig & { readonly id: Id } {
  const { transactionalId, dataVariables = ({ url }) => ({ url }) } = config
  const provider = keyedSender({ id: "loops", name: "Loops" }, config, ({ apiKey, to, url, code }) => {
    if (!transactionalId)
      throw new AuthError("Loops needs a transactional email. Set `transactionalId` to the id of a published one.")
    return bearerJson("https://app.loops.so/api/v1/transactional", apiKey, {
      transactionalId,
      email: to,
      dataVariables: dataVariables({ url, code }),
    })
  })
  // The template is that of a sign-in link, so it can't tell a user that their email was changed.
  const { sendAccountEmail: _, ...withTemplate } = provider
  return withTemplate
}

export type LoopsUserConfig = LoopsConfig
