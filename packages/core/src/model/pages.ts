/** Appearance of the built-in pages and emails. */
export interface Theme {
  /** The name of the application, as the pages show it. @default the host, such as `app.example` */
  readonly name?: string | undefined
  /** @default "auto" */
  readonly colorScheme?: "auto" | "dark" | "light" | undefined
  /** A path or the URL of an image of at most 150 × 70 px. */
  readonly logo?: string | undefined
  /** A CSS color. */
  readonly brandColor?: string | undefined
  /** A CSS color. @default white or black, whichever can be read on `brandColor` */
  readonly buttonText?: string | undefined
}

/** Your own pages, each as a path below the origin or as an absolute URL. */
export interface PagesOptions {
  readonly signIn?: string | undefined
  readonly signOut?: string | undefined
  /** Shows the error that the `error` query parameter names. */
  readonly error?: string | undefined
  /** Tells the user to look for the email. */
  readonly verifyRequest?: string | undefined
  /**
   * Shows the account of the user, with their passkeys, linked accounts and sessions. The link that confirms a new email leads
   * there with `token` and `email`. @default a built-in page
   */
  readonly account?: string | undefined
  /** Asks for a second factor. Its form is the step that `GET factor` returns as JSON. */
  readonly factor?: string | undefined
  /** Where users go after their first sign-in. */
  readonly newUser?: string | undefined
  /** Where the built-in sign-in page links to beside a password. */
  readonly forgotPassword?: string | undefined
  /** Where the built-in sign-in page sends visitors who have no account. */
  readonly createAccount?: string | undefined
  /** The terms of service, to which pages link where a visitor can create an account. */
  readonly terms?: string | undefined
  /** The privacy policy, to which the same pages link. */
  readonly privacy?: string | undefined
}

/** A version such as `"v9.0.1"`. */
export type SemverString = `v${number}` | `v${number}.${number}` | `v${number}.${number}.${number}`

/** Codes that {@link PagesOptions.error} receives. */
export type ErrorPageParam = "Configuration" | "AccessDenied" | "Verification"

/** Codes that {@link PagesOptions.signIn} receives. */
export type SignInPageErrorParam =
  | "Signin"
  | "OAuthSignin"
  | "OAuthCallbackError"
  | "OAuthCreateAccount"
  | "EmailCreateAccount"
  | "Callback"
  | "OAuthAccountNotLinked"
  | "EmailSignin"
  | "CredentialsSignin"
  | "SessionRequired"
