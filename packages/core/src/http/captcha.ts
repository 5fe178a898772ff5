import { AuthError, CaptchaRefused } from "../errors.js"
import { maxCaptchaToken } from "../limits/of-input.js"
import type { AuthContext } from "../model/auth.js"
import type { CaptchaAction } from "../model/captcha.js"
import type { AuthRequest } from "../model/http.js"
import { keepSecret } from "../observability/in-flight.js"
import { within } from "../primitives/runtime.js"
import { textOf, toRequest } from "./auth-request.js"
import { clientOf } from "./client-ip.js"

/** Milliseconds. */
const timeoutMs = 5000

/** @throws CaptchaRefused if a CAPTCHA is configured for this form, and it isn't solved */
export async function requireCaptcha(auth: AuthContext, request: AuthRequest, action: CaptchaAction): Promise<void> {
  const { captcha } = auth
  if (captcha === undefined || captcha.actions?.includes(action) === false) return
  const token = textOf(request.body[captcha.field])
  if (token === undefined || token.length > maxCaptchaToken)
    throw new CaptchaRefused(`The form has no usable \`${captcha.field}\`, so its CAPTCHA isn't solved`)
  keepSecret(request, token)
  if (!(await isSolved(auth, request, { token, action })))
    throw new CaptchaRefused("The CAPTCHA service refused the token")
}

async function isSolved(
  auth: AuthContext,
  request: AuthRequest,
  { token, action }: { readonly token: string; readonly action: CaptchaAction },
): Promise<boolean> {
  const { captcha, runtime, logger } = auth
  try {
    const { fetch } = runtime
    const ip = clientOf(auth, request).address
    const asked = captcha?.verify({ token, ip, action, request: toRequest(request), fetch })
    return (await within(timeoutMs, asked, tooLate)) === true
  } catch (cause) {
    const allows = captcha?.whenUnavailable === "allow"
    const outcome = allows ? "so the form was accepted" : "so the form was refused"
    logger.error(new AuthError(`The CAPTCHA service can't be asked, ${outcome}`, { cause }))
    return allows
  }
}

function tooLate(): never {
  throw new Error(`There was no answer within ${timeoutMs / 1000} seconds`)
}
