/**
 * The text of `SignIn`, in English by default. Labels of methods and fields, and the messages of errors, come from the
 * server in the user's language. `{name}` in braces is replaced.
 */
export interface SignInTexts {
  /** @default "Sign in" */
  readonly title: string
  /** Between the buttons and the form. @default "or" */
  readonly or: string
  /** Marks the method that the user signed in with last time. @default "Last used" */
  readonly lastUsed: string
  /** @default "Show password" */
  readonly showPassword: string
  /** @default "Forgot password?" */
  readonly forgotPassword: string
  /** @default "Create an account" */
  readonly createAccount: string
  /** @default "Loading…" */
  readonly loading: string
  /** No method is configured, or `methods` leaves none. @default "No sign-in method is available." */
  readonly nothing: string
  /** @default "Try again" */
  readonly retry: string
  /** @default "Fill in this field." */
  readonly required: string
  /** @default "Enter a valid email address." */
  readonly invalidEmail: string
  /** @default "Check your email" */
  readonly sentTitle: string
  /** @default "We sent a sign-in link to {email}." */
  readonly sentLink: string
  /** @default "We sent a sign-in link and a code to {email}." */
  readonly sentCode: string
  /** @default "Can't find it? Check your spam folder." */
  readonly sentHint: string
  /** @default "{count}-digit code" */
  readonly digits: string
  /** For codes that also have letters. @default "{count}-character code" */
  readonly characters: string
  /** @default "Continue" */
  readonly continue: string
  /** @default "Send the email again" */
  readonly resend: string
  /** While another email can't be sent yet. @default "Send the email again ({time})" */
  readonly resendIn: string
  /** @default "We sent the email again." */
  readonly sentAgain: string
  /** @default "Use a different email" */
  readonly otherEmail: string
  /** Goes back from a second factor. @default "Cancel" */
  readonly cancel: string
}

export const english: SignInTexts = {
  title: "Sign in",
  or: "or",
  lastUsed: "Last used",
  showPassword: "Show password",
  forgotPassword: "Forgot password?",
  createAccount: "Create an account",
  loading: "Loading…",
  nothing: "No sign-in method is available.",
  retry: "Try again",
  required: "Fill in this field.",
  invalidEmail: "Enter a valid email address.",
  sentTitle: "Check your email",
  sentLink: "We sent a sign-in link to {email}.",
  sentCode: "We sent a sign-in link and a code to {email}.",
  sentHint: "Can't find it? Check your spam folder.",
  digits: "{count}-digit code",
  characters: "{count}-character code",
  continue: "Continue",
  resend: "Send the email again",
  resendIn: "Send the email again ({time})",
  sentAgain: "We sent the email again.",
  otherEmail: "Use a different email",
  cancel: "Cancel",
}

/** Replaces `{name}` by the value of `name`. */
export function fill(text: string, values: Readonly<Record<string, string | number>>): string {
  return text.replace(/\{(\w+)\}/g, (whole, name: string) => String(values[name] ?? whole))
}
