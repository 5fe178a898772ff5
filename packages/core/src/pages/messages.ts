import { duration } from "../mail/texts.js"
import type { SignInProblem } from "../model/signin-problem.js"

/** The text of the built-in pages, except for errors. */
export const messages = {
  logo: "Logo",
  or: "or",
  signin: {
    title: "Sign in",
    heading: (host: string): string => `Sign in to ${host}`,
    with: (provider: string): string => `Sign in with ${provider}`,
    email: "Email",
    emailExample: "email@example.com",
    nothing: "No sign-in method is set up yet.",
  },
  passkey: {
    create: (provider: string): string => `Create a ${provider}`,
    noScript: "This needs JavaScript. Turn it on in your browser, or sign in another way.",
  },
  signout: {
    title: "Sign out",
    heading: "Sign out",
    question: "Are you sure you want to sign out?",
    button: "Sign out",
    again: "Try again",
  },
  verifyRequest: {
    title: "Check your email",
    heading: "Check your email",
    text: "A sign-in link has been sent to your email address.",
    lasts: (seconds: number): string => `The link works for ${duration(seconds, "en")}.`,
    label: "Code from the email",
    hint: "The code expires within 10 minutes and works only in this browser.",
    button: "Sign in",
    wrong: "That code is incorrect or has expired. Use the code from the most recent email.",
    again: "Request a new email",
  },
  confirmEmail: {
    title: "Sign in",
    heading: (host: string): string => `Sign in to ${host}`,
    accountLabel: "You're about to sign in as",
    /** @param user empty if the user has no email */
    replacing: (user: string): string =>
      `${user === "" ? "Another user" : user} is signed in here now. If you continue, that user is signed out in this browser.`,
    unknownDevice: "The link was requested in another browser.",
    requested: (seconds: number, browser = "another browser", system?: string): string =>
      `The link was requested ${duration(seconds, "en")} ago in ${browser}${system === undefined ? "" : ` on ${system}`}.`,
    finish: "To finish signing in on this device, select Sign in.",
    warning: "If you didn't try to sign in, or this isn't your account, close this page.",
    button: "Sign in",
  },
  forward: {
    title: "Redirecting…",
    heading: "Redirecting…",
    text: "If nothing happens, select Continue.",
    button: "Continue",
  },
  error: {
    title: "Error",
    signin: "Sign in",
    again: "Sign in again",
    id: (id: string): string => `Error ID: ${id}`,
    detail: "Details (shown only in development)",
    provider: "The sign-in service",
  },
} as const

const canceled = "Either you canceled, it took too long"
const unsuitable =
  "This device can't confirm that it's you with a PIN, fingerprint or face. Use another device or security key."

/**
 * What the script of a passkey form shows: text by the name of a DOMException (WebAuthn Level 3 §5.1.3, §5.1.4) or by the
 * HTTP status of the server. A key with the action takes precedence.
 */
export const passkeyTexts: Readonly<Record<string, string>> = {
  waiting: "Waiting for your browser…",
  unsupported: "This browser doesn't support passkeys on this page. Use another browser, or sign in another way.",
  failed: "Something went wrong. Try again, or sign in another way.",
  // Browsers don't tell these cases apart, because a site could find out which passkeys a device has.
  NotAllowedError: `${canceled}, or this device has no passkey for this site. Try again, or sign in another way.`,
  "NotAllowedError register": `${canceled}, or this device can't store a passkey. Try again.`,
  InvalidStateError: "This device already has a passkey for this account. Sign in with it.",
  ConstraintError: unsuitable,
  NotSupportedError: unsuitable,
  400: "The server didn't accept these details. Check them, or sign in another way.",
  429: "Too many attempts. Try again later.",
}

/** Text by the `error` parameter of the sign-in page. A map, because an object also has keys such as `constructor`. */
export const signInErrors: ReadonlyMap<string, string> = new Map([
  ["AccountNotLinked", "This passkey or email address belongs to another account. Sign in the same way as last time."],
  ["CredentialsSignin", "Sign-in failed. Check that the details you entered are correct."],
  ["EmailSignin", "The email couldn't be sent. Check the address or try again later."],
  [
    "OAuthCallbackError",
    "You canceled the sign-in, or the other service didn't allow it. Try again, or sign in another way.",
  ],
  ["MissingCSRF", "This form expired or was sent from another site. Please try again."],
  ["OAuthAccountNotLinked", "To confirm your identity, sign in with the account you used originally."],
  ["RateLimited", "Too many attempts. Try again later."],
  ["SessionRequired", "Please sign in to see this page."],
  ["WebAuthnVerificationError", "Your passkey couldn't be verified. Try again or sign in another way."],
  ...["Signin", "OAuthSignin", "OAuthCreateAccount", "EmailCreateAccount", "Callback"].map((code): [string, string] => [
    code,
    "Sign-in failed. Try signing in with a different account.",
  ]),
])

export const unknownSignInError = "Unable to sign in."

export interface ErrorText {
  readonly status: number
  readonly heading: string
  readonly lines: readonly string[]
  /** Text of the button to the sign-in page. */
  readonly button?: string
}

/** Content of the error page by the public code of an error. */
export const errorTexts: ReadonlyMap<string, ErrorText> = new Map<string, ErrorText>([
  [
    "Configuration",
    {
      status: 500,
      heading: "Server error",
      lines: [
        "There is a problem with the server configuration.",
        "If you run this site, check the server log for details.",
      ],
    },
  ],
  [
    "AccessDenied",
    {
      status: 403,
      heading: "Access denied",
      lines: ["You don't have permission to sign in."],
      button: messages.error.signin,
    },
  ],
  [
    "Verification",
    {
      status: 403,
      heading: "Unable to sign in",
      lines: ["The sign-in link is no longer valid.", "It may have been used already, or it may have expired."],
      button: messages.error.signin,
    },
  ],
  [
    "InvalidCheck",
    {
      status: 400,
      heading: "Sign-in couldn't be completed",
      lines: [
        "It took too long, was started again in another tab, or was already completed.",
        "It can also be that your browser didn't send the cookie of this sign-in. Then allow cookies for this site, or open it in the browser that you usually use.",
      ],
      button: messages.error.again,
    },
  ],
  [
    "SignOutError",
    {
      status: 503,
      heading: "Sign-out wasn't completed",
      lines: [
        "You're signed out in this browser, but the server couldn't end the session. It may still be active elsewhere.",
        "Try again in a moment. If your session may have been stolen, ask the owner of this site to end it.",
      ],
    },
  ],
  ["RateLimited", { status: 429, heading: "Too many attempts", lines: ["Too many attempts. Try again later."] }],
  [
    "WebAuthnVerificationError",
    {
      status: 400,
      heading: "Unable to sign in",
      lines: ["Your passkey couldn't be verified."],
      button: messages.error.again,
    },
  ],
])

const again = messages.error.again

/** More precise texts, if the process knows what happened. @param provider the name of the provider */
export const problemTexts: Readonly<Record<SignInProblem, (provider: string) => ErrorText>> = {
  misconfigured: (provider) => ({
    status: 500,
    heading: "Sign-in isn't set up correctly",
    lines: [
      `${provider} doesn't accept sign-ins from this site at the moment. You did nothing wrong.`,
      "Sign in another way, or tell the owner of this site. If you run this site, check the server log for the error ID.",
    ],
    button: messages.error.signin,
  }),
  unreachable: (provider) => ({
    status: 503,
    heading: "Sign-in isn't available right now",
    lines: [`${provider} didn't answer this site.`, "Try again in a few minutes, or sign in another way."],
    button: again,
  }),
  "no-cookie": () => ({
    status: 400,
    heading: "Sign-in couldn't be completed",
    lines: [
      "Your browser didn't send the cookie of this sign-in.",
      "Cookies may be blocked, or the sign-in started in another browser, such as the one inside of an app. Allow cookies for this site, or open it in the browser that you usually use, and sign in again.",
    ],
    button: again,
  }),
  expired: () => ({
    status: 400,
    heading: "Sign-in expired",
    lines: ["It took too long to sign in, so this attempt expired.", "Sign in again."],
    button: again,
  }),
  used: () => ({
    status: 400,
    heading: "Sign-in was already completed",
    lines: [
      "This page was opened before, so the attempt is used up.",
      "You may be signed in already. If you aren't, sign in again.",
    ],
    button: again,
  }),
  "other-user": () => ({
    status: 400,
    heading: "Sign-in couldn't be completed",
    lines: [
      "While you were signing in, another user signed in or out in this browser.",
      "Nothing was changed. Check who is signed in, and start again.",
    ],
    button: again,
  }),
}

/** The same for the sign-in page, which has its forms next to it. */
export const signInProblems: Readonly<Partial<Record<SignInProblem, (provider: string) => string>>> = {
  misconfigured: (provider) =>
    `${provider} doesn't accept sign-ins from this site at the moment. Sign in another way, or tell the owner of this site.`,
  unreachable: (provider) => `${provider} is out of order right now. Try again later, or sign in another way.`,
}

/** For an unknown code or none. */
export const unknownErrorText: ErrorText = { status: 400, heading: "Error", lines: [] }
