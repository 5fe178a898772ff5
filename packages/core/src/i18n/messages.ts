import type { AccountMessages } from "./account-messages.js"
import type { MailMessages } from "./mail-messages.js"
import type { Notice } from "./notice.js"

/** A page that also says what to do about a problem. */
interface Explanation extends Notice {
  readonly advice: string
}

/**
 * Every text of the built-in pages and emails. All texts are plain: HTML in them is escaped. A name in braces, such as
 * `{app}`, is a placeholder.
 */
export interface Messages {
  readonly common: {
    /** Alternative text of the logo. */
    readonly logo: string
    /** Between two ways to sign in. */
    readonly or: string
    readonly continue: string
    readonly cancel: string
    readonly tryAgain: string
    /** Link to the home page: `{app}`. */
    readonly back: string
    readonly showPassword: string
    /** Of a field that's empty. */
    readonly required: string
    /** Of a field without a valid email. */
    readonly invalidEmail: string
  }
  readonly signin: {
    readonly title: string
    /** `{app}`. */
    readonly heading: string
    /** `{provider}`. */
    readonly with: string
    readonly button: string
    readonly email: string
    readonly emailOrUsername: string
    readonly emailExample: string
    readonly password: string
    readonly sendLink: string
    readonly withPasskey: string
    readonly createPasskey: string
    readonly otherMethod: string
    readonly emailInstead: string
    readonly passwordInstead: string
    readonly passkeyInstead: string
    /** `{provider}`. */
    readonly providerInstead: string
    /** Marks the method of the last sign-in. */
    readonly lastUsed: string
    readonly forgotPassword: string
    readonly noAccount: string
    readonly createAccount: string
    /** Links to `pages.terms` and `pages.privacy`. */
    readonly terms: string
    readonly privacy: string
    /** There is no provider. */
    readonly nothing: string
  }
  /** By the code in the URL of the sign-in page. */
  readonly signinErrors: {
    readonly accountNotLinked: string
    readonly credentials: string
    readonly email: string
    readonly callback: string
    readonly captcha: string
    readonly csrf: string
    readonly oauthAccountNotLinked: string
    /** `{methods}`, such as "GitHub or Email". */
    readonly oauthAccountNotLinkedUse: string
    readonly rateLimited: string
    readonly sessionRequired: string
    readonly passkey: string
    readonly other: string
    readonly unknown: string
    /** `{provider}`. */
    readonly misconfigured: string
    /** `{provider}`. */
    readonly unreachable: string
  }
  readonly passkey: {
    /** `{provider}`. */
    readonly create: string
    readonly noScript: string
    readonly waiting: string
    readonly unsupported: string
    readonly failed: string
    /** Browsers don't say which it is, because a site could find out which passkeys a device has. */
    readonly notAllowed: string
    /** The same when a passkey is created. */
    readonly notCreated: string
    readonly exists: string
    readonly unsuitable: string
    readonly rejected: string
    readonly rateLimited: string
  }
  readonly signout: {
    readonly title: string
    readonly heading: string
    readonly question: string
    readonly button: string
    /** `{user}`. */
    readonly signedInAs: string
    /** A visitor without a session. */
    readonly signedOut: Notice
  }
  readonly verifyRequest: {
    readonly title: string
    readonly heading: string
    /** Where the email isn't known. */
    readonly text: string
    /** `{email}`. */
    readonly sent: string
    /** `{email}`. */
    readonly sentWithCode: string
    /** `{time}`, a duration. */
    readonly lasts: string
    readonly label: string
    /** `{count}`. */
    readonly digitsLabel: string
    /** `{count}`. */
    readonly charactersLabel: string
    readonly hint: string
    /** The script sends the form without the button. */
    readonly sendsItself: string
    readonly button: string
    readonly wrong: string
    readonly again: string
    readonly resend: string
    /** `{when}`, such as "in 30 seconds". */
    readonly wait: string
    readonly ready: string
    readonly resent: string
    readonly otherEmail: string
    readonly spam: string
  }
  readonly confirmEmail: {
    readonly title: string
    /** `{app}`. */
    readonly heading: string
    /** `{account}`. */
    readonly account: string
    /** `{user}`. */
    readonly replacing: string
    readonly replacingOther: string
    readonly button: string
  }
  readonly forward: {
    readonly title: string
    readonly heading: string
    readonly text: string
    readonly button: string
  }
  /** The error page. */
  readonly error: {
    readonly title: string
    readonly signin: string
    readonly again: string
    /** `{id}`. */
    readonly id: string
    readonly detail: string
    /** Stands for the name of a provider. */
    readonly provider: string
    /** Heading for an unknown code. */
    readonly unknown: string
    readonly configuration: Explanation
    readonly accessDenied: Notice
    readonly verification: Explanation
    readonly invalidCheck: Explanation
    readonly signOut: Explanation
    readonly rateLimited: Notice
    readonly passkey: Notice
    /** `{provider}`. */
    readonly misconfigured: Explanation
    /** `{provider}`. */
    readonly unreachable: Explanation
    readonly noCookie: Explanation
    readonly expired: Explanation
    readonly used: Explanation
    readonly otherUser: Explanation
  }
  /** Requests that no route can answer, by their HTTP status. */
  readonly status: {
    readonly badRequest: Notice
    readonly framed: Notice
    readonly notFound: Notice
    readonly notAllowed: Notice
    readonly tooLarge: Notice
    readonly tooManyCookies: Notice
    readonly serverError: Notice
  }
  readonly account: AccountMessages
  readonly mail: MailMessages
}

/** Any part of an object. */
export type DeepPartial<T> = {
  readonly [Key in keyof T]?: (T[Key] extends string ? string : DeepPartial<T[Key]>) | undefined
}

/** Texts that replace or complete those of a language. */
export type PartialMessages = DeepPartial<Messages>
