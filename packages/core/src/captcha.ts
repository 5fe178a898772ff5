import type { Captcha, CaptchaAction, CaptchaWidget } from "./model/captcha.js"

export type { Captcha, CaptchaAction, CaptchaWidget }

/** Options of `turnstile` and `hcaptcha`. */
export interface CaptchaKeys extends Pick<Captcha, "actions" | "whenUnavailable"> {
  readonly siteKey: string
  readonly secretKey: string
}

/**
 * Cloudflare Turnstile. A token of one form doesn't work for another one.
 *
 * @example
 * ```ts
 * import type { AuthConfig } from "@latchkey/core"
 * import { turnstile } from "@latchkey/core/captcha"
 *
 * const { TURNSTILE_SITE_KEY: siteKey = "", TURNSTILE_SECRET_KEY: secretKey = "" } = process.env
 * export const captcha: AuthConfig["captcha"] = turnstile({ siteKey, secretKey })
 * ```
 */
export function turnstile(keys: CaptchaKeys): Captcha {
  const host = "https://challenges.cloudflare.com"
  return service(keys, {
    field: "cf-turnstile-response",
    verifyUrl: `${host}/turnstile/v0/siteverify`,
    widget: { script: `${host}/turnstile/v0/api.js`, className: "cf-turnstile", hosts: [host] },
    accepts: ({ success, action }, asked) => success === true && action === asked,
  })
}

/** hCaptcha. */
export function hcaptcha(keys: CaptchaKeys): Captcha {
  return service(keys, {
    field: "h-captcha-response",
    verifyUrl: "https://api.hcaptcha.com/siteverify",
    widget: {
      script: "https://js.hcaptcha.com/1/api.js",
      className: "h-captcha",
      hosts: ["https://hcaptcha.com", "https://*.hcaptcha.com"],
    },
    accepts: ({ success }) => success === true,
  })
}

interface Service {
  readonly field: string
  readonly verifyUrl: string
  readonly widget: Omit<CaptchaWidget, "siteKey">
  accepts(answer: { readonly success?: unknown; readonly action?: unknown }, asked: CaptchaAction): boolean
}

function service(
  { siteKey, secretKey, ...options }: CaptchaKeys,
  { field, verifyUrl, widget, accepts }: Service,
): Captcha {
  return {
    ...options,
    field,
    widget: { ...widget, siteKey },
    async verify({ token, ip, action, fetch }) {
      const address = ip === undefined ? {} : { remoteip: ip }
      const body = new URLSearchParams({ secret: secretKey, response: token, ...address })
      const response = await fetch(verifyUrl, { method: "POST", body, redirect: "error" })
      if (!response.ok) throw new Error(`${new URL(verifyUrl).host} answered with status ${response.status}`)
      return accepts((await response.json()) as Parameters<Service["accepts"]>[0], action)
    },
  }
}
