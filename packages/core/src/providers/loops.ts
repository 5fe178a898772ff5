import { AuthError } from "../errors.js"
import { bearerJson, type KeyedMail, keyedSender, type SenderConfig } from "../mail/sender.js"
import type { EmailConfig } from "../model/provider.js"

/** Options of the Loops provider. The message is a template kept at Loops: `from`, `message` and `texts` have no effect. */
export interface LoopsConfig extends SenderConfig {
  /** The id of the published transactional template. */
  readonly transactionalId?: string | undefined
  /** The variables of your template. @default `({ url }) => ({ url })` */
  readonly dataVariables?: ((mail: Pick<KeyedMail, "url" | "code">) => Readonly<Record<string, string>>) | undefined
}

/**
 * Sign-in with a link sent through Loops (loops.so/docs/api-reference/send-transactional-email).
 *
 * Set up: publish a transactional template there whose button leads to the variable `url`, put its id into
 * `transactionalId` and an API key into `AUTH_LOOPS_KEY`. For the six-digit code add a variable to the template, and name
 * it in `dataVariables`. Needs an adapter. The callback is `<base>/callback/loops`.
 *
 * @example
 * ```ts
 * import loops from "@latchkey/core/providers/loops"
 * export const provider = loops({
 *   transactionalId: "clfq6dinn000yl70fgwwyp82l",
 *   dataVariables: ({ url, code = "" }) => ({ url, code }),
 * })
 * ```
 */
export default function loops(config: LoopsConfig = {}): EmailConfig {
  const { transactionalId, dataVariables = ({ url }) => ({ url }) } = config
  return keyedSender({ id: "loops", name: "Loops" }, config, ({ apiKey, to, url, code }) => {
    if (!transactionalId) throw new AuthError("Loops has no template: set `transactionalId` to that of a published one")
    return bearerJson("https://app.loops.so/api/v1/transactional", apiKey, {
      transactionalId,
      email: to,
      dataVariables: dataVariables({ url, code }),
    })
  })
}
