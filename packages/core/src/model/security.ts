export type SecurityMode = "compatible" | "strict"

/** Single hardening options. `docs/security-modes.md` says what each one changes. */
export interface SecurityOptions {
  /**
   * `"same-session"`: a sign-in that starts while a user is signed in links the account to that user.
   * `"explicit"`: only with `link: true`. @default "same-session"; "explicit" under `"strict"`
   */
  readonly linking?: "same-session" | "explicit" | undefined
  /**
   * Prefix of the session cookie's name over https (RFC 6265bis §4.1.3).
   * @default "__Secure-"; "__Host-" under `"strict"`
   */
  readonly sessionCookiePrefix?: "__Secure-" | "__Host-" | undefined
  /**
   * With an adapter, sealed sessions are checked against the database, so they can be revoked.
   * @default false; true under `"strict"`
   */
  readonly revocableSessions?: boolean | undefined
  /** Derives a separate key for each purpose. @default false; true under `"strict"` */
  readonly keyPerPurpose?: boolean | undefined
  /** Stores only a hash of each session token. @default false; true under `"strict"` */
  readonly hashSessionTokens?: boolean | undefined
  /**
   * How tokens of providers are stored: as received, sealed, or not at all.
   * @default "plain"; "none" under `"strict"`
   */
  readonly providerTokens?: "plain" | "sealed" | "none" | undefined
  /** A new email link invalidates the earlier ones of that email. @default false; true under `"strict"` */
  readonly newestEmailLinkOnly?: boolean | undefined
  /** Default lifetime of an email link, in seconds. @default 86400; 900 under `"strict"` */
  readonly emailLinkMaxAge?: number | undefined
  /**
   * The first sign-in by email ends the user's other sessions and unlinks their accounts, because an attacker may have
   * registered the email before its owner did. @default false; true under `"strict"`
   */
  readonly reclaimMailbox?: boolean | undefined
  /**
   * A visitor can sign up with a passkey and an unverified email. Otherwise, only signed-in users can add
   * passkeys. @default true; false under `"strict"`
   */
  readonly passkeySignUp?: boolean | undefined
  /** Serves only configured origins: `url`, or a list in `trustHost`. @default false; true under `"strict"` */
  readonly listedOriginsOnly?: boolean | undefined
  /**
   * In production, a secret with less than 32 bytes of entropy is an error instead of a warning.
   * @default false; true under `"strict"`
   */
  readonly refuseWeakSecret?: boolean | undefined
  /**
   * Enforces `iss`, `azp`, `auth_time` and `acr` wherever they are requested or advertised.
   * @default false; true under `"strict"`
   */
  readonly enforceIssuerChecks?: boolean | undefined
  /**
   * Seconds after a sign-in during which a user can remove accounts and passkeys, change their email and delete their account.
   * At most 86400. @default 600
   */
  readonly recentSignIn?: number | undefined
  /**
   * Sessions of a less strict configuration are accepted until then: those under a former cookie name, and those that can't
   * be revoked. A date, or text such as `"2027-03-01"`. Set it to the day of the switch plus `session.maxAge`.
   * @default until they expire
   */
  readonly formerSessionsUntil?: Date | string | undefined
}

/** What else a mode decides. Each is what holds if it's `true`. `docs/security-modes.md` says why. */
export interface Rules {
  /** An email is canonical and ASCII. Otherwise it's kept as Auth.js v5 keeps it. */
  readonly asciiEmails: boolean
  /** An email at an OpenID provider without `email_verified` isn't verified. */
  readonly provenEmails: boolean
  /** Where a callback of the application leads is checked by the default `redirect` callback too. */
  readonly checkedRedirects: boolean
  /** The next user of the browser doesn't get the callback URL of the last one, nor the query of the page they were on. */
  readonly privateCallbackUrls: boolean
  /** Requests, pages and callbacks get the parameters that are declared, each once. */
  readonly declaredParams: boolean
  /** The claims of the engine, at any depth of an update, are what they were before a callback ran. */
  readonly fixedClaims: boolean
  /** Users whom `authorize` returns have an id. */
  readonly namedUsers: boolean
  /** The cookies of a public site are secure, whatever a request says about its scheme. */
  readonly secureCookies: boolean
  /** The redirect proxy serves the deployments that are listed, or that named their own origin. */
  readonly namedDeployments: boolean
  /** A passkey names its user, is used once wherever it was asked for, and a current library verifies it. */
  readonly boundPasskeys: boolean
  /** Only the CSRF token proves where a form comes from. */
  readonly csrfTokens: boolean
}

type Decided = Omit<SecurityOptions, "formerSessionsUntil">

/** Every hardening option, decided. */
export type Security = { readonly [option in keyof Decided]-?: NonNullable<Decided[option]> }
