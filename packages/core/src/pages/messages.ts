/** Every text of the built-in pages. */
export const messages = {
  logo: "Logo",
  or: "or",
  signin: {
    title: "Sign In",
    heading: (host: string): string => `Sign in to ${host}`,
    with: (provider: string): string => `Sign in with ${provider}`,
    email: "Email",
    emailExample: "email@example.com",
    nothing: "No way to sign in is set up here yet.",
  },
  signout: {
    title: "Sign Out",
    heading: "Signout",
    question: "Are you sure you want to sign out?",
    button: "Sign out",
  },
  verifyRequest: {
    title: "Verify Request",
    heading: "Check your email",
    text: "A sign-in link has been sent to your email address.",
    lasts: (seconds: number): string => `It works for ${duration(seconds)}.`,
    label: "Code from the email",
    hint: "The code works for ten minutes, and only in this browser.",
    button: "Sign in",
    wrong: "That code is not right, or no longer valid. Check that it is from the newest email.",
    again: "Ask for a new email",
  },
  confirmEmail: {
    title: "Sign In",
    heading: (host: string): string => `Sign in to ${host}`,
    text: "Press the button to finish signing in on this device.",
    warning: "If you did not ask to sign in, close this page.",
    button: "Sign in",
  },
  forward: {
    title: "One moment",
    heading: "One moment",
    text: "You are being taken on. If nothing happens, press the button.",
    button: "Continue",
  },
  error: {
    title: "Error",
    signin: "Sign in",
    again: "Sign in again",
    id: (id: string): string => `Error id: ${id}`,
    detail: "Shown in development only",
  },
} as const

/** What the sign-in page says to an `error` in its query; a map, since an object also knows `constructor`. */
export const signInErrors: ReadonlyMap<string, string> = new Map([
  ["AccountNotLinked", "This passkey or email address belongs to another account. Sign in the way you did originally."],
  ["CredentialsSignin", "Sign in failed. Check that the details you entered are correct."],
  ["EmailSignin", "The email could not be sent. Check the address, or try again later."],
  ["MissingCSRF", "This form had expired or was sent from elsewhere. Please try again."],
  ["OAuthAccountNotLinked", "To confirm your identity, sign in with the account you used originally."],
  ["RateLimited", "Too many attempts. Try again later."],
  ["SessionRequired", "Please sign in to see this page."],
  ["WebAuthnVerificationError", "Your passkey could not be verified. Try again, or sign in another way."],
  ...["Signin", "OAuthSignin", "OAuthCallbackError", "OAuthCreateAccount", "EmailCreateAccount", "Callback"].map(
    (code): [string, string] => [code, "That did not work. Try to sign in with a different account."],
  ),
])

export const unknownSignInError = "Unable to sign in."

export interface ErrorText {
  readonly status: number
  readonly heading: string
  readonly lines: readonly string[]
  /** Text of the button to the sign-in page. */
  readonly button?: string
}

/** The error page by the public code of an error (spec/errors.md). */
export const errorTexts: ReadonlyMap<string, ErrorText> = new Map<string, ErrorText>([
  [
    "Configuration",
    {
      status: 500,
      heading: "Server error",
      lines: ["There is a problem with the server configuration.", "The server log says more."],
    },
  ],
  [
    "AccessDenied",
    {
      status: 403,
      heading: "Access Denied",
      lines: ["You do not have permission to sign in."],
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
      heading: "This sign-in can't be continued",
      lines: ["It took too long, was opened in another tab, or was used twice."],
      button: messages.error.again,
    },
  ],
  [
    "SignOutError",
    {
      status: 500,
      heading: "Not completely signed out",
      lines: [
        "This browser is signed out, but the server could not end the session.",
        "Ask the owner of this site to end it if somebody else may have a copy.",
      ],
    },
  ],
  ["RateLimited", { status: 429, heading: "Too many attempts", lines: ["Too many attempts. Try again later."] }],
  [
    "WebAuthnVerificationError",
    {
      status: 400,
      heading: "Unable to sign in",
      lines: ["Your passkey could not be verified."],
      button: messages.error.again,
    },
  ],
])

/** Any other code, and none. */
export const unknownErrorText: ErrorText = { status: 400, heading: "Error", lines: [] }

/** In whole hours or minutes, rounded down: nobody is promised more than there is. */
function duration(seconds: number): string {
  const [unit, length] = seconds >= 7200 ? (["hour", 3600] as const) : (["minute", 60] as const)
  const count = Math.max(1, Math.floor(seconds / length))
  return `${count} ${unit}${count === 1 ? "" : "s"}`
}
