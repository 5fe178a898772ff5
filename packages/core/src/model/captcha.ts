import type { Fetch } from "../primitives/runtime.js"
import type { Awaitable } from "./user.js"

/** A form that a CAPTCHA protects: sign-up and reset with a password, and an email link. */
export type CaptchaAction = "sign-up" | "reset" | "email"

/** A CAPTCHA. `turnstile` and `hcaptcha` of `@latchkey/core/captcha` make one. */
export interface Captcha {
  /**
   * Asks the service whether the token is good. The service lets each token be used once. It isn't called without a token, or with one
   * over 8,192 characters.
   */
  verify(params: {
    readonly token: string
    /** The address of the visitor, as far as it's known. */
    readonly ip: string | undefined
    readonly action: CaptchaAction
    readonly request: Request
    /** `runtime.fetch` of the configuration. */
    readonly fetch: Fetch
  }): Awaitable<boolean>
  /** The field of the form that holds the token. */
  readonly field: string
  /** What the built-in pages show. @default nothing: your own pages do */
  readonly widget?: CaptchaWidget | undefined
  /** The forms that it protects. @default all */
  readonly actions?: readonly CaptchaAction[] | undefined
  /** What happens if `verify` throws, which is logged. @default "refuse" */
  readonly whenUnavailable?: "refuse" | "allow" | undefined
}

export interface CaptchaWidget {
  /** The https URL of the script. It finds the element by its class. */
  readonly script: string
  readonly className: string
  readonly siteKey: string
  /** Hosts such as `https://*.hcaptcha.com` that the Content Security Policy of these pages allows. */
  readonly hosts: readonly string[]
}
