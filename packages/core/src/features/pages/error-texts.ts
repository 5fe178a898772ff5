import { fill } from "../../i18n/fill.js"
import type { Messages } from "../../i18n/messages.js"
import type { SignInProblem } from "../../model/signin-problem.js"

export interface ErrorText {
  readonly status: number
  readonly heading: string
  readonly lines: readonly string[]
  /** Text of the button to the sign-in page. */
  readonly button?: string
}

interface Texts {
  readonly heading: string
  readonly text: string
  readonly advice?: string
}

function errorText(status: number, { heading, text, advice }: Texts, button?: string): ErrorText {
  const lines = advice === undefined ? [text] : [text, advice]
  return { status, heading, lines, ...(button !== undefined && { button }) }
}

/** Content of the error page by the public code of an error. */
export function errorTextOf({ error }: Messages, code: string | undefined): ErrorText {
  switch (code) {
    case "Configuration":
      return errorText(500, error.configuration)
    case "AccessDenied":
      return errorText(403, error.accessDenied, error.signin)
    case "Verification":
      return errorText(403, error.verification, error.signin)
    case "InvalidCheck":
      return errorText(400, error.invalidCheck, error.again)
    case "SignOutError":
      return errorText(503, error.signOut)
    case "RateLimited":
      return errorText(429, error.rateLimited)
    case "WebAuthnVerificationError":
      return errorText(400, error.passkey, error.again)
    default:
      return { status: 400, heading: error.unknown, lines: [] }
  }
}

/** More precise content, if the process knows what happened. @param provider the name of the provider */
export function problemText(t: Messages, problem: SignInProblem, provider: string = t.error.provider): ErrorText {
  const { error } = t
  switch (problem) {
    case "misconfigured":
      return errorText(500, filled(error.misconfigured, provider), error.signin)
    case "unreachable":
      return errorText(503, filled(error.unreachable, provider), error.again)
    case "no-cookie":
      return errorText(400, error.noCookie, error.again)
    case "expired":
      return errorText(400, error.expired, error.again)
    case "used":
      return errorText(400, error.used, error.again)
    case "other-user":
      return errorText(400, error.otherUser, error.again)
  }
}

function filled({ text, ...rest }: Texts, provider: string): Texts {
  return { ...rest, text: fill(text, { provider }) }
}

const signInCodes = {
  AccountNotLinked: "accountNotLinked",
  Callback: "other",
  CaptchaRefused: "captcha",
  CredentialsSignin: "credentials",
  EmailCreateAccount: "other",
  EmailSignin: "email",
  MissingCSRF: "csrf",
  OAuthAccountNotLinked: "oauthAccountNotLinked",
  OAuthCallbackError: "callback",
  OAuthCreateAccount: "other",
  OAuthSignin: "other",
  RateLimited: "rateLimited",
  SessionRequired: "sessionRequired",
  Signin: "other",
  WebAuthnVerificationError: "passkey",
} as const satisfies Record<string, keyof Messages["signinErrors"]>

interface About {
  readonly problem?: SignInProblem | undefined
  /** The name of the provider. */
  readonly provider?: string | undefined
  /** What the user can sign in with. */
  readonly methods?: string | undefined
}

/** Text of the sign-in page by its `error` parameter. */
export function signInErrorText(t: Messages, code: string, { problem, methods, ...about }: About): string {
  const texts = t.signinErrors
  const provider = about.provider ?? t.error.provider
  if (code === "OAuthAccountNotLinked" && methods !== undefined)
    return fill(texts.oauthAccountNotLinkedUse, { methods })
  if (problem === "misconfigured" || problem === "unreachable") return fill(texts[problem], { provider })
  return texts[isSignInCode(code) ? signInCodes[code] : "unknown"]
}

/** An object also has keys such as `constructor`. */
function isSignInCode(code: string): code is keyof typeof signInCodes {
  return Object.hasOwn(signInCodes, code)
}
